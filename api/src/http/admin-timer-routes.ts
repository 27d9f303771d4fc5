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
import { type HandStep, type StepFault, stepByHand } from '../timers/timer-step.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import { nowOf } from '../timers/timer-time.ts';
import { type Caller, isOwn, ownName } from './caller.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';
import { sharedConversation } from './turn-routes.ts';

interface TimerRoutes {
  timers: Pick<TimerStore, 'all' | 'set' | 'remove' | 'change' | 'read'>;
  clock?: HouseholdClock;
}

type TimerHandlers = Pick<Handlers, 'listTimers' | 'setTimer' | 'changeTimer' | 'cancelTimer'>;

/** Lists, sets and cancels the household's timers. */
export function adminTimerRoutes(options: TimerRoutes): TimerHandlers {
  const { timers, clock = machineClock } = options;
  const shown = (timer: Timer) => shownAt(timer, nowOf(timer, clock));
  /** A token with the scope `talk` cannot see timers of others. */
  const find = async (id: string, caller: Caller): Promise<Timer> => {
    const timer = await timers.read(id);
    if (timer && isOwn(caller, timer.client)) return timer;
    throw new AppError('not_found', 'There is no such timer. It may be over or cancelled.', { param: 'id' });
  };
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

    async changeTimer({ path: { id }, body, request: { id: turn, caller } }) {
      const step = stepIn(body);
      const conversation = ownName(caller, body.client || sharedConversation);
      // A concurrent change, such as the first ring being heard, makes this fail. Then read the timer again.
      for (;;) {
        const timer = await find(id, caller);
        const { kind, to } = changeOf(timer, step, Math.round(nowOf(timer, clock)));
        const change = { action: { turn, at: Math.round(clock.now()), kind }, conversation };
        const changed = await timers.change(change, timer, to);
        if (changed) return { timer: shown(changed) };
      }
    },

    async cancelTimer({ path: { id }, request: { caller } }) {
      await find(id, caller);
      const timer = await timers.remove(id);
      return { timer: shown(timer ?? (await find(id, caller))) };
    },
  };
}

function stepIn({ paused, more_seconds }: components['schemas']['TimerChange']): HandStep {
  if (paused !== undefined && more_seconds === undefined) return { paused };
  if (paused === undefined && more_seconds !== undefined) return { moreMs: more_seconds * 1_000 };
  throw new AppError('invalid_request', 'Give either paused or more_seconds.', { param: 'paused' });
}

const stepFaults: Readonly<Record<StepFault, string>> = {
  repeats: 'It repeats. Say what you want to be different.',
  over: 'It does not run any more.',
  not_running: 'Only a timer that runs can be paused.',
  not_paused: 'It is not paused.',
};

function changeOf(timer: Timer, step: HandStep, now: number) {
  const param = 'paused' in step ? 'paused' : 'more_seconds';
  const change = stepByHand(timer, step, now);
  if (typeof change === 'string') throw new AppError('not_possible', stepFaults[change], { param });
  if ('moreMs' in step) refuse(timerFault({ ...timer, ...change.to }, now), param);
  return change;
}

type Asked = components['schemas']['NewTimer'];

/** The requested timer. `setAt` is in the household's time. */
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
