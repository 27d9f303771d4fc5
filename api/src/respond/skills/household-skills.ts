import type { ActionNotes } from '../../actions/action-notes.ts';
import type { Forget } from '../../actions/forget-conversation.ts';
import type { ToldJokes } from '../../actions/told-jokes.ts';
import type { Announcements } from '../../announcements/announcements.ts';
import { createGrammar } from '../../language/grammar/grammar.ts';
import type { KnownNames } from '../../language/hints.ts';
import { hasSkill, type Language } from '../../language/language.ts';
import type { NumberReader } from '../../language/numbers/number-reader.ts';
import type { ListStore } from '../../lists/list-store.ts';
import type { SpeakerStore } from '../../speakers/speaker-store.ts';
import type { CheckLog } from '../../status/check-log.ts';
import type { EngineStatus } from '../../status/engine-status.ts';
import type { SatellitesThere } from '../../timers/satellites-there.ts';
import type { Stopwatches } from '../../timers/stopwatch.ts';
import type { TimerStore } from '../../timers/timer-store.ts';
import type { Action, HouseholdActions } from '../core/household-actions.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { Skill } from '../core/skill.ts';
import { createTurnUndo } from '../core/turn-undo.ts';
import { type AnnounceSkill, createAnnounceSkill } from './announce/announce-skill.ts';
import { createChanceSkill } from './chance-skill.ts';
import { createCheckSkill } from './check-skill.ts';
import { createClockSkill } from './clock/clock-skill.ts';
import { createForgetSkill } from './forget-skill.ts';
import { createHelpSkill } from './help-skill.ts';
import { createJokesSkill } from './jokes-skill.ts';
import type { ListTalk } from './lists/list-talk.ts';
import { createListsSkills } from './lists/lists-skill.ts';
import { createSelfSkill, type SelfFacts } from './self-skill.ts';
import { createSpeakerFinder } from './speaker-finder.ts';
import { createSpeakerSkill } from './speaker-skill.ts';
import { createSpellingSkill } from './spelling-skill.ts';
import { createStopwatchSkill } from './stopwatch-skill.ts';
import { createSumsSkill } from './sums-skill.ts';
import { createTalkSkill } from './talk-skill.ts';
import type { SunTimes } from './timers/sun-reader.ts';
import { createCanRing } from './timers/timer-hearable.ts';
import type { AnswerFromHouse } from './timers/timer-questions.ts';
import { createTimerSkill, type TimerSkill } from './timers/timer-skill.ts';
import { createUndoSkill } from './undo-skill.ts';
import { createUnitsSkill } from './units-skill.ts';
import { createYesNoSkill } from './yes-no-skill.ts';

interface SkillStores {
  pendingQuestions: HouseholdQuestions;
  actions: HouseholdActions;
  notes: ActionNotes<Action>;
  /** The lists in Redis, which answer at once. */
  ownLists: ListStore;
  there: SatellitesThere;
  stopwatches: Stopwatches;
  toldJokes: ToldJokes;
  speakers: SpeakerStore;
  checks: Pick<CheckLog, 'last'>;
  forget: Forget;
}

interface HouseholdSkillsOptions extends SelfFacts {
  language: Language;
  stores: SkillStores;
  timeZone: string;
  timers: TimerStore;
  announcements: Announcements;
  /** The household's steady time in ms. Default: the steady time of this machine. */
  steady?: () => number;
  /** Current state of the engines. Undefined: this process has none. */
  engines?: () => readonly EngineStatus[];
  /** The household's lists, including those of another program. */
  lists?: ListStore;
  /** Rooms without a satellite, such as those of Home Assistant. */
  rooms?: () => readonly string[];
  /** The next times of the sun; null: nothing knows them. */
  sunTimes?: ((signal: AbortSignal) => Promise<SunTimes | null>) | null;
  /** The answer of the house to a question that timers may answer too: "what is running". */
  atHome?: AnswerFromHouse | null;
  /** Skills for devices that only some households have. */
  more?: readonly Skill[];
}

export interface HouseholdSkills {
  /** In the order in which they are asked. */
  skills: readonly Skill[];
  /** Skills that come after all other responders, including the house. */
  lastSkills: readonly Skill[];
  grammar: ReturnType<typeof createGrammar>;
  numbers: NumberReader;
  pendingQuestions: HouseholdQuestions;
  lists: ListStore;
  listTalk: ListTalk;
  toldJokes: ToldJokes;
  timerSkill: TimerSkill;
  /** Null: the language lacks it. */
  announceSkill: AnnounceSkill | null;
  undoTurn: ReturnType<typeof createTurnUndo>;
  /** Names that people may say now. */
  thereNow: () => Promise<Pick<KnownNames, 'lists' | 'timers'>>;
}

