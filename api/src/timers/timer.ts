import { z } from 'zod';
import { repetitionSchema } from './repetition.ts';

/** Limits of timers. A request beyond them was misheard or is malicious. */
export const timerLimits = {
  timers: 100,
  labelCharacters: 60,
  leastMs: 1_000,
  maxAheadMs: 366 * 24 * 3_600_000,
} as const;

export const timerKinds = ['timer', 'alarm', 'reminder', 'command'] as const;
export type TimerKind = (typeof timerKinds)[number];

export const timerStates = ['running', 'paused', 'doing', 'ringing', 'missed', 'over'] as const;
type TimerState = (typeof timerStates)[number];

/**
 * The legal transitions. `doing`: a command is running; it rings only on failure. `missed`: it went
 * unanswered and is reported once someone is there. `over`: its record is gone. Undo restores a record by
 * writing it again.
 */
const moves: Readonly<Record<TimerState, readonly TimerState[]>> = {
  running: ['running', 'paused', 'doing', 'ringing', 'missed', 'over'],
  paused: ['paused', 'running', 'over'],
  doing: ['ringing', 'over'],
  ringing: ['ringing', 'missed', 'over'],
  missed: ['over'],
  over: [],
};

/** Whether a transition is legal. A transition to the same state changes the time or the ringing data. */
export function mayMove(from: TimerState, to: TimerState): boolean {
  return moves[from].includes(to);
}

export const timerSchema = z.object({
  id: z.string(),
  kind: z.enum(timerKinds),
  /** A name such as "pasta". For a reminder, its subject: "take out the bins". */
  label: z.string().nullable(),
  /** The room in which it was set and rings. Null: it has no room and rings everywhere. */
  room: z.string().nullable(),
  /** The conversation in which it was set. */
  client: z.string().nullable(),
  /** Unix time in ms, like every field that ends in At. */
  setAt: z.number(),
  dueAt: z.number(),
  /** The requested duration. Null: none was requested. */
  durationMs: z.number().nullable(),
  state: z.enum(['running', 'paused', 'doing', 'ringing', 'missed']),
  /** Remaining time while it is paused. `dueAt` then keeps its last value. */
  leftMs: z.number().optional(),
  /** Number of changes. A change based on an older revision is rejected. */
  revision: z.number(),
  /** Since when it rings or runs, which may be later than its due time. */
  ringingAt: z.number().nullable(),
  /** When a satellite first rang it. */
  heardAt: z.number().nullable(),
  /** Defines the timer's clock. Records of earlier versions lack it and use the wall clock. */
  counts: z
    .object({
      /** `length`: follows elapsed time. `clock`: was set for a time of day. */
      by: z.enum(['length', 'clock']),
      /** The era of its times, and how far the clock had been set forward by then. */
      era: z.string(),
      shiftMs: z.number(),
      /** How far the clock was set forward before it rang, for timers of kind `clock`. */
      steppedMs: z.number().optional(),
    })
    .optional(),
  /** Only for a scheduled command. */
  command: z
    .object({
      /** Its sentences, one per command. They are parsed again when it is due. */
      texts: z.array(z.string()),
      /** The person has agreed that it may unlock or open something. */
      mayOpen: z.boolean(),
      /** The tag of their language. Undefined: the household's first. */
      language: z.string().optional(),
    })
    .optional(),
  /**
   * The repetition. This record is then the next occurrence. A ringing occurrence has a separate record
   * without repetition.
   */
  repeats: repetitionSchema.optional(),
});

export type Timer = z.infer<typeof timerSchema>;

/** A requested timer. The store adds the id and the state. */
export const newTimerSchema = timerSchema
  .pick({
    kind: true,
    label: true,
    room: true,
    client: true,
    setAt: true,
    dueAt: true,
    durationMs: true,
    command: true,
    repeats: true,
  })
  .extend({
    /** Whether the request was a duration or a time of day. */
    by: z.enum(['length', 'clock']),
  });

export type NewTimer = z.infer<typeof newTimerSchema>;

export type TimerFault = 'too_short' | 'too_far' | 'too_long_label' | 'not_words';

