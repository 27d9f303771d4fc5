import { z } from 'zod';

/** What only something connected could know or do. */
export const notConnected = [
  ...['house', 'house_state', 'weather', 'play', 'playing', 'volume', 'news', 'rates', 'mail', 'messages'],
  ...['calendar', 'transport', 'nearby', 'order', 'events', 'bank'],
] as const;

export type NotConnected = (typeof notConnected)[number];

const lines = z.array(z.string().trim().min(1));

const runSchema = z.strictObject({
  /** So many words at the most. */
  most: z.int().positive(),
  /** Only these. */
  only: lines.optional(),
  /** Any but these. */
  not: lines.optional(),
  /** And what is written in digits. */
  numbers: z.boolean().default(false),
});

export type RunWords = z.infer<typeof runSchema>;

const replies: Readonly<Record<NotConnected | 'play_at_home' | 'playing_at_home', readonly string[]>> = {
  house: [],
  house_state: [],
  weather: [],
  play: [],
  play_at_home: [],
  playing: [],
  playing_at_home: [],
  volume: [],
  news: [],
  rates: [],
  mail: [],
  messages: [],
  calendar: [],
  transport: [],
  nearby: [],
  order: [],
  events: [],
  bank: [],
};

/** What `skills/not-connected.yaml` holds. */
export const notConnectedShape = {
  replies,
  words: z.strictObject({
    /** Parts of sentences with a name, besides those of `grammar.yaml`. */
    parts: z.record(z.string(), z.string()),
    /** What may come before each sentence, besides what may come before any. */
    before: lines,
    /** Slots of a few words. */
    runs: z.record(z.string(), runSchema),
  }),
} as const;
