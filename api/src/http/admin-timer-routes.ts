import { AppError } from '../errors.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import {
  type NewTimer,
  remainingMs,
  type Timer,
  type TimerFault,
  timerFault,
  timerLimits,
} from '../timers/timer.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import { nowOf } from '../timers/timer-time.ts';
import { isOwn, ownName } from './caller.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';
import { sharedConversation } from './turn-routes.ts';

interface TimerRoutes {
  timers: Pick<TimerStore, 'all' | 'set' | 'remove'>;
  clock?: HouseholdClock;
}

type TimerHandlers = Pick<Handlers, 'listTimers' | 'setTimer' | 'cancelTimer'>;

/** The household's timers, seen, set and cancelled by hand. */
export function adminTimerRoutes(options: TimerRoutes): TimerHandlers {
  const { timers, clock = machineClock } = options;
  const shown = (timer: Timer) => shownAt(timer, nowOf(timer, clock));
  return {
    async listTimers({ request: { caller } }) {
      const all = await timers.all();
      return { timers: all.filter(({ client }) => isOwn(caller, client)).map(shown) };
    },

    async setTimer({ body, request: { id, caller }, reply }) {
      const client = ownName(caller, body.client || sharedConversation);
      const timer = asked(body, client, Math.round(clock.now()));
      const action = { turn: id, at: timer.setAt, kind: 'timer.set' } as const;
      const set = await timers.set({ action, conversation: timer.client }, timer);
      if (set !== 'full') return reply.code(201).send({ timer: shown(set) });
      throw new AppError('not_possible', `There can be ${timerLimits.timers} timers.`);
    },

    async cancelTimer({ path: { id }, request: { caller } }) {
      // To a token that may only talk, the timers of others are not there.
      const isTheirs =
        !isOwn(caller, null) &&
        !(await timers.all()).some((each) => each.id === id && isOwn(caller, each.client));
      const timer = isTheirs ? null : await timers.remove(id);
      if (timer) return { timer: shown(timer) };
      throw new AppError('not_found', 'There is no such timer. It may be over or cancelled.', {
        param: 'id',
      });
    },
  };
}

type Asked = components['schemas']['NewTimer'];

/** A timer as a request asks for it, at `setAt` by the household's clock. */
function asked(body: Asked, client: string, setAt: number): NewTimer {
  const { kind, label, duration_seconds, due_at, room } = body;
  if ((duration_seconds === undefined) === (due_at === undefined)) {
    throw new AppError('invalid_request', 'Give either duration_seconds or due_at.', {
      param: 'duration_seconds',
    });
  }
  const durationMs = duration_seconds === undefined ? null : duration_seconds * 1_000;
  const timer: NewTimer = {
    kind,
    label: label?.normalize('NFC').replaceAll(/\s+/g, ' ').trim() || null,
    room: room?.trim() || null,
    client,
    setAt,
    dueAt: due_at === undefined ? setAt + (durationMs ?? 0) : Date.parse(due_at),
    durationMs,
    by: due_at === undefined ? 'length' : 'clock',
  };
  refuse(timerFault(timer, setAt), due_at === undefined ? 'duration_seconds' : 'due_at');
  return timer;
}

function refuse(fault: TimerFault | null, param: string): void {
  if (fault === null) return;
  if (fault === 'too_short') throw new AppError('invalid_request', 'That time is over.', { param });
  if (fault === 'too_far')
    throw new AppError('invalid_request', 'That is more than a year ahead.', { param });
  throw new AppError('invalid_request', 'It may hold words and signs, but no markup.', { param: 'label' });
}

function shownAt(timer: Timer, now: number) {
  const { id, kind, label, room, client, setAt, dueAt, durationMs, state, repeats } = timer;
  return {
    id,
    kind,
    label,
    room,
    client,
    set_at: new Date(setAt).toISOString(),
    due_at: new Date(dueAt).toISOString(),
    duration_seconds: durationMs === null ? null : durationMs / 1_000,
    remaining_seconds: remainingMs(timer, now) / 1_000,
    state,
    repeats: repeats?.rule ?? null,
  };
}
