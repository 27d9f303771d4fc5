import type { Timer } from '../../../timers/timer.ts';
import type { NewTime, TimerStore } from '../../../timers/timer-store.ts';
import type { Ask } from '../skill.ts';
import type { SayReply } from '../skill-language.ts';
import { placeOf, type TimerActions } from './timer-actions.ts';
import type { Step, WhichTimer } from './timer-asks.ts';
import type { TimerChoice } from './timer-choice.ts';
import type { TimerSetting } from './timer-setting.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

/** How long it is quiet after a "snooze" that says no time. */
const snoozeMs = 5 * 60_000;

/** Which of the timers that were told is meant, by its id: they are there still, or only their ids are known. */
export type Picking = (told: { all: readonly Timer[]; ids: readonly string[] }) => string | undefined;

interface TimerChangingOptions {
  actions: TimerActions;
  choice: TimerChoice;
  setting: TimerSetting;
  timers: TimerStore;
  read: TimerWords;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
}

export type TimerChanging = ReturnType<typeof createTimerChanging>;

/** Changes, silences and puts off timers that there are. */
export function createTimerChanging(options: TimerChangingOptions) {
  const { actions, choice, setting, timers, read, reply, say } = options;

  const toldChange = (timer: Timer, { turn }: Ask): string => {
    const now = turn.createdAt;
    const values = { name: say.newName(timer), left: say.left(timer, now), when: say.when(timer.dueAt, now) };
    return reply(timer.kind === 'timer' ? 'changed' : 'changed_at', values, turn);
  };

  const take = async (ask: Ask, timer: Timer, step: Step): Promise<string> => {
    if (step.how === 'cancel') return actions.cancel(ask, [timer]);
    const near =
      step.how === 'at'
        ? setting.dueAt(ask, [...ask.words('until'), ...ask.words('made')], nearTo(timer))
        : step.ms;
    const meant = typeof near === 'number' ? { ...step, ms: near } : step;
    const changed = await actions.change(ask, timer, newTime(timer, meant, ask.turn.createdAt));
    return 'refusal' in changed ? changed.refusal : toldChange(changed, ask);
  };

  /** With the only timer that is meant; where several may be, asks which. */
  const takeOne = async (ask: Ask, found: readonly Timer[], step: Step): Promise<string> => {
    const timer = step.how === 'cancel' && found.length > 1 ? null : choice.only(found, ask);
    if (timer) return take(ask, timer, step);
    return choice.askWhich(ask, found, step);
  };

  const cancelOne = (ask: Ask, found: readonly Timer[]): Promise<string> =>
    takeOne(ask, found, { how: 'cancel', ms: 0 });

  const ringingHere = (ask: Ask) => timers.ringing(placeOf(ask));

  /** The timers that a change may be meant for: by their name, what rings here, or all of a kind. */
  const changeable = async (ask: Ask, step: Step): Promise<readonly Timer[]> => {
    const said = choice.saidIn(ask);
    const all = await choice.active();
    if (said) return choice.matching(all, said);
    const ringing = await ringingHere(ask);
    if (ringing.length > 0) return ringing.slice(0, 1);
    const ofTime = all.filter(({ kind }) => (kind === 'timer') === (step.how !== 'at'));
    return ofTime;
  };

  /** "Can you change timers?" asks, and wants none changed. */
  const isAboutAny = (ask: Ask): boolean => choice.saidIn(ask)?.several === 'any';

  const change = async (ask: Ask): Promise<string | null> => {
    if (isAboutAny(ask)) return null;
    const step = stepOf(ask);
    if (ask.words('reset').length > 0 && (await isNew(ask))) return setting.reset(ask);
    if (step === null) return null;
    if ('refusal' in step) return step.refusal;
    const found = await changeable(ask, step);
    if (found.length > 0) return takeOne(ask, found, step);
    const said = ask.words('which').length > 0 ? choice.saidIn(ask) : null;
    return said && choice.none(said, ask);
  };

  /** "Set the timer to five minutes" is a new one, unless it has the name of one that there is. */
  const isNew = async (ask: Ask): Promise<boolean> => {
    const said = choice.saidIn(ask);
    return (
      said?.label === null || (said !== null && choice.matching(await choice.active(), said).length === 0)
    );
  };

  const stepOf = (ask: Ask): Step | { refusal: string } | null => {
    const ms = (slot: string) => read.durations.read(ask.words(slot), 0)?.value.ms ?? null;
    const [more, less, to] = [ms('more') ?? ms('add'), ms('less'), ms('to') ?? ms('reset')];
    if (more !== null) return { how: 'more', ms: more };
    if (less !== null) return { how: 'more', ms: -less };
    if (to !== null) return { how: 'to', ms: to };
    const due = setting.dueAt(ask, ask.words('until'), { purpose: 'alarm' });
    return typeof due === 'number' ? { how: 'at', ms: due } : due;
  };

  /** "Make the timer ten minutes" is meant for the one that there is. Null: there is none. */
  const remake = async (ask: Ask): Promise<string | null> => {
    const words = ask.words('made');
    if (words.length === 0) return null;
    const ms = read.durations.read(words, 0)?.value.ms;
    const kind = ms === undefined ? 'alarm' : 'timer';
    const said = choice.saidOf(ask, kind);
    const found = choice.matching(await choice.active(), said);
    if (found.length === 0) return null;
    return takeOne(ask, found, ms === undefined ? { how: 'at', ms: 0 } : { how: 'to', ms });
  };

  const restart = async (ask: Ask): Promise<string | null> => {
    const said = choice.saidIn(ask);
    if (!said || isAboutAny(ask)) return null;
    const found = choice
      .matching(await choice.active(), said)
      .filter(({ durationMs }) => durationMs !== null);
    return found.length > 0 ? takeOne(ask, found, { how: 'restart', ms: 0 }) : choice.none(said, ask);
  };

  const pause = async ({ turn }: Ask): Promise<string | null> =>
    (await choice.active()).length > 0 ? reply('no_pause', {}, turn) : null;

  const quiet = async (ask: Ask): Promise<string | null> =>
    (await actions.acknowledge(ask)) ? reply('quiet', {}, ask.turn) : null;

  const snooze = async (ask: Ask): Promise<string | null> => {
    const [timer] = await ringingHere(ask);
    // "Remind me again in an hour" may be said when nothing rings.
    if (!timer && ask.words('again').length > 0) return setting.remind(ask);
    if (!timer) return ask.words('wake').length > 0 ? setting.wake(ask) : null;
    const said = ['duration', 'more'].flatMap(
      (slot) => read.durations.read(ask.words(slot), 0)?.value.ms ?? [],
    );
    const now = ask.turn.createdAt;
    const due =
      setting.dueAt(ask, [...ask.words('at'), ...ask.words('again'), ...ask.words('wake')], {
        purpose: 'alarm',
      }) ?? now + (said[0] ?? snoozeMs);
    if (typeof due !== 'number') return due.refusal;
    const changed = await actions.change(ask, timer, { dueAt: due });
    if ('refusal' in changed) return changed.refusal;
    return reply('snoozed', { left: say.left(changed, now) }, ask.turn);
  };

  /** What was asked for, and the timers that it may be meant for. */
  const offered = async ({ step, ids }: WhichTimer) => {
    const active = await choice.active();
    // In the order in which they were told, whatever has become of their times.
    const all = ids.flatMap((id) => active.find((timer) => timer.id === id) ?? []);
    return all.length > 0 ? { step, all, ids } : null;
  };

  /** The answer to which timer is meant, by its name. */
  const chosen = async (question: WhichTimer, ask: Ask): Promise<string | null> => {
    const found = await offered(question);
    const kind = found?.all[0]?.kind;
    if (!found || !kind) return null;
    const duration = read.durations.read(ask.words('duration'), 0)?.value ?? null;
    const time = read.moments.readBare(ask.words('time'), 0)?.value.time ?? null;
    const said = { label: null, duration, time, ...choice.saidIn(ask), kind };
    const meant = choice.matching(found.all, said);
    const [timer] = meant;
    if (meant.length === 1 && timer) return take(ask, timer, found.step);
    return meant.length > 1 ? takeOne(ask, meant, found.step) : choice.none(said, ask);
  };

  /** The answer to which timer is meant, by its place or its age: the first, the oldest. */
  const chosenBy = async (question: WhichTimer, ask: Ask, pick: Picking): Promise<string | null> => {
    const found = await offered(question);
    if (!found) return null;
    const { step, all } = found;
    const picked = pick(found);
    const timer = all.find(({ id }) => id === picked);
    // It has gone meanwhile, and no other was meant.
    return timer ? take(ask, timer, step) : choice.askWhich(ask, all, step);
  };

  const chosenAll = async (question: WhichTimer, ask: Ask): Promise<string | null> => {
    const found = await offered(question);
    return found?.step.how === 'cancel' ? actions.cancel(ask, found.all) : null;
  };

  return {
    change,
    remake,
    restart,
    cancelOne,
    pause,
    quiet,
    snooze,
    chosen,
    chosenBy,
    chosenAll,
  };
}

const nearTo = (timer: Timer) => ({ purpose: 'alarm', near: timer.dueAt }) as const;

/** The time that a timer gets. What rings already counts from now. */
function newTime(timer: Timer, step: Step, now: number): NewTime {
  if (step.how === 'at') return { dueAt: step.ms };
  if (step.how === 'to') return { dueAt: now + step.ms, durationMs: step.ms };
  if (step.how === 'restart') return { dueAt: now + (timer.durationMs ?? 0) };
  const durationMs = timer.durationMs === null ? null : timer.durationMs + step.ms;
  if (timer.state === 'ringing') return { dueAt: now + step.ms, durationMs };
  return { dueAt: timer.dueAt + step.ms, durationMs };
}
