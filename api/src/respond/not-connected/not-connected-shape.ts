import { z } from 'zod';

/** Topics that need a connection. */
export const notConnected = [
  ...['house', 'house_state', 'weather', 'play', 'playing', 'volume', 'news', 'rates', 'mail', 'messages'],
  ...['calendar', 'transport', 'far_time', 'place', 'nearby', 'order', 'events', 'bank', 'door', 'sun'],
] as const;

export type NotConnected = (typeof notConnected)[number];

const lines = z.array(z.string().trim().min(1));

const runSchema = z.strictObject({
  /** Maximum number of words. */
  most: z.int().positive(),
  /** Only these words. */
  only: lines.optional(),
  /** All words except these. */
  not: lines.optional(),
  /** Numbers in digits are allowed, too. */
  numbers: z.boolean().default(false),
});

export type RunWords = z.infer<typeof runSchema>;

const replies: Readonly<
  Record<
    | NotConnected
    | 'house_state_at_home'
    | 'play_at_home'
    | 'playing_at_home'
    | 'volume_at_home'
    | 'calendar_at_home',
    readonly string[]
  >
> = {
  house: [],
  house_state: [],
  house_state_at_home: [],
  weather: [],
  play: [],
  play_at_home: [],
  playing: [],
  playing_at_home: [],
  volume: [],
  volume_at_home: [],
  door: [],
  news: [],
  rates: [],
  mail: [],
  messages: [],
  calendar: [],
  /** The house has calendars, but this language has no sentences to change them. */
  calendar_at_home: [],
  transport: [],
  far_time: [],
  place: [],
  nearby: [],
  order: [],
  events: [],
  bank: [],
  sun: [],
};

/** The contents of `skills/not-connected.yaml`. */
export const notConnectedShape = {
  replies,
  words: z.strictObject({
    /** Named parts of sentences, besides those of `grammar.yaml`. */
    parts: z.record(z.string(), z.string()),
    /** Words that may precede each sentence, besides those of `grammar.yaml`. */
    before: lines,
    /** Slots of a few words. */
    runs: z.record(z.string(), runSchema),
  }),
} as const;
