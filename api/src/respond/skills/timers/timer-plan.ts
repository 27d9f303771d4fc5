import type { NewTimer, Timer } from '../../../timers/timer.ts';
import type { NewTime } from '../../../timers/timer-records.ts';
import type { TextTurn } from '../../core/responder.ts';
import { manners, type TimerStep } from './timer-asks.ts';
import type { TimerSaid } from './timer-slots.ts';

/** The requested timer, without the place and time of the request. */
export type RequestedTimer = Pick<NewTimer, 'kind' | 'label' | 'dueAt' | 'durationMs' | 'by' | 'repeats'>;

interface Asked {
  turn: Pick<TextTurn, 'room' | 'conversation' | 'createdAt'>;
  isRoom: (name: string) => boolean;
}

/** A new timer at the place of the request, or in the room of its name. */
export function newTimer(wanted: RequestedTimer, { turn, isRoom }: Asked): NewTimer {
  const { label } = wanted;
  const from = { client: turn.conversation, setAt: turn.createdAt };
  // "the kitchen timer" is the one in the kitchen.
  const inLabel = label !== null && isRoom(label) ? label : null;
  const room = inLabel?.toLowerCase() ?? turn.room;
  return { ...wanted, ...from, label: inLabel === null ? label : null, room };
}

/** The change to a timer as a length. Null: the person gave a clock time, or none. */
export function stepIn({
  more,
  less,
  newLength,
}: Pick<TimerSaid, 'more' | 'less' | 'newLength'>): TimerStep | null {
  if (more) return { how: 'more', ms: more.ms };
  if (less) return { how: 'more', ms: -less.ms };
  return newLength && { how: 'to', ms: newLength.ms };
}

/** The new time of a timer. A ringing one counts from now. */
export function changedTime(
  timer: Pick<Timer, 'dueAt' | 'durationMs' | 'state' | 'leftMs'>,
  { how, ms }: TimerStep,
  now: number,
): NewTime {
  if (how === 'at') return { dueAt: ms, by: 'clock' };
  if (how === 'restart') return { dueAt: now + (timer.durationMs ?? 0), by: 'length' };
  const pausedWith = (leftMs: number) => (timer.leftMs === undefined ? {} : { leftMs });
  if (how === 'to') return { dueAt: now + ms, durationMs: ms, by: 'length', ...pausedWith(ms) };
  const durationMs = timer.durationMs === null ? null : timer.durationMs + ms;
  if (timer.leftMs !== undefined) {
    const leftMs = timer.leftMs + ms;
    return { dueAt: now + leftMs, durationMs, ...pausedWith(leftMs) };
  }
  if (timer.state === 'ringing') return { dueAt: now + ms, durationMs, by: 'length' };
  return { dueAt: timer.dueAt + ms, durationMs };
}

/** The subject of a reminder, and the word before it. */
export function aboutIn(said: Pick<TimerSaid, (typeof manners)[number]>) {
  const manner = manners.find((each) => said[each] !== null);
  return manner ? { manner, words: said[manner] ?? [] } : null;
}

/** The oldest listed timer is at 0, the newest at -1. */
export function idByAge(all: readonly Pick<Timer, 'id' | 'setAt'>[], place: number): string | undefined {
  return all.toSorted((one, other) => one.setAt - other.setAt).at(place)?.id;
}
