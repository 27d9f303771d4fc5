import type { Timer } from '../../../timers/timer.ts';
import type { Ask, SkillReply } from '../../core/skill.ts';
import { isOpen, type OpenTimer, type WhichTimer } from './timer-asks.ts';
import type { TimerChanging } from './timer-changing.ts';
import type { TimerMaking } from './timer-making.ts';
import { timerMoment } from './timer-names.ts';
import type { TimerOpenQuestion } from './timer-open-question.ts';
import { idByAge } from './timer-plan.ts';
import type { TimerQuestions } from './timer-questions.ts';
import type { TimerRepeating } from './timer-repeating.ts';
import type { TimerSetting } from './timer-setting.ts';
import type { TimerSeveral } from './timer-several.ts';
import type { TimerSkipping } from './timer-skipping.ts';
import { type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerSteps, TimerStepsOptions } from './timer-steps.ts';
import type { TimerWords } from './timer-words.ts';

const { asksBack, does } = timerIntents;

const daily = 'FREQ=DAILY';

/**
 * Picks the id of a timer among those that the question listed. Of timers that are gone, only the id is
 * known.
 */
type Picking = (offered: { all: readonly Timer[]; ids: readonly string[] }) => string | undefined;

interface TimerAnsweringOptions extends Pick<TimerStepsOptions, 'actions' | 'choice' | 'reply'> {
  steps: TimerSteps;
  changing: Pick<TimerChanging, 'moveTo' | 'correctSaid' | 'correctUnit'>;
  making: Pick<TimerMaking, 'answerRoom'>;
  setting: Pick<TimerSetting, 'answerTo' | 'intents'>;
  questions: Pick<TimerQuestions, 'left'>;
  read: Pick<TimerWords, 'names'>;
  repeating: Pick<TimerRepeating, 'answerTo' | 'repeatIt'>;
  several: Pick<TimerSeveral, 'answerTo'>;
  open: TimerOpenQuestion;
  skipping: Pick<TimerSkipping, 'ask' | 'skip' | 'moveOnce' | 'moveAll'>;
}

