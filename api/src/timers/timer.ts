import { z } from 'zod';
import { repetitionSchema } from './repetition.ts';

/** The limits of timers. A request beyond them was misheard, or means no good. */
export const timerLimits = {
  timers: 100,
  labelCharacters: 60,
  leastMs: 1_000,
  maxAheadMs: 366 * 24 * 3_600_000,
} as const;

export const timerKinds = ['timer', 'alarm', 'reminder', 'command'] as const;
export type TimerKind = (typeof timerKinds)[number];

export const timerStates = ['running', 'paused', 'doing', 'ringing', 'missed', 'over'] as const;
export type TimerState = (typeof timerStates)[number];

/**
 * The legal moves. `doing`: a command that is being carried out. It rings only if that fails. `missed`: nobody has stopped it, and it is told when somebody is there. `over`: its record is gone. A timer that was taken
 * away or changed by mistake comes back by undoing, which writes its record anew.
 */
const moves: Readonly<Record<TimerState, readonly TimerState[]>> = {
  running: ['running', 'paused', 'doing', 'ringing', 'missed', 'over'],
  paused: ['paused', 'running', 'over'],
  doing: ['ringing', 'over'],
  ringing: ['ringing', 'missed', 'over'],
  missed: ['over'],
  over: [],
};

/** Whether a timer may go from one state to another. To itself: its time is changed, or what is known of its ringing. */
export function mayMove(from: TimerState, to: TimerState): boolean {
  return moves[from].includes(to);
}

export const timerSchema = z.object({
  id: z.string(),
  kind: z.enum(timerKinds),
  /** "pasta"; of a reminder what it is about: "take out the bins". */
  label: z.string().nullable(),
  /** The room in which it was asked for, and where it rings; null: it was asked for nowhere in particular, and rings everywhere. */
  room: z.string().nullable(),
  /** The conversation in which it was asked for. */
  client: z.string().nullable(),
  /** Unix time in ms, like all that ends in At. */
  setAt: z.number(),
  dueAt: z.number(),
  /** How long it was asked to run, as far as that was asked. */
  durationMs: z.number().nullable(),
  state: z.enum(['running', 'paused', 'doing', 'ringing', 'missed']),
  /** How much of it is left while it is paused. Its due time is then the one it had. */
  leftMs: z.number().optional(),
  /** Counts its changes: whoever read an earlier one changes nothing any more. */
  revision: z.number(),
  /** Since when it rings or is carried out, which may be later than when it was due. */
  ringingAt: z.number().nullable(),
  /** When it was first heard on a satellite. */
  heardAt: z.number().nullable(),
  /** How it counts, and what its times mean. Records of earlier versions do not say: they count by the clock. */
  counts: z
    .object({
      /** `length`: by the time that passes; `clock`: it was asked for at a time of day. */
      by: z.enum(['length', 'clock']),
      /** The era in which its times were noted, and how far the clock had been set forward in it by then. */
      era: z.string(),
      shiftMs: z.number(),
      /** How far the clock was set forward between its being set and its ringing, if it counted by the clock. */
      steppedMs: z.number().optional(),
    })
    .optional(),
  /** Only of a command to the house. */
  command: z
    .object({
      /** Its words, one sentence for each of several. They are understood again when it is due. */
      texts: z.array(z.string()),
      /** The person has agreed that it may let somebody in. */
      mayOpen: z.boolean(),
    })
    .optional(),
  /** How it repeats, if it does: this record is the next time. The one that rings is a record of its own, and does not repeat. */
  repeats: repetitionSchema.optional(),
});

export type Timer = z.infer<typeof timerSchema>;

/** A timer as it is asked for; the store gives it its id and its state. */
export interface NewTimer
  extends Pick<Timer, 'kind' | 'label' | 'room' | 'client' | 'setAt' | 'dueAt' | 'durationMs' | 'command'> {
  /** Whether it was asked for as a length or as a time of day. */
  by: 'length' | 'clock';
  repeats?: Timer['repeats'];
}

export type TimerFault = 'too_short' | 'too_far' | 'too_long_label' | 'not_words';

/** Why a timer cannot be set, or null. `now` is Unix time in ms. */
export function timerFault({ dueAt, label }: Pick<Timer, 'dueAt' | 'label'>, now: number): TimerFault | null {
  if (!(dueAt - now >= timerLimits.leastMs)) return 'too_short';
  if (dueAt - now > timerLimits.maxAheadMs) return 'too_far';
  if (label === null) return null;
  if (label.length > timerLimits.labelCharacters) return 'too_long_label';
  // Markup, and what a terminal or a model would obey, is no name.
  return /[\p{Cc}\p{Cf}\p{Co}\p{Cn}<>{}[\]|\\`]/u.test(label) ? 'not_words' : null;
}

/** How much longer it runs, or will run once it is resumed; none when it is due. */
export function remainingMs({ dueAt, leftMs }: Pick<Timer, 'dueAt' | 'leftMs'>, now: number): number {
  return leftMs ?? Math.max(0, dueAt - now);
}

/** Somewhere where something is said or heard: a satellite, or where a turn was asked. */
export interface Place {
  room: string | null;
  /** The conversation held there. */
  conversation: string | null;
  /** It is none of ours: Home Assistant is heard there, with a voice device or a player. */
  homeSpeaker?: 'satellite' | 'player' | undefined;
}

/**
 * Of the satellites that are connected those on which a timer rings: where it was asked for; when nothing is there, on all of ours; when there are none, on
 * the voice devices of Home Assistant. Its players ring in their rooms only.
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

/** Home Assistant is heard in a room only where none of our satellites is. */
export function withoutStandIns<Satellite extends Place>(connected: readonly Satellite[]): Satellite[] {
  const ours = connected.filter(({ homeSpeaker }) => homeSpeaker === undefined);
  return connected.filter(
    ({ homeSpeaker, room }) =>
      homeSpeaker === undefined ||
      (room !== null && !ours.some((satellite) => isSameRoom(room, satellite.room))),
  );
}

/**
 * Whether a timer rings where somebody speaks: only then is a "stop" meant for it. Whoever types without a room sees the whole household.
 */
export function ringsWhere(
  timer: Pick<Timer, 'kind' | 'room' | 'client'>,
  speaker: Place,
  { connected, isQuiet }: { connected: readonly Place[]; isQuiet: boolean },
): boolean {
  const isAtSatellite = connected.some((satellite) => isSamePlace(satellite, speaker));
  if (!isAtSatellite) return speaker.room === null || connected.length === 0 || isNear(timer, speaker);
  // In the quiet hours it is not heard elsewhere: a "stop" there is not meant for it.
  if (isQuiet && !ringsInQuiet(timer, speaker)) return false;
  return satellitesFor(timer, connected).some((satellite) => isSamePlace(satellite, speaker));
}

/** Whether a timer is heard at a place in the quiet hours: where it was asked for; an alarm, which is there to wake somebody, wherever it rings. */
export function ringsInQuiet(timer: Pick<Timer, 'kind' | 'room' | 'client'>, place: Place): boolean {
  return timer.kind === 'alarm' || isNear(timer, place);
}

/** Whether a place is where a timer was asked for. */
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
