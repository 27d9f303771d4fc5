import { z } from 'zod';

/** A loudspeaker as it is kept, under the name of its satellite. */
export const speakerSchema = z.object({
  /** In percent; 100 is the sound as it is. */
  volume: z.number().int().min(0).max(100),
  /** Null: it is not muted. `until` is the household's steady time in ms; null: until somebody ends it. */
  muted: z.object({ until: z.number().nullable() }).nullable(),
  /** The turn that set it so, whose own answer is heard; null: it was no turn. */
  turn: z.string().nullable(),
});

export type KeptSpeaker = z.infer<typeof speakerSchema>;

/** One that nobody has set. */
export const untouchedSpeaker: KeptSpeaker = { volume: 100, muted: null, turn: null };

/** Nobody means to be forgotten for longer. */
export const maxMuteMs = 7 * 24 * 60 * 60_000;

/** As it is at a moment: a mute whose time is over is none. `now` is the household's steady time in ms. */
export function speakerAt(speaker: KeptSpeaker, now: number): KeptSpeaker {
  const { muted } = speaker;
  return muted?.until != null && muted.until <= now ? { ...speaker, muted: null } : speaker;
}

export interface SpeakerChange {
  volume?: number | undefined;
  muted?: boolean | undefined;
  /** With `muted`: for how long; null or left out: until somebody ends it. */
  mutedMs?: number | null | undefined;
}

/** What becomes of it. Whoever sets a volume wants to hear it: that ends a mute, unless they say otherwise. */
export function changedSpeaker(
  before: KeptSpeaker,
  { volume, muted, mutedMs }: SpeakerChange,
  { now, turn }: { now: number; turn: string | null },
): KeptSpeaker {
  const mute = () => ({ until: mutedMs == null ? null : now + Math.min(mutedMs, maxMuteMs) });
  const staysMuted = volume === undefined ? speakerAt(before, now).muted : null;
  return {
    volume: volume ?? before.volume,
    muted: muted === undefined ? staysMuted : muted ? mute() : null,
    turn,
  };
}

/** Whether a turn's answer is heard on it: that of the turn that muted it is. */
export function isSilentFor({ muted, turn }: KeptSpeaker, turnId: string): boolean {
  return muted !== null && (turn === null || spokenTurnOf(turn) !== turnId);
}

/** Each of several requests in a sentence has an id of its own, made from that of the turn. */
function spokenTurnOf(turn: string): string {
  return turn.split(/[./]/)[0] ?? turn;
}