/** Creates all skills. A new skill needs a file, sentences in each language, and a line here. */
export function createHouseholdSkills({
  language,
  stores,
  timeZone,
  timers,
  announcements,
  version,
  settings,
  steady = Date.now,
  engines = () => [],
  lists = stores.ownLists,
  rooms = () => [],
  sunTimes = null,
  atHome = null,
  more = [],
}: HouseholdSkillsOptions): HouseholdSkills {
  const { files } = language;
  const numbers = language.rules.createNumberReader(language.numbers);
  const { pendingQuestions, actions, notes, there } = stores;
  const canRing = createCanRing({ there, steady });
  const grammar = createGrammar(language.grammar);
  const isQuestion = (text: string) => grammar.beginsToAsk(grammar.readWords(text));
  const house = async () => {
    const [connected, seen] = await Promise.all([there.all(steady()), there.seen()]);
    const roomsOf = (places: readonly { room: string | null }[]) => places.flatMap(({ room }) => room ?? []);
    return { ringing: roomsOf(connected), all: [...roomsOf(connected), ...roomsOf(seen), ...rooms()] };
  };
  const timerSkill = createTimerSkill({
    files,
    numbers,
    timeZone,
    timers,
    pendingQuestions,
    done: actions,
    canRing,
    isQuestion,
    grammar,
    house,
    sunTimes,
    atHome,
  });
  const listsSkills = createListsSkills({
    files,
    numbers,
    pendingQuestions,
    lists,
    defaultList: () => settings.current().default_list,
    actions,
    grammar,
  });
  const announceSkill = hasSkill(files, 'announce')
    ? createAnnounceSkill({ files, pendingQuestions, announcements, notes, readWords: grammar.readWords })
    : null;
  /** A skill that the language may lack. */
  const ifKnown = (name: string, create: () => Skill): Skill[] => (hasSkill(files, name) ? [create()] : []);
  const skills: Skill[] = [
    createTalkSkill({ files, pendingQuestions, quiet: timerSkill.quiet, askAgain: timerSkill.askAgain }),
    createClockSkill({ files, numbers, timeZone, read: timerSkill.talk.read }),
    ...ifKnown('sums', () => createSumsSkill({ files, numbers })),
    ...ifKnown('units', () => createUnitsSkill({ files, numbers, readWords: grammar.readWords })),
    ...ifKnown('spelling', () => createSpellingSkill({ files })),
    ...ifKnown('chance', () => createChanceSkill({ files, numbers })),
    ...ifKnown('jokes', () => createJokesSkill({ files, told: stores.toldJokes })),
    listsSkills.lists,
    timerSkill,
    ...(announceSkill ? [announceSkill] : []),
    ...ifKnown('stopwatch', () =>
      createStopwatchSkill({
        files,
        stopwatches: stores.stopwatches,
        notes,
        steady,
        sayDuration: timerSkill.talk.say.duration,
      }),
    ),
    ...ifKnown('speaker', () =>
      createSpeakerSkill({
        files,
        numbers,
        timeZone,
        speakers: stores.speakers,
        notes,
        speakerOf: createSpeakerFinder({ there, steady }),
        steady,
        talk: timerSkill.talk,
        quiet: timerSkill.quiet,
        pendingQuestions,
        readWords: grammar.readWords,
      }),
    ),
    ...ifKnown('self', () => createSelfSkill({ files, version, settings, notes })),
    ...ifKnown('check', () => createCheckSkill({ files, lastCheck: stores.checks.last, engines })),
    ...more,
    ...ifKnown('forget', () => createForgetSkill({ files, forget: stores.forget })),
  ];
  const { quiet, cancelLast: cancelTimers, cancelTold } = timerSkill;
  skills.push(
    createUndoSkill({ files, timeZone, skills, actions, pendingQuestions, quiet, cancelTimers, cancelTold }),
  );
  skills.push(createYesNoSkill({ files, pendingQuestions, skills, quiet: timerSkill.quiet }));
  skills.push(createHelpSkill({ files, pendingQuestions, skills: [...skills] }));
  return {
    skills,
    lastSkills: [listsSkills.followUps],
    grammar,
    numbers,
    pendingQuestions,
    lists,
    listTalk: listsSkills.talk,
    toldJokes: stores.toldJokes,
    timerSkill,
    announceSkill,
    undoTurn: createTurnUndo({ actions, skills, settings: settings.current }),
    // Reads only the lists in Redis, because another program may be slow.
    thereNow: async () => {
      const [lists, running] = await Promise.all([listsNow(stores.ownLists), timersNow(timers)]);
      return { lists, timers: running };
    },
  };
}

/** Maximum number of list names in the hint. With more, recognition hears names that no one said. */
const maxLists = 4;

/** The names of the running timers, newest last. */
async function timersNow(timers: TimerStore): Promise<string[]> {
  const running = (await timers.all()).toSorted((one, other) => one.setAt - other.setAt);
  return running.flatMap(({ kind, label }) => (label === null || kind === 'command' ? [] : [label]));
}

async function listsNow(lists: ListStore): Promise<{ name: string; items: string[] }[]> {
  const names = await lists.names();
  return Promise.all(
    names.slice(-maxLists).map(async ({ key, name }) => ({
      name,
      items: (await lists.read(key)).map(({ text }) => text),
    })),
  );
}
