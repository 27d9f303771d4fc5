import { createClock } from '../../../language/calendar/time-zones.ts';
import type { Grammar } from '../../../language/grammar/grammar.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import { rulesOf } from '../../../language/language.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import type { Place } from '../../../timers/timer.ts';
import type { TimerStore } from '../../../timers/timer-store.ts';
import type { HouseholdActions } from '../../core/household-actions.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import { type Ask, defineSkill, type Skill } from '../../core/skill.ts';
import { loadSkill } from '../../core/skill-language.ts';
import { createDateWords, loadClock } from '../clock/clock-language.ts';
import { createReminderText } from './reminder-text.ts';
import type { SunTimes } from './sun-reader.ts';
import { createTimerActions } from './timer-actions.ts';
import { createTimerAnswering } from './timer-answering.ts';
import { manners } from './timer-asks.ts';
import { createTimerBefore } from './timer-before.ts';
import { createTimerCancelling } from './timer-cancelling.ts';
import { createTimerChanging } from './timer-changing.ts';
import { createTimerChoice } from './timer-choice.ts';
import { createTimerChoosing } from './timer-choosing.ts';
import { createTimerDue } from './timer-due.ts';
import { createHearable, type Hearable } from './timer-hearable.ts';
import { createTimerLimits } from './timer-limits.ts';
import { createTimerMaking } from './timer-making.ts';
import { createTimerOpenQuestion } from './timer-open-question.ts';
import { createTimerPausing } from './timer-pausing.ts';
import { type AnswerFromHouse, createTimerQuestions } from './timer-questions.ts';
import { createTimerReminding } from './timer-reminding.ts';
import { createTimerRepeating } from './timer-repeating.ts';
import { createTimerRooms, type HouseRooms } from './timer-rooms.ts';
import { createTimerSetting } from './timer-setting.ts';
import { createTimerSeveral } from './timer-several.ts';
import { createTimerSilencing } from './timer-silencing.ts';
import { createTimerSkipping } from './timer-skipping.ts';
import { createTimerSlots, type TimerSaid, timerIntents } from './timer-slots.ts';
import { createTimerSteps, type TimerSteps, type TimerStepsOptions } from './timer-steps.ts';
import { createSunDue, createTimerSun } from './timer-sun.ts';
import { createTimerTeller, type TimerTeller } from './timer-telling.ts';
import { createTimerWords } from './timer-words.ts';
import { timersShape } from './timers-shape.ts';

const { does, tells } = timerIntents;

/** Sentences whose repetition may start or end on a day. */
const repeating: readonly string[] = [
  'wake_again',
  'wake_plans',
  'alarm_again',
  'alarm_plans',
  'remind_again',
  'remind_plans',
  'answer_again',
];

/** Sentences that may name the room in which a timer is to ring. */
const inRooms: readonly string[] = [
  'set',
  'set_until',
  'set_for_time',
  'set_open',
  'set_count',
  'several_timers',
  'several_alarms',
  'several_wake',
  'several_reminders',
  'alarms_apart',
  'reminders_apart',
  'wake',
  'alarm',
  'alarm_open',
  'remind',
  'remind_open',
  'remind_count',
  'wake_sun',
  'alarm_sun',
  'remind_sun',
  'answer',
  'answer_several',
  ...repeating,
];

interface TimersOptions {
  files: LanguageFiles;
  numbers: NumberReader;
  /** The household's own. */
  timeZone: string;
  timers: TimerStore;
  pendingQuestions: HouseholdQuestions;
  /** The earlier actions of the conversation. */
  done: Pick<HouseholdActions, 'latest'>;
  /** Whether any device rings for a timer set at a place. */
  canRing: (place: Place) => Promise<boolean>;
  /** Whether a text begins like a question. */
  isQuestion: (text: string) => boolean;
  grammar: Pick<Grammar, 'readWords' | 'choose'>;
  house: () => Promise<HouseRooms>;
  /** The next times of the sun, from Home Assistant; null: none is connected. */
  sunTimes?: ((signal: AbortSignal) => Promise<SunTimes | null>) | null;
  atHome?: AnswerFromHouse | null;
}

export interface TimerSkill extends Skill {
  /** Silences timers that ring in the speaker's room and says so. Null: none rings there. */
  quiet(ask: Ask): Promise<string | null>;
  /** Asks again for a time. Null: no such question is open. */
  askAgain(ask: Ask): Promise<string | null>;
  /** Cancels the timers that this conversation has just set or changed. Null: there are none. */
  cancelLast(ask: Ask): Promise<string | null>;
  /** Cancels the timer that the last sentence asked about. Null: there was none. */
  cancelTold(ask: Ask): Promise<string | null>;
  /** The same functions, for the tools of the language model. */
  talk: TimerTalk;
}

export type TimerTalk = Pick<
  Parameters<typeof createTimerCancelling>[0],
  'actions' | 'choice' | 'read' | 'reply'
> & {
  say: TimerTeller;
  hearable: Hearable;
  /** When a time of the sun is due. A string: the reply, because that is unknown. */
  sunDue: (ask: Ask, said: Pick<TimerSaid, 'sun' | 'when'>) => Promise<number | string>;
};

