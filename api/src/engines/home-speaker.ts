import { z } from 'zod';

export const homeSpeakerSchema = z.object({
  room: z.string(),
  /** `satellite`: Home Assistant's voice devices. `player`: one of its media players. */
  kind: z.enum(['satellite', 'player']),
  ids: z.array(z.string()).min(1),
  /** Whether earlier playback resumes afterwards. */
  announces: z.boolean(),
  /** Whether its sound can be stopped. */
  stops: z.boolean(),
});

/** A Home Assistant speaker in a room. */
export type HomeSpeaker = z.infer<typeof homeSpeakerSchema>;

/** A sound for a speaker: the address to fetch it from, and its words ('' for none). */
export const homeSoundSchema = z.object({ speaker: homeSpeakerSchema, url: z.string(), text: z.string() });
export type HomeSound = z.infer<typeof homeSoundSchema>;

/** `busy`: a conversation is running there, so nothing was played. */
export const homeSoundEndSchema = z.enum(['taken', 'busy']);
export type HomeSoundEnd = z.infer<typeof homeSoundEndSchema>;
