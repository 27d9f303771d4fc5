import { createGrammar, type Grammar } from '../../language/grammar/grammar.ts';
import { runSlot } from '../../language/grammar/run-slot.ts';
import type { SlotType } from '../../language/grammar/walk.ts';
import type { Word } from '../../language/grammar/words.ts';
import { hasSkill, type Language } from '../../language/language.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import { withDryRun } from '../core/dry-run.ts';
import { type Answer, aside, type DryRunResponder, plainAnswer, type Question } from '../core/responder.ts';
import { type Ask, defineSkill, intentsOf } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import { createSkillResponder } from '../core/skill-responder.ts';
import { type SlotValues, wordsIn } from '../core/slot.ts';
import { createHomeGrammar, type HomeGrammar } from '../home/understand/home-grammar.ts';
import { homeShape } from '../home/understand/home-shape.ts';
import { createWishGrammar } from '../home/understand/home-wishes.ts';
import type { HomeWords } from '../home/understand/home-words.ts';
import { targetSlotsOf } from '../home/understand/spoken.ts';
import { createTargetReader } from '../home/understand/target-reader.ts';
import { homeIntents } from '../home/understand/understood.ts';
import type { HomeFacts } from '../home-facts/home-facts.ts';
import { type NotConnected, notConnected, notConnectedShape, type RunWords } from './not-connected-shape.ts';
import { loadTopics } from './topics.ts';

interface NotConnectedOptions {
  language: Language;
  /** A Home Assistant is configured and answers for the house itself. */
  hasHome: boolean;
  /** The house's own facts: its weather, its calendar. */
  facts?: Pick<HomeFacts, 'answer'> | null;
  /** The language model may have a tool server for it. */
  mayBeServed: (settings: Pipeline) => boolean;
  /** The sentence is for a loudspeaker with volume control. A turn that reaches this responder has none. */
  isForSpeaker?: (text: string) => boolean;
  /** The language model may read the house's state itself. */
  mayLook?: (settings: Pipeline) => boolean;
}

/** The place in the question. */
const slots = { place: wordsIn() };
type Slots = SlotValues<typeof slots>;
type Said = Pick<Answer, 'text' | 'kept'>;
type HomeSkill = Pick<ReturnType<typeof loadSkill<string, HomeWords>>, 'sentencesOf' | 'words'>;

const { tells } = intentsOf<Slots>();

/** Fixed rules answer these, as in the skills. */
const name = 'skills';

/**
 * Answers requests that need a connection that Hearth lacks: the weather, a song, the lights. A language
 * model would invent an answer. This responder comes after all responders that can help, and before the
 * language model.
 */
export function createNotConnectedResponder({
  language,
  hasHome,
  facts,
  mayBeServed,
  mayLook = () => false,
  isForSpeaker = () => false,
}: NotConnectedOptions): DryRunResponder {
  const { sentencesOf, words, reply } = loadSkill(language.files, 'not-connected', notConnectedShape);
  const home = hasSkill(language.files, 'home') ? loadSkill(language.files, 'home', homeShape) : null;
  const rules = { ...language.grammar.rules, ...words.parts };
  const before = [...language.grammar.before, ...words.before];
  const grammar = createGrammar({ ...language.grammar, rules, before });
  const topicOf = loadTopics(language.files, grammar.readWords);
  const house = hasHome || home === null ? null : houseOf(language, home);

  const refusal = (kind: NotConnected, turn: { id: string }): Said => {
    const atHome = hasHome ? atHomeOf(kind) : null;
    return refused(reply(atHome ?? kind, {}, turn), kind);
  };
  const ofFacts = async (
    kind: NotConnected,
    ask: Ask,
    { place }: { place?: readonly Word[] | null },
  ): Promise<Said | null> => {
    const said = grammar.readWords(ask.turn.text);
    const found = await facts?.answer({ kind, said, place: place ?? [], ...ask });
    return found ? { text: found.text, kept: aside(found.kept ?? found.text) } : null;
  };
  /** Reads a follow-up to one of these refusals: "and on Sunday?" */
  const again = ({ exchanges }: Pick<Ask, 'exchanges'>): Said | null => {
    const last = exchanges.at(-1);
    return last?.missing === undefined ? null : refused(last.assistant, last.missing);
  };

  const byRule = createSkillResponder({
    grammar,
    skills: [
      defineSkill({
        name: 'not-connected',
        sentencesOf,
        slots,
        slotTypes: { ...(home && thingSlots(grammar, home.words)), ...runs(words.runs) },
        intents: {
          ...refusals(async ({ kind, ask, said }) => {
            if (hasHome && kind === 'house') return null;
            if (hasHome && kind === 'house_state' && mayLook(ask.settings)) return null;
            return (await ofFacts(kind, ask, said)) ?? refusal(kind, ask.turn);
          }),
          follow: tells(again),
        },
      }),
    ],
  });

  const ofSpeaker = ({ turn }: Question): Said | null =>
    isForSpeaker(turn.text) ? refusal('volume', turn) : null;
  const ofHouse = ({ turn, exchanges }: Question): Said | null => {
    if (house === null) return null;
    const kind = houseKind(house, turn.text);
    return kind === 'reference' ? again({ exchanges }) : kind && refusal(kind, turn);
  };

  const ofTopic = async (question: Question): Promise<Said | null> => {
    const found = topicOf(grammar.readWords(question.turn.text));
    return found && ((await ofFacts(found.kind, question, found)) ?? refusal(found.kind, question.turn));
  };

  return withDryRun({
    name,
    async respond(question) {
      if (mayBeServed(question.settings)) return null;
      const answer = await byRule.respond(question);
      if (answer) return answer;
      const found = ofSpeaker(question) ?? ofHouse(question) ?? (await ofTopic(question));
      if (found === null) return null;
      question.say(found.text);
      return plainAnswer(found.text, found.kept);
    },
  });
}

