import type { ActionNotes } from '../../actions/action-notes.ts';
import type { LastCommand } from '../../actions/last-command.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import type { HomeError } from '../../engines/home-fault.ts';
import type { SlotType } from '../../language/grammar/walk.ts';
import type { Language } from '../../language/language.ts';
import type { Logger } from '../../log.ts';
import type { Action } from '../core/household-actions.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { DryRunResponder, Responder } from '../core/responder.ts';
import type { Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import { createHomeFacts, type HomeFacts } from '../home-facts/home-facts.ts';
import { createHomeQuery } from '../home-query/home-query.ts';
import { createMusic, type Music } from '../music/music-responder.ts';
import { createHomeCommands } from './home-commands.ts';
import { createHomeControl, type HomeTalk } from './home-control.ts';
import { createHomeQuestions } from './home-questions.ts';
import { createHomeReports } from './home-reports.ts';
import { createHomeResponder } from './home-responder.ts';
import { createSentenceFor } from './home-sentence.ts';
import { createHomeActions } from './home-undo.ts';
import { describedThings, type House, namesOf } from './house.ts';
import { createMissingValue } from './missing-value.ts';
import { createNotUnderstood, type MayAct } from './not-understood.ts';
import { createOpensUp } from './opens-up.ts';
import { createPassOn } from './pass-on.ts';
import { createPlannedHouse, type PlannedHouse } from './planned-house.ts';
import { createSameNameQuestion } from './same-name.ts';
import { createHomeGrammar } from './understand/home-grammar.ts';
import { colorsIn } from './understand/home-matcher.ts';
import { homeShape } from './understand/home-shape.ts';
import { createWishGrammar } from './understand/home-wishes.ts';
import { homeIntents } from './understand/understood.ts';
import { createWhichThing } from './which-thing.ts';

interface HomeOptions {
  client: HomeClient;
  /** Its rooms and things, which all languages share. */
  house: House;
  language: Language;
  pendingQuestions: HouseholdQuestions;
  notes: ActionNotes<Action>;
  last: LastCommand;
  timeZone: string;
  log: Pick<Logger, 'info' | 'warn'>;
}

export interface Home {
  responder: DryRunResponder;
  /** Comes after every responder that may understand a command. */
  notUnderstood: (mayAct: MayAct) => Responder;
  control: HomeTalk;
  planned: PlannedHouse;
  /** Classifies a sentence without asking Home Assistant. */
  sentences: {
    /** It is a command or a question for the house, or several. */
    covers(text: string): Promise<boolean>;
    /** It is a question or has a condition: if the house answers it without acting, it does not refuse it. */
    asks(text: string): Promise<boolean>;
  };
  /** Reports and undoes actions. It has no sentences, because the responder comes after the skills. */
  skill: Skill;
  /** Answers about the weather, the calendar, the sun and players. */
  facts: HomeFacts;
  /** Plays media by name. */
  music: Music;
  /** The house's names for its rooms and things. */
  names: () => { rooms: string[]; devices: string[] };
  /** Calls the listener whenever the names of the house change. */
  onNames: (listener: () => void) => void;
  /** Words for the colors of lights. */
  colors: readonly string[];
  /** The types of the slots that name things: "light", "lock". */
  thingSlots: Readonly<Record<string, SlotType>>;
  /** Whether a word occurs in common names of rooms and things: "porch", "ceiling". */
  isWordOfHomes: (word: string) => boolean;
}

/** The parts of Hearth that use Home Assistant. */
export function createHome(options: HomeOptions): Home {
  const { client, house, language, pendingQuestions, notes, last, timeZone, log } = options;
  const { sentencesOf, reply, words, help } = loadSkill(language.files, 'home', homeShape);
  const sentences = sentencesOf(homeIntents);
  const wishes = createWishGrammar(language, words);
  const grammar = createHomeGrammar({ grammar: wishes, sentences, words });
  house.onNames(({ areas, floors, things, exposed }) =>
    grammar.learn({
      areas: [...areas.flatMap(namesOf), ...floors],
      things: things.flatMap((thing) => namesOf(thing).map((name) => ({ id: thing.id, name }))),
      described: describedThings({ things, exposed }),
    }),
  );
  const reports = createHomeReports({ reply, words, tag: language.tag });
  const sentenceFor = createSentenceFor({ house, words });
  // Leaves out Home Assistant's own words, because they may repeat the spoken sentence.
  const onFailure = ({ failure }: HomeError) =>
    log.warn({ trouble: failure }, 'Home Assistant request failed');
  const alike = createSameNameQuestion({ house, words, reply, last });
  const { index, readWords } = grammar;
  const { choose } = wishes;
  const which = createWhichThing({ pendingQuestions, house, index, words, readWords, choose, reply });
  const missing = createMissingValue({ pendingQuestions, words, readWords, reply });
  const shared = { client, house, sentenceFor, reply, reports, alike, index };
  const query = createHomeQuery({ client, house, language, homeWords: words });
  const { tellsOf } = query;
  const commands = createHomeCommands({
    ...shared,
    words,
    which,
    missing,
    tellsOf,
    notes,
    last,
    pendingQuestions,
    onFailure,
  });
  const questions = createHomeQuestions(shared);
  const control = createHomeControl({
    grammar,
    house,
    passOn: createPassOn({ client, grammar, house, questions, commands, sentenceFor, reply }),
    opensUp: createOpensUp({ house, commands, onFailure }),
    query,
    questions,
    commands,
    which,
    missing,
    reply,
    last,
    onFailure,
  });

  const { thingsIn } = house;
  const called = [...words.rooms, ...words.adjectives, ...Object.values(words.devices).flat()];
  const wordsOfHomes = new Set(called.flatMap((name) => name.split(' ')));

  return {
    facts: createHomeFacts({ client, thingsIn, language, pendingQuestions, notes, timeZone, onFailure }),
    music: createMusic({ client, house, language, notes, onFailure }),
    responder: createHomeResponder({ control, pendingQuestions }),
    notUnderstood: createNotUnderstood({ grammar, reply }),
    control,
    planned: createPlannedHouse(control),
    sentences: {
      covers: async (text) =>
        control.isConditional(text) ||
        control.asksSeveral(text) ||
        (await control.read(text)).some(({ isUnknown }) => !isUnknown),
      asks: async (text) =>
        control.isConditional(text) ||
        (!grammar.isForLater(text) && (await control.read(text)).every(({ kind }) => kind === 'question')),
    },
    skill: {
      name: 'home',
      help,
      sentences: {},
      intents: {},
      onYes: { 'home.sweeping': (question, ask) => control.agreed(question, ask) },
      actions: createHomeActions({ client, notes, reply, reports }),
    },
    names: house.names,
    onNames: house.onNames,
    colors: colorsIn(words),
    thingSlots: grammar.thingSlots,
    isWordOfHomes: (word) => wordsOfHomes.has(word),
  };
}