/** Answers pending questions: which timer, and when. Without a pending question, it declines. */
export function createTimerAnswering(options: TimerAnsweringOptions) {
  const { changing, choice, steps, reply, making, setting, repeating, several, open } = options;
  const named = createNamedAlone(options);
  const { chosen, chosenBy, chosenAll } = createWhichAnswers(options);
  const questionBefore = open.last;
  const answer = does(async (ask, said) => {
    const question = await questionBefore(ask);
    if (!question) return changing.correctSaid(ask, said);
    if (question.kind === 'timer.which') return chosen(question, ask, said);
    if (question.kind === 'timer.series') return onDay(ask, said);
    if (question.kind === 'timer.move') return changing.moveTo(ask, question.id, said.answered);
    if (!isOpen(question)) return null;
    if (isRecurring(question)) return repeating.answerTo(question, ask, said);
    const moment = said.answered?.moment;
    return moment?.soon || moment?.isOwnTime ? open.askAgain(ask) : setting.answerTo(question, ask, said);
  });
  const answerBy =
    ({ answerTo }: { answerTo: TimerSeveral['answerTo'] }) =>
    async (ask: Ask, said: TimerSaid): Promise<string | null> => {
      const question = await questionBefore(ask);
      if (!question || !isOpen(question)) return null;
      return isRecurring(question) ? repeating.answerTo(question, ask, said) : answerTo(question, ask, said);
    };
  const answerAgain = answerBy(repeating);
  const ofWhich = (act: (question: WhichTimer, ask: Ask) => Promise<string | null>) => async (ask: Ask) => {
    const question = await questionBefore(ask);
    return question?.kind === 'timer.which' ? act(question, ask) : null;
  };
  const { once, series, onDay, everyTime } = createSeriesAnswers(options);

  /** All timers that the question was about. */
  const everyOne = async (ask: Ask): Promise<string | null> => {
    const question = await questionBefore(ask);
    return question?.kind === 'timer.all' ? steps.takeAll(ask, question) : null;
  };

  /** The room for timers that cannot ring in the named one, or for one whose time is still open. */
  const whichRoom = async (ask: Ask, { room }: TimerSaid): Promise<string | null> => {
    const question = await questionBefore(ask);
    const named = room ?? ask.turn.room;
    if (!question || named === null) return null;
    if (question.kind === 'timer.which_room') return making.answerRoom(ask, named, question.timers);
    return open.askAgain(ask, { room: named });
  };

  const pickedBy = (pick: Picking) => ofWhich((question, ask) => chosenBy(question, ask, pick));
  const picked = (pick: Picking) => does(pickedBy(pick));

  const replies = {
    answer,
    answer_again: does(answerAgain),
    answer_several: does(answerBy(several)),
    answer_vague: asksBack((ask) => open.askAgain(ask)),
    which: does(async (ask, said) => (await answer.answer(ask, said)) ?? named(ask, said)),
    which_room: does(whichRoom),
    series_once: does(once),
    series_day: does(onDay),
    which_all: does(async (ask) => (await series(ask)) ?? (await everyOne(ask)) ?? ofWhich(chosenAll)(ask)),
    series_all: does(series),
    which_first: does(async (ask) => (await once(ask)) ?? pickedBy(({ ids }) => ids[0])(ask)),
    which_second: picked(({ ids }) => ids[1]),
    which_third: picked(({ ids }) => ids[2]),
    // Only with two timers: of three, "the other one" could be either of the rest.
    which_other: picked(({ ids }) => (ids.length === 2 ? ids[1] : undefined)),
    which_last: picked(({ ids }) => ids.at(-1)),
    which_oldest: picked(({ all }) => idByAge(all, 0)),
    which_newest: picked(({ all }) => idByAge(all, -1)),
  };
  return {
    ...Object.fromEntries(
      Object.entries(replies).map(([name, intent]) => [name, { ...intent, isReply: true as const }]),
    ),
    // "I meant seconds" answers the question for the unit, or corrects the timer just set.
    correct_unit: does(
      async (ask, said) => (await answer.answer(ask, said)) ?? changing.correctUnit(ask, said),
    ),
    // "Every Monday" answers a question, or repeats the timer just set.
    repeat_it: does(async (ask, said) => {
      // "Set an alarm to go off every five minutes" means a new one.
      if (choice.saidIn(said)?.isIndefinite) return reply('no_repeats', {}, ask.turn);
      const answered = (await everyTime(ask, said)) ?? (await answerAgain(ask, said));
      return answered ?? repeating.repeatIt(ask, said);
    }),
  };
}

/** Answers "only the next one, or all?", and makes the change. Each returns null without that question. */
function createSeriesAnswers({
  actions,
  choice,
  open,
  skipping,
}: Pick<TimerAnsweringOptions, 'actions' | 'choice' | 'open' | 'skipping'>) {
  /** One occurrence of a repeating timer, or all of them. */
  const ofSeries =
    (act: (timer: Timer, ask: Ask, at?: number) => Promise<string | null>) => async (ask: Ask) => {
      const question = await open.last(ask);
      if (question?.kind !== 'timer.series') return null;
      const timer = (await choice.active()).find(({ id }) => id === question.id);
      return timer ? act(timer, ask, question.moveTo) : null;
    };
  const once = ofSeries((timer, ask, at) =>
    at === undefined ? skipping.skip(ask, timer) : skipping.moveOnce(ask, timer, at),
  );
  const series = ofSeries((timer, ask, at) =>
    at === undefined ? actions.cancel(ask, [timer]) : skipping.moveAll(ask, timer, at),
  );

  /** The next occurrence, named by its day: "just Monday". Null: it is on another day. */
  const onDay = async (ask: Ask, { answered }: TimerSaid): Promise<string | null> => {
    const said = answered?.moment && timerMoment(answered.moment);
    if (!said?.date || said.time !== null) return null;
    const meant = { kind: 'timer', label: null, duration: null, ...said } as const;
    return ofSeries(async (timer) => {
      const next = { ...timer, repeats: undefined };
      const isNext = choice.meant([next], { ...meant, kind: timer.kind }, ask).length > 0;
      return isNext ? once(ask) : null;
    })(ask);
  };

  /** All occurrences, named by their rule: "every weekday". Another rule is no answer. */
  const everyTime = async (ask: Ask, { which, every }: TimerSaid): Promise<string | null> =>
    ofSeries((timer, _, at) => {
      const isWhole = every?.rule === timer.repeats?.rule || every?.rule === daily;
      return which === null && isWhole ? series(ask) : skipping.ask(ask, timer, at);
    })(ask);

  return { once, series, onDay, everyTime };
}

