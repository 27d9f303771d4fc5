import { z } from 'zod';

export const homeSpeakerSchema = z.object({
  room: z.string(),
  /** `satellite`: voice devices that Home Assistant holds. `player`: one of its media players. */
  kind: z.enum(['satellite', 'player']),
  ids: z.array(z.string()).min(1),
  /** Whether what played there before goes on afterwards. */
  announces: z.boolean(),
  /** Whether its sound can be ended. */
  stops: z.boolean(),
});

/** What Home Assistant can be heard with in a room. */
export type HomeSpeaker = z.infer<typeof homeSpeakerSchema>;

/** A sound of ours for a speaker: the address from which it is fetched, and its words, '' for none. */
export const homeSoundSchema = z.object({ speaker: homeSpeakerSchema, url: z.string(), text: z.string() });
export type HomeSound = z.infer<typeof homeSoundSchema>;

/** `busy`: somebody talks to it or is answered there, so nothing was played. */
export const homeSoundEndSchema = z.enum(['taken', 'busy']);
export type HomeSoundEnd = z.infer<typeof homeSoundEndSchema>;
