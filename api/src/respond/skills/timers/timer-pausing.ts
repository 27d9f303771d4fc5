import { withCapital } from '../../../language/capitals.ts';
import { isNear, type Timer } from '../../../timers/timer.ts';
import type { TimerStore } from '../../../timers/timer-store.ts';
import type { Ask } from '../../core/skill.ts';
import { placeOf } from './timer-actions.ts';
import type { SaidTimer } from './timer-names.ts';
import { type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerSteps, TimerStepsOptions } from './timer-steps.ts';

const { does } = timerIntents;

/** How long "pause it" refers to the timer just set here, not to the music. */
const justSetMs = 2 * 60_000;

interface TimerPausingOptions extends Pick<TimerStepsOptions, 'actions' | 'choice' | 'reply' | 'say'> {
  steps: Pick<TimerSteps, 'takeOne' | 'takeSeveral'>;
  timers: Pick<TimerStore, 'ringing'>;
}

/** Pauses and resumes timers. If several match, it asks which. */
export function createTimerPausing({ actions, choice, steps, timers, reply, say }: TimerPausingOptions) {
  const isJustSet = (timer: Timer, ask: Ask): boolean =>
    timer.kind === 'timer' && ask.turn.createdAt - timer.setAt <= justSetMs && isNear(timer, placeOf(ask));

  /** "It" is the timer that this conversation has just changed, else those just set here. */
  const lastHere = async (all: readonly Timer[], ask: Ask): Promise<Timer[]> => {
    const changed = await choice.justChanged(
      all.filter(({ kind }) => kind === 'timer'),
      ask,
    );
    return changed.length > 0 ? changed : all.filter((timer) => isJustSet(timer, ask));
  };

  /** The state of a timer that needs no change. */
  const standing = (timer: Timer, { turn }: Ask): string => {
    const [called, now] = [withCapital(say.called(timer)), turn.createdAt];
    if (timer.state === 'ringing') return reply('rings_now', { timer: called }, turn);
    if (timer.state === 'paused') return reply('paused', { timer: called, left: say.left(timer, now) }, turn);
    return reply('left', { left: withCapital(say.left(timer, now)), timer: say.called(timer) }, turn);
  };

  const unpaused = (meant: readonly Timer[], ask: Ask): string | null => {
    const [first] = meant;
    if (first?.kind === 'timer') return standing(first, ask);
    return reply('no_pause', { timers: say.allStanding(meant, ask.turn.createdAt) }, ask.turn);
  };

  /** "Can you pause timers?" is a question about abilities. */
  const isAboutAny = (slots: TimerSaid): boolean => choice.saidIn(slots)?.several === 'any';

  /** Silences one of these that rings here: it cannot pause, and people want silence. */
  const silences = async (ask: Ask, said: SaidTimer): Promise<boolean> => {
    const ringing = choice.meant(await timers.ringing(placeOf(ask)), said, ask);
    return ringing.length > 0 && (await actions.acknowledge(ask));
  };

  const pauseOne = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const said = choice.saidIn(slots);
    const isSilent = said !== null && !isAboutAny(slots) && (await silences(ask, said));
    return isSilent ? reply('quiet', {}, ask.turn) : pause(ask, slots);
  };

  /** No timer has the length in "pause the alarm for an hour". */
  const noneOf = (ask: Ask, { lasting, spanLength }: TimerSaid, none: string): string =>
    lasting || spanLength ? reply('no_pause_for', {}, ask.turn) : none;

  const pause = async (ask: Ask, slots: TimerSaid, isAll = false): Promise<string | null> => {
    const said = choice.saidIn(slots);
    if (isAboutAny(slots) && !isAll) return null;
    const all = await choice.active();
    const meant = said ? choice.meant(all, said, ask) : await lastHere(all, ask);
    const running = meant.filter(({ state }) => state === 'running');
    const [first] = meant;
    if (!first) return said && noneOf(ask, slots, choice.none(said, ask, all));
    if (running.length === 0 || first.kind !== 'timer') return unpaused(meant, ask);
    if (isAll || said?.several) return steps.takeSeveral(ask, running, 'pause');
    return steps.takeOne(ask, running, { how: 'pause', ms: 0 });
  };

  /** The matching timers that are paused. */
  const pausedOf = async (ask: Ask, slots: TimerSaid): Promise<Timer[]> => {
    const said = choice.saidOf(slots, choice.saidIn(slots)?.kind ?? 'timer');
    const paused = (await choice.active()).filter(({ state }) => state === 'paused');
    return [...choice.meant(paused, said, ask)];
  };

  /** Null: no matching timer is paused. */
  const resume = async (ask: Ask, slots: TimerSaid, isAll = false): Promise<string | null> => {
    if (isAboutAny(slots) && !isAll) return null;
    const paused = await pausedOf(ask, slots);
    if (paused.length === 0) return null;
    if (isAll || choice.saidIn(slots)?.several) return actions.resume(ask, paused);
    return steps.takeOne(ask, paused, { how: 'resume', ms: 0 });
  };

  const resumeOr = async (ask: Ask, slots: TimerSaid, isAll = false): Promise<string | null> => {
    const resumed = await resume(ask, slots, isAll);
    const said = choice.saidIn(slots);
    if (resumed !== null || said === null || (isAboutAny(slots) && !isAll)) return resumed;
    const all = await choice.active();
    const [first] = choice.meant(all, said, ask);
    if (!first) return choice.none(said, ask, all);
    return first.kind === 'timer' ? standing(first, ask) : null;
  };

  /** "Resume" alone. Null: this conversation has not just paused a timer, so something else is meant. */
  const resumeLast = async (ask: Ask): Promise<string | null> => {
    const paused = (await choice.active()).filter(({ state }) => state === 'paused');
    const last = await choice.justChanged(paused, ask);
    return last.length === 0 ? null : actions.resume(ask, last);
  };

  return {
    intents: {
      resume_last: does(resumeLast),
      pause: does(pauseOne),
      pause_all: does((ask, slots) => pause(ask, slots, true)),
      resume: does((ask, slots) => resumeOr(ask, slots)),
      resume_all: does((ask, slots) => resumeOr(ask, slots, true)),
    },
    resume: (ask: Ask, slots: TimerSaid) => resume(ask, slots),
  };
}
