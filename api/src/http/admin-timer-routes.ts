import { AppError } from '../errors.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import type { RestoreFault, RestoreTimer } from '../timers/restore-timer.ts';
import {
  type NewTimer,
  remainingMs,
  type Timer,
  type TimerFault,
  timerFault,
  timerLimits,
} from '../timers/timer.ts';
import { alarmAt, editOf, type TimerEdit } from '../timers/timer-edit.ts';
import { type HandStep, type StepFault, stepByHand } from '../timers/timer-step.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import { nowOf } from '../timers/timer-time.ts';
import { type Caller, isOwn, ownName } from './caller.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';
import { sharedConversation } from './turn-routes.ts';

interface TimerRoutes {
  timers: Pick<TimerStore, 'all' | 'set' | 'remove' | 'cancel' | 'change' | 'read'>;
  restore: RestoreTimer;
  /** The household's time zone, for times of day. */
  timeZone: string;
  clock?: HouseholdClock;
}

type TimerHandlers = Pick<
  Handlers,
  'listTimers' | 'setTimer' | 'changeTimer' | 'cancelTimer' | 'restoreTimer'
>;

/** Lists, sets, cancels and restores the household's timers. */
export function adminTimerRoutes(options: TimerRoutes): TimerHandlers {
  const { timers, restore, timeZone, clock = machineClock } = options;
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
      const timer = requestedTimer(body, client, { now: Math.round(clock.now()), timeZone });
      const action = { turn: id, at: timer.setAt, kind: 'timer.set' } as const;
      const set = await timers.set({ action, conversation: timer.client }, timer);
      if (set !== 'full') return reply.code(201).send({ timer: shown(set) });
      throw new AppError('not_possible', `There can be at most ${timerLimits.timers} timers.`);
    },

    async changeTimer({ path: { id }, body, request: { id: turn, caller } }) {
      const step = stepIn(body);
      const edit = editIn(body);
      const conversation = ownName(caller, body.client || sharedConversation);
      // A concurrent change, such as the first ring, makes this fail. Then read the timer again.
      for (;;) {
        const timer = await find(id, caller);
        const now = Math.round(nowOf(timer, clock));
        const { kind, to } = step ? changeOf(timer, step, now) : edited(timer, edit, { now, timeZone });
        const change = { action: { turn, at: Math.round(clock.now()), kind }, conversation };
        const changed = await timers.change(change, timer, to);
        if (changed) return { timer: shown(changed) };
      }
    },

    async cancelTimer({ path: { id }, query: { client }, request: { id: turn, caller } }) {
      const { state } = await find(id, caller);
      const conversation = ownName(caller, client || sharedConversation);
      const action = { turn, at: Math.round(clock.now()), kind: 'timer.cancel' } as const;
      // Only the cancellation of one that has not rung can be undone.
      const timer = ['running', 'paused'].includes(state)
        ? (await timers.cancel({ action, conversation }, [id]))[0]
        : await timers.remove(id);
      return { timer: shown(timer ?? (await find(id, caller))) };
    },

    async restoreTimer({ path: { id }, query: { client }, request: { id: requestId, caller } }) {
      const conversation = ownName(caller, client || sharedConversation);
      const restored = await restore(id, {
        requestId,
        conversation,
        now: Math.round(clock.now()),
        isAllowed: (timer) => isOwn(caller, timer.client),
      });
      if (typeof restored !== 'string') return { timer: shown(restored) };
      const code = restored === 'unknown' ? 'not_found' : 'not_possible';
      throw new AppError(code, restoreFaults[restored], { param: 'id' });
    },
  };
}

type Change = components['schemas']['TimerChange'];

interface Household {
  now: number;
  timeZone: string;
}

/** Null: it is an edit. */
function stepIn({ paused, more_seconds, client: _, ...edit }: Change): HandStep | null {
  const given = [paused, more_seconds, ...Object.values(edit)].filter((each) => each !== undefined);
  if (paused !== undefined && given.length === 1) return { paused };
  if (more_seconds !== undefined && given.length === 1) return { moreMs: more_seconds * 1_000 };
  if (paused === undefined && more_seconds === undefined && given.length > 0) return null;
  throw new AppError('invalid_request', 'Send "paused", "more_seconds", or the fields to edit.', {
    param: 'paused',
  });
}