/** Timers, alarms and reminders. */
export function createTimerSkill(options: TimersOptions): TimerSkill {
  const { files, numbers, timeZone, timers, pendingQuestions, done, canRing } = options;
  const { isQuestion, house, sunTimes = null, atHome = null } = options;
  const { readWords, choose } = options.grammar;
  const { reply, words, ...language } = loadSkill(files, 'timers', timersShape);
  const clockWords = loadClock(files).words;
  const rules = rulesOf(files);
  const clock = createClock();
  const read = createTimerWords({ words, clockWords, numbers, rules });
  const say = createTimerTeller({
    words,
    dates: createDateWords(clockWords, rules),
    formOf: rules.formOf,
    clock,
    timeZone,
  });
  const actions = createTimerActions({ timers, reply, say });
  const here = { read, reply, say, clock, timeZone };
  const due = createTimerDue(here);
  const rooms = createTimerRooms({ words, isNameWord: read.names.isNameWord, house });
  const hearable = createHearable({
    canRing,
    warned: (text, turn) => reply('nothing_rings', { text }, turn),
  });
  const open = createTimerOpenQuestion({ pendingQuestions, isQuestion, reply });
  const making = createTimerMaking({ ...here, actions, pendingQuestions, due, hearable, rooms });
  const choice = createTimerChoice({
    ...{ ...here, timers, pendingQuestions, readWords },
    actions: done,
    nouns: words.nouns,
    formOf: rules.formOf,
  });
  const sunDue = createSunDue({ clock, timeZone, due, sunTimes });
  const limits = createTimerLimits({ words, intents: inRooms, reply });
  const reminding = createTimerReminding({ ...here, choice, limits, making, rooms });
  const setting = createTimerSetting({ ...here, choice, making, reminding, due });
  const repeated = createTimerRepeating({ ...here, actions, choice, making, rooms, words, readWords });
  const several = createTimerSeveral({ ...here, making, due, reminding, words });
  const questions = createTimerQuestions({ ...here, choice, due, atHome });
  const textIn = createReminderText({ read, rooms, choice });
  const skipping = createTimerSkipping({ ...here, actions, pendingQuestions });
  const steps = createTimerSteps({ ...here, actions, pendingQuestions, choice, due, skipping });
  const chosen = { ...here, actions, pendingQuestions, choice, due, steps, skipping };
  const pausing = createTimerPausing({ ...chosen, timers });
  const changing = createTimerChanging({ ...chosen, setting, timers, resume: pausing.resume });
  const silencing = createTimerSilencing({
    ...chosen,
    setting,
    reminding,
    timers,
    open,
    moreOfIt: changing.moreOfIt,
  });

  /** "Make it ten minutes" changes a timer if there is one. */
  const remakeOr = (set: (ask: Ask, said: TimerSaid) => Promise<string | null>) =>
    does(async (ask: Ask, said: TimerSaid) => (await changing.remake(ask, said)) ?? set(ask, said));

  const intents = limits.refuse({
    ...setting.intents,
    ...reminding.intents,
    ...repeated.intents,
    ...several.intents,
    ...createTimerBefore({ ...here, making, reminding, due, words }),
    ...createTimerSun({ ...here, making, reminding, sunDue, textIn }),
    set: remakeOr(setting.set),
    wake: remakeOr(setting.wake),
    alarm: remakeOr(setting.alarm),
    repeats: tells(({ turn }) => reply('no_repeats', {}, turn)),
    unwanted: tells(({ turn }) => reply('set_nothing', {}, turn)),
    unclear: tells(({ turn }) => reply('not_understood', {}, turn)),
    ...createTimerAnswering({
      ...{ ...chosen, changing, making, setting, several, open, questions },
      repeating: repeated,
    }),
    ...questions,
    ...changing.intents,
    ...pausing.intents,
    ...silencing.intents,
    ...createTimerCancelling({ ...chosen, timers, pendingQuestions }),
  });

  return {
    ...defineSkill({
      name: 'timers',
      ...language,
      slots: createTimerSlots(read),
      slotTypes: read.slotTypes,
      adjuncts: [
        ...limits.adjuncts,
        { slot: 'room', intents: inRooms, textSlots: [...manners, 'text', 'name'], find: rooms.find },
        { slot: 'starts', intents: [...repeating, 'repeat_it'], textSlots: [], find: read.bounds.starts },
        { slot: 'ends', intents: [...repeating, 'repeat_it'], textSlots: [], find: read.bounds.ends },
      ],
      intents,
      actions: actions.kinds,
      choose: createTimerChoosing({ ...chosen, open, readWords, choose }),
      onYes: {
        'timer.all': (question, ask) => steps.takeAll(ask, question),
      },
    }),
    quiet: silencing.quiet,
    askAgain: open.askAgain,
    ...createLastCancelling({ choice, actions, steps }),
    talk: {
      ...{ actions, choice, hearable, read, reply, say },
      async sunDue(ask, said) {
        const at = await sunDue(ask, said);
        return typeof at === 'number' ? at : reply(at, {}, ask.turn);
      },
    },
  };
}

/** Cancels the timers of the last action, and those of the last answer. */
function createLastCancelling({
  choice,
  actions,
  steps,
}: Pick<TimerStepsOptions, 'choice' | 'actions'> & {
  steps: Pick<TimerSteps, 'cancelOne'>;
}): Pick<TimerSkill, 'cancelLast' | 'cancelTold'> {
  return {
    async cancelLast(ask) {
      const last = await choice.justChanged(await choice.active(), ask);
      return last.length === 0 ? null : actions.cancel(ask, last);
    },
    async cancelTold(ask) {
      const mentioned = choice.justMentioned(await choice.active(), ask);
      return mentioned.length === 0 ? null : steps.cancelOne(ask, mentioned);
    },
  };
}