/** Whether the question asks for the days of a repetition, so that a single day means every week. */
function isRecurring(question: OpenTimer): boolean {
  return question.kind !== 'timer.how_long' && question.isRecurring === true;
}

/** "Green tea timer" without a pending question: an existing timer, or a new one. */
function createNamedAlone({
  open,
  questions,
  read,
  setting,
}: Pick<TimerAnsweringOptions, 'open' | 'questions' | 'read' | 'setting'>) {
  return async (ask: Ask, said: TimerSaid): Promise<SkillReply | null> => {
    const { which } = said;
    if (!which || which.kind !== 'timer' || which.label === null || (await open.last(ask))) return null;
    const { duration, time, date, state, isSoonest } = which;
    if (duration ?? time ?? date ?? state ?? (isSoonest || null)) return null;
    const slots = { ...said, which: null, name: read.names.labelIn(ask.turn.text, which.before ?? []) };
    return (await questions.left.answer(ask, slots)) ?? setting.intents.set_open.answer(ask, slots);
  };
}

/** Reads the answer to "which timer?", and makes the change. */
function createWhichAnswers({
  actions,
  choice,
  steps,
}: Pick<TimerAnsweringOptions, 'actions' | 'choice' | 'steps'>) {
  /** The requested change, and the timers that it may apply to. */
  const offered = async ({ step, ids }: WhichTimer) => {
    const active = await choice.active();
    // In the order in which the question listed them, even if their times have changed.
    const all = ids.flatMap((id) => active.find((timer) => timer.id === id) ?? []);
    return all.length > 0 ? { step, all, ids } : null;
  };

  /** An answer that names the timer. */
  const chosen = async (question: WhichTimer, ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const found = await offered(question);
    const kind = found?.all[0]?.kind;
    if (!found || !kind) return null;
    const { duration, time } = slots;
    const said = { label: null, duration, time, ...choice.saidIn(slots), kind };
    const fitting = choice.meant(found.all, said, ask);
    const { step } = found;
    const [timer] = fitting;
    if (fitting.length === 1 && timer) return steps.take(ask, timer, step);
    if (fitting.length > 1) return steps.takeOne(ask, fitting, step);
    return `${choice.none(said, ask)} ${await choice.askWhich(ask, found.all, step)}`;
  };

  /** An answer by position or age: the first, the oldest. */
  const chosenBy = async (question: WhichTimer, ask: Ask, pick: Picking): Promise<string | null> => {
    const found = await offered(question);
    if (!found) return null;
    const { step, all } = found;
    const picked = pick(found);
    const timer = all.find(({ id }) => id === picked);
    // That timer is gone by now, and the answer meant no other.
    return timer ? steps.take(ask, timer, step) : choice.askWhich(ask, all, step);
  };

  const chosenAll = async (question: WhichTimer, ask: Ask): Promise<string | null> => {
    const found = await offered(question);
    const how = found?.step.how;
    return how === 'cancel' || how === 'pause' || how === 'resume'
      ? actions[how](ask, found?.all ?? [])
      : null;
  };

  return { chosen, chosenBy, chosenAll };
}
