import { z } from 'zod';

const volume = ['volume'];

/** The replies and words of `skills/speaker.yaml`. */
export const speakerShape = {
  replies: {
    volume,
    loudest: [],
    quietest: [],
    which_scale: [],
    out_of_range: [],
    muted: [],
    muted_until: ['until'],
    muted_for: ['duration'],
    mute_too_long: [],
    unmuted: volume,
    not_muted: [],
    is: volume,
    did_volume: volume,
    did_mute: [],
    did_unmute: [],
    undid_volume: volume,
    undid_mute: [],
    undid_unmute: [],
  },
  words: z.strictObject({
    /** Words after a number. */
    percent: z.array(z.string()),
    /** Named volumes. */
    levels: z.record(z.string(), z.number().int().min(0).max(100)),
  }),
} as const;

export type SpeakerReply = keyof (typeof speakerShape)['replies'];
export type SpeakerWords = z.infer<(typeof speakerShape)['words']>;
