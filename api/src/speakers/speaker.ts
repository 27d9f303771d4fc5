import { z } from 'zod';

/** Stored state of a loudspeaker, under the name of its satellite. */
export const speakerSchema = z.object({
  /** In percent. 100 is the unchanged sound. */
  volume: z.number().int().min(0).max(100),
  /** Null: not muted. `until` is the household's steady time in ms. Null: until someone ends it. */
  muted: z.object({ until: z.number().nullable() }).nullable(),
  /** The turn that set it, whose own answer stays audible. Null: no turn. */
  turn: z.string().nullable(),
});

export type StoredSpeaker = z.infer<typeof speakerSchema>;

/** The state of a loudspeaker that was never set. */
export const untouchedSpeaker: StoredSpeaker = { volume: 100, muted: null, turn: null };

/** Longer mutes were most likely forgotten. */
export const maxMuteMs = 7 * 24 * 60 * 60_000;

/** The state at a time, without an expired mute. `now` is the household's steady time in ms. */
export function speakerAt(speaker: StoredSpeaker, now: number): StoredSpeaker {
  const { muted } = speaker;
  return muted?.until != null && muted.until <= now ? { ...speaker, muted: null } : speaker;
}

export interface SpeakerChange {
  volume?: number | undefined;
  muted?: boolean | undefined;
  /** With `muted`: its duration. Null or undefined: until someone ends it. */
  mutedMs?: number | null | undefined;
}

/** Applies a change. Setting a volume ends a mute, unless the change says otherwise. */
export function changedSpeaker(
  before: StoredSpeaker,
  { volume, muted, mutedMs }: SpeakerChange,
  { now, turn }: { now: number; turn: string | null },
): StoredSpeaker {
  const mute = () => ({ until: mutedMs == null ? null : now + Math.min(mutedMs, maxMuteMs) });
  const staysMuted = volume === undefined ? speakerAt(before, now).muted : null;
  return {
    volume: volume ?? before.volume,
    muted: muted === undefined ? staysMuted : muted ? mute() : null,
    turn,
  };
}

/** Whether a turn's answer is silent. The turn that muted the speaker stays audible. */
export function isSilentFor({ muted, turn }: StoredSpeaker, turnId: string): boolean {
  return muted !== null && (turn === null || spokenTurnOf(turn) !== turnId);
}

/** The turn id that the satellite knows. Attempts and separate requests append a suffix to it. */
export function spokenTurnOf(turn: string): string {
  return turn.split(/[./]/)[0] ?? turn;
}