/** Why a timer cannot be set. Null: it can. `now` is Unix time in ms. */
export function timerFault({ dueAt, label }: Pick<Timer, 'dueAt' | 'label'>, now: number): TimerFault | null {
  if (!(dueAt - now >= timerLimits.leastMs)) return 'too_short';
  if (dueAt - now > timerLimits.maxAheadMs) return 'too_far';
  if (label === null) return null;
  if (label.length > timerLimits.labelCharacters) return 'too_long_label';
  // Rejects markup and characters that a terminal or model would interpret.
  return /[\p{Cc}\p{Cf}\p{Co}\p{Cn}<>{}[\]|\\`]/u.test(label) ? 'not_words' : null;
}

/** Remaining time, also while paused. 0 if it is due. */
export function remainingMs({ dueAt, leftMs }: Pick<Timer, 'dueAt' | 'leftMs'>, now: number): number {
  return leftMs ?? Math.max(0, dueAt - now);
}

/** A place of speech: a satellite, or the origin of a turn. */
export interface Place {
  room: string | null;
  /** The conversation held there. */
  conversation: string | null;
  /** Set for a speaker of Home Assistant: a voice device or a player. */
  homeSpeaker?: 'satellite' | 'player' | undefined;
}

/**
 * The satellites that ring a timer: those where it was set, else all of ours, else Home Assistant's voice
 * devices. Its players only ring in their own rooms.
 */
export function satellitesFor<Satellite extends Place>(
  timer: Pick<Timer, 'room' | 'client'>,
  connected: readonly Satellite[],
): Satellite[] {
  const audible = withoutStandIns(connected);
  const ours = audible.filter(({ homeSpeaker }) => homeSpeaker === undefined);
  const others = ours.length > 0 ? ours : audible.filter(({ homeSpeaker }) => homeSpeaker === 'satellite');
  const near = audible.filter((satellite) => isNear(timer, satellite));
  return near.length > 0 ? near : others;
}

/** Uses speakers of Home Assistant only in rooms without a satellite of ours. */
export function withoutStandIns<Satellite extends Place>(connected: readonly Satellite[]): Satellite[] {
  const ours = connected.filter(({ homeSpeaker }) => homeSpeaker === undefined);
  return connected.filter(
    ({ homeSpeaker, room }) =>
      homeSpeaker === undefined ||
      (room !== null && !ours.some((satellite) => isSameRoom(room, satellite.room))),
  );
}

/**
 * Whether a timer rings where someone speaks, so that "stop" can refer to it. Written input without a room
 * sees the whole household.
 */
export function ringsWhere(
  timer: Pick<Timer, 'kind' | 'room' | 'client'>,
  speaker: Place,
  { connected, isQuiet }: { connected: readonly Place[]; isQuiet: boolean },
): boolean {
  const isAtSatellite = connected.some((satellite) => isSamePlace(satellite, speaker));
  if (!isAtSatellite) return speaker.room === null || connected.length === 0 || isNear(timer, speaker);
  // In quiet hours a timer is silent elsewhere, so a "stop" there does not refer to it.
  if (isQuiet && !ringsInQuiet(timer, speaker)) return false;
  return satellitesFor(timer, connected).some((satellite) => isSamePlace(satellite, speaker));
}

/**
 * Whether a timer rings at a place in quiet hours. Alarms ring everywhere, others only where they were set.
 */
export function ringsInQuiet(timer: Pick<Timer, 'kind' | 'room' | 'client'>, place: Place): boolean {
  return timer.kind === 'alarm' || isNear(timer, place);
}

/** Whether a timer was set at this place. */
export function isNear({ room, client }: Pick<Timer, 'room' | 'client'>, place: Place): boolean {
  if (room !== null) return isSameRoom(room, place.room);
  return client !== null && client === place.conversation;
}

function isSamePlace(one: Place, other: Place): boolean {
  if (one.conversation !== null && one.conversation === other.conversation) return true;
  return one.room !== null && isSameRoom(one.room, other.room);
}

function isSameRoom(one: string, other: string | null): boolean {
  return other !== null && plain(one) === plain(other);
}

function plain(room: string): string {
  return room.normalize('NFC').trim().toLowerCase();
}