const refused = (text: string, missing: string): Said => ({ text, kept: { ...aside(text), missing } });

function refusals(refuse: (request: { kind: NotConnected; ask: Ask; said: Slots }) => Promise<Said | null>) {
  const refusal = (kind: NotConnected) => tells((ask, said) => refuse({ kind, ask, said }));
  return Object.fromEntries(notConnected.map((kind) => [kind, refusal(kind)]));
}

/** The refusal if the house may have it but Hearth cannot reach the house. */
function atHomeOf(kind: NotConnected) {
  if (kind === 'house_state') return 'house_state_at_home';
  if (kind === 'play') return 'play_at_home';
  if (kind === 'volume') return 'volume_at_home';
  if (kind === 'calendar') return 'calendar_at_home';
  return kind === 'playing' ? 'playing_at_home' : null;
}

/** The grammar of a house that is not connected. */
function houseOf(language: Language, home: HomeSkill): HomeGrammar {
  const sentences = home.sentencesOf(homeIntents);
  return createHomeGrammar({
    grammar: createWishGrammar(language, home.words),
    words: home.words,
    sentences,
  });
}

/** How a sentence would concern a house, if one were connected. Null: not at all. */
function houseKind(house: HomeGrammar, text: string): 'house' | 'house_state' | 'reference' | null {
  // An unlisted name may not belong to a house: "turn off the process".
  const understood = house.read(text).filter(({ isUnknown }) => !isUnknown);
  if (understood.length === 0) return house.isForLater(text) ? 'house' : null;
  if (understood.every(({ kind }) => kind === 'reference')) return 'reference';
  return understood.every(({ kind }) => kind === 'question') ? 'house_state' : 'house';
}

/** Slots of a few words: either only the listed words, or all words except those. */
function runs(all: Readonly<Record<string, RunWords>>): Record<string, SlotType> {
  return Object.fromEntries(
    Object.entries(all).map(([slot, { most, only, not, numbers }]) => {
      const [wanted, unwanted] = [only && new Set(only), new Set(not)];
      const isAllowed = (word: string) => {
        if (/^\d/.test(word)) return numbers;
        return wanted ? wanted.has(word) : /^\p{L}/u.test(word) && !unwanted.has(word);
      };
      return [slot, runSlot({ most, costPerWord: 1, isAllowed, endsAt: (gap) => gap === '.' })];
    }),
  );
}

/** Entities at home, as commands name them. */
function thingSlots(grammar: Grammar, words: HomeWords): Record<string, SlotType> {
  const targets = createTargetReader(words, grammar.readWords);
  return { ...targetSlotsOf(targets), area: { ends: targets.areasAt } };
}