function editIn({ due_at, time, days, until, label, room }: Change): TimerEdit {
  if (due_at !== undefined && [time, days, until].some((each) => each !== undefined))
    throw new AppError('invalid_request', 'Give either due_at or a time of day.', { param: 'due_at' });
  return {
    ...(due_at !== undefined && { dueAt: Date.parse(due_at) }),
    ...(time !== undefined && { time }),
    ...(days !== undefined && { days }),
    ...(until !== undefined && { until }),
    ...(label !== undefined && { label: plainLabel(label) }),
    ...(room !== undefined && { room: room?.trim() || null }),
  };
}

function edited(timer: Timer, edit: TimerEdit, household: Household) {
  if (timer.state !== 'running')
    throw new AppError('not_possible', 'A timer can be edited only before it rings.', { param: 'id' });
  const { label, room: _, ...times } = edit;
  const param = Object.keys(times).length === 0 ? 'label' : edit.dueAt === undefined ? 'time' : 'due_at';
  if (param !== 'label' && timer.kind !== 'alarm' && timer.kind !== 'reminder')
    throw new AppError('not_possible', 'Only alarms and reminders have a time of day.', { param });
  if (timer.kind === 'reminder' && label === null)
    throw new AppError('invalid_request', 'A reminder needs a subject.', { param: 'label' });
  const to = editOf(timer, edit, household);
  if (to === null) throw new AppError('not_possible', neverRings, { param });
  refuse(timerFault({ dueAt: to.dueAt ?? timer.dueAt, label: to.label ?? null }, household.now), param);
  return { kind: 'timer.change' as const, to };
}

const neverRings = 'With these values, it would never ring.';

function plainLabel(label: string | null | undefined): string | null {
  return label?.normalize('NFC').replaceAll(/\s+/g, ' ').trim() || null;
}

const stepFaults: Readonly<Record<StepFault, string>> = {
  repeats: 'It repeats. Name the fields to change.',
  over: 'It no longer runs.',
  not_running: 'Only a timer that runs can be paused.',
  not_paused: 'It is not paused.',
};

const restoreFaults: Readonly<Record<RestoreFault, string>> = {
  unknown: 'No cancellation of this timer is stored in this conversation.',
  undone: 'It was brought back already.',
  over: 'Its time has passed.',
};

function changeOf(timer: Timer, step: HandStep, now: number) {
  const param = 'paused' in step ? 'paused' : 'more_seconds';
  const change = stepByHand(timer, step, now);
  if (typeof change === 'string') throw new AppError('not_possible', stepFaults[change], { param });
  if ('moreMs' in step) refuse(timerFault({ ...timer, ...change.to }, now), param);
  return change;
}

type Asked = components['schemas']['NewTimer'];

/** The requested timer, on the household's clock. */
function requestedTimer(body: Asked, client: string, household: Household): NewTimer {
  const { kind, label, duration_seconds, room } = body;
  const durationMs = duration_seconds === undefined ? null : duration_seconds * 1_000;
  const timer: NewTimer = {
    kind,
    label: plainLabel(label),
    room: room?.trim() || null,
    client,
    setAt: household.now,
    durationMs,
    by: durationMs === null ? 'clock' : 'length',
    ...ringsIn(body, household),
  };
  refuse(timerFault(timer, household.now), durationMs === null ? 'due_at' : 'duration_seconds');
  return timer;
}

/** The first time that it rings, and its repetition. */
function ringsIn({ duration_seconds, due_at, time, days, until }: Asked, household: Household) {
  if ([duration_seconds, due_at, time].filter((each) => each !== undefined).length !== 1)
    throw new AppError('invalid_request', 'Give one of duration_seconds, due_at and time.', {
      param: 'duration_seconds',
    });
  if (time === undefined && (days !== undefined || until !== undefined))
    throw new AppError('invalid_request', 'Give the time of day, too.', { param: 'time' });
  if (time === undefined)
    return {
      dueAt: due_at === undefined ? household.now + (duration_seconds ?? 0) * 1_000 : Date.parse(due_at),
    };
  const rings = alarmAt({ time, ...(days && { days }), ...(until && { until }) }, household);
  if (rings === null) throw new AppError('not_possible', neverRings, { param: 'time' });
  return { dueAt: rings.dueAt, ...(rings.repeats && { repeats: rings.repeats }) };
}

function refuse(fault: TimerFault | null, param: string): void {
  if (fault === null) return;
  if (fault === 'too_short') throw new AppError('invalid_request', 'That time has passed.', { param });
  if (fault === 'too_far')
    throw new AppError('invalid_request', 'That is more than a year ahead.', { param });
  throw new AppError('invalid_request', 'It may contain text, but no markup.', { param: 'label' });
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
