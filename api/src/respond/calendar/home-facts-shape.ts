import { z } from 'zod';
import { phraseSchema } from '../../language/phrase.ts';
import type { Ask } from '../core/skill.ts';
import type { SayReply } from '../core/skill-language.ts';

const lines = z.array(z.string().trim().min(1));
const parts = <T extends z.ZodType>(each: T) =>
  z.strictObject({ morning: each, afternoon: each, evening: each, night: each });

export const topicNames = ['rain', 'snow', 'storm', 'fog', 'wind', 'humidity', 'unknown'] as const;
export type Topic = (typeof topicNames)[number];

/** The contents of `skills/home-facts.yaml`. */
export const homeFactsShape = {
  replies: {
    unreachable: [],
    now: ['condition', 'degrees'],
    now_bare: ['condition'],
    day: ['when', 'condition', 'warmth'],
    day_bare: ['when', 'condition'],
    chance: ['percent'],
    likely: ['topic', 'when', 'percent'],
    likely_bare: ['topic', 'when'],
    possible: ['topic', 'when', 'percent'],
    unlikely: ['topic', 'when'],
    wind: ['when', 'speed', 'unit'],
    wind_now: ['speed', 'unit'],
    humidity_now: ['percent'],
    not_told: [],
    elsewhere: [],
    past: [],
    not_reached: ['when'],
    no_forecast: [],
    sunrise: ['time', 'when'],
    sunset: ['time', 'when'],
    sun_next: [],
    dark: [],
    light: [],
    events: ['when', 'events'],
    no_events: ['when'],
    next_event: ['event', 'when'],
    no_events_until: ['when'],
    no_next: ['days'],
    event: ['event', 'time'],
    not_exposed: [],
    read_out: [],
    yes: ['entries'],
    no: ['entries'],
    no_place: ['entries'],
    count: ['n', 'entries'],
    items: ['list', 'items'],
    plays: ['title', 'player'],
    plays_by: ['title', 'artist', 'player'],
    plays_unnamed: ['player'],
    plays_nothing: [],
  },
  words: z.strictObject({
    /** Words for a weather condition, by Home Assistant's name for it. */
    conditions: z.record(z.string(), z.string()),
    /** Single words that reveal the topic of a weather question. */
    topics: z.strictObject(Object.fromEntries(topicNames.map((name) => [name, lines]))),
    topic_names: z.record(z.string(), z.string()),
    /** Words that ask when something begins. */
    when: lines,
    /** Words for the present only. */
    now: lines,
    /** Words for the future without a day. */
    later: lines,
    here: lines,
    here_with: lines,
    /** Units that a question may ask for. */
    units: z.strictObject({ celsius: lines, fahrenheit: lines }),
    /** Single words that ask for the sunset, not for the sunrise. */
    setting: lines,
    /** Words after a day of a month: "the fifth OF THIS MONTH". */
    of_month: lines,
    weekend: lines,
    week: lines,
    tonight: lines,
    parts: parts(lines),
    today: z.string(),
    tomorrow: z.string(),
    on_day: phraseSchema(['day']),
    day_part: phraseSchema(['day', 'part']),
    parts_today: parts(z.string()),
    parts_named: parts(z.string()),
    degrees: z.strictObject({ one: phraseSchema(['n']), other: phraseSchema(['n']) }),
    degrees_between: phraseSchema(['low', 'high']),
    all_day: z.string(),
    between_events: z.string(),
    /** Words that may come first. */
    fillers: lines,
    /** Openings of questions about a calendar; all others would change it. */
    reads: lines,
    writes: lines,
    next: lines,
    /** Words of personal questions about calendar entries and to-do items. Absent: they are not answered. */
    records: z
      .strictObject({
        /** Words before the question. */
        lead: lines,
        asks: lines,
        yes_no: lines,
        many: lines,
        persons: lines,
        calendars: lines,
        lists: lines,
        /** Phrases that make a question personal without a calendar or list. */
        needs: lines,
        leaving: lines,
        home: lines,
        day_nouns: lines,
        /** Words that say nothing about an entry. */
        idle: lines,
        endings: lines,
        mute_ending: z.string(),
      })
      .optional(),
  }),
} as const;

export type FactsAsk = Pick<Ask, 'turn' | 'signal'>;

export type SayFact = SayReply<keyof (typeof homeFactsShape)['replies']>;
