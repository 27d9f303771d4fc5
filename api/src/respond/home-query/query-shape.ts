import { z } from 'zod';
import { phraseSchema } from '../../language/phrase.ts';

const lines = z.array(z.string().trim().min(1));

/** From and to a percentage, both included. */
const rangeSchema = z.tuple([z.number(), z.number()]);

const measureSchema = z.strictObject({
  /** The spoken name, if it differs from the key. */
  called: z.string().optional(),
  said: lines,
  /** Adjectives after "how". */
  how: lines.default([]),
  /** Adverbs after "how" that need a state: "how FAR is the awning open". */
  how_of_state: lines.default([]),
  /** Its comparatives and superlatives. */
  warmer: z.strictObject({ more: lines, less: lines, most: lines, least: lines }).optional(),
  /** Device classes of sensors that measure it. */
  classes: z.array(z.string()).default([]),
  /** Attributes that hold it, by domain. */
  attributes: z.record(z.string(), z.string()).default({}),
  /** The unit of its attributes. */
  unit: z.string().default('%'),
  /** Phrases for a part of its values, each from and to a percentage: "half open". */
  ranges: z.record(z.string(), rangeSchema).default({}),
  /** Its value as a state of the entity: "40% open". */
  as_state: phraseSchema(['value']).optional(),
});

/** The contents of `skills/home-query.yaml`. */
export const queryShape = {
  replies: {
    yes: ['clauses'],
    no: ['clauses'],
    yes_only: [],
    no_only: [],
    told: ['clauses'],
    count: ['n', 'names'],
    count_only: ['n'],
    none: [],
    silent_one: ['names'],
    silent_some: ['names'],
    unknown_one: ['names'],
    unknown_some: ['names'],
    so: ['clauses', 'done'],
    left: ['clauses'],
    unclear: [],
    automation: [],
    read_out: [],
    no_people: [],
    no_sensor: [],
    part: ['clauses'],
    no_history: [],
  },
  words: z.strictObject({
    between: z.string(),
    last: z.string(),
    is_one: phraseSchema(['names', 'state']),
    is_some: phraseSchema(['names', 'state']),
    measure_of: phraseSchema(['measure', 'name']),
    measure_in: phraseSchema(['measure', 'area']),
    average_of: phraseSchema(['measure']),
    sum_of: phraseSchema(['measure']),
    playing: phraseSchema(['title']),
    playing_by: phraseSchema(['title', 'artist']),
    more: phraseSchema(['n']),
    since: phraseSchema(['name', 'state', 'length']),
    since_at_least: phraseSchema(['name', 'state', 'length']),
    moment: z.string(),
    /** Other endings of a word and their replacements; the longest match applies. */
    endings: z.record(z.string(), z.string()),
    lead: lines,
    tells: lines,
    /** Verbs that ask for a check: "CHECK that the door is locked". */
    checks: lines,
    that: lines,
    is: lines,
    /** "WAS the door open", "did the door open YESTERDAY". */
    was: lines,
    past: lines,
    /** "DOES the front door need a new battery": asks only if it names such a part. */
    does: lines,
    asks: lines,
    how: lines,
    how_many: lines,
    there: lines,
    where: lines,
    which_rooms: lines,
    /** Words before a verb in `done`: "DID I lock the door". */
    did: lines,
    /** Verbs, and the resulting state; empty if the sentence names the state. */
    done: z.record(z.string(), z.string()),
    /** Verbs in `done` that ask about any of several entities: "did I LEAVE a light on". */
    leaves: lines,
    /** Words that join two statements. */
    also: lines,
    /** Words that ask for a person. */
    who: lines,
    /** Shorter ways to ask about everything, with the whole words. */
    short_for: z.record(z.string(), z.string()),
    /** Starts of questions for how long a state has lasted; the last word belongs to the question. */
    since_when: lines,
    /** States that are asked of all entities: "what is ON". */
    of_all: lines,
    /** Nouns for entities of any kind. */
    anything: lines,
    /** Domains whose state is a place. */
    moving: lines,
    any: lines,
    indefinite: lines,
    or: lines,
    /** State words that may also begin a place. */
    placing: lines,
    determiners: lines,
    states_asked: lines,
    rooms: lines,
    idle: lines,
    here: lines,
    outside: lines,
    kinds: z.record(z.string(), lines),
    /** The words for each state; the first is spoken. */
    states: z.record(z.string(), z.record(z.string(), lines)),
    events: lines,
    event_state: z.string(),
    measures: z.record(z.string(), measureSchema),
    scales: z.record(z.string(), z.number()),
    usual_measure: z.string(),
    more_than: lines,
    less_than: lines,
    average: lines,
    sum: lines,
    most: lines,
    least: lines,
    ranges: z.record(z.string(), rangeSchema),
    playing_asked: lines,
    /** Words before a player: "what is ON TV". */
    playing_on: lines,
    /** Conditions about the sun, and how their outcome is told. */
    sky: z.strictObject({ dark: lines, light: lines, is_dark: z.string(), is_light: z.string() }),
    condition: z.strictObject({
      /** Words that may precede the sentence. */
      lead: lines,
      if: lines,
      unless: lines,
      /** Words that make a command wait for an event. */
      trigger: lines,
      /** Words after such a sign that begin a question. */
      asking: lines,
      /** Words between a condition and its command. */
      command_after: lines,
      not: lines,
      /** After a question: its answer is yes, or no. */
      if_so: lines,
      if_not: lines,
      /** Pronouns for the subject of the condition. */
      pronouns: lines,
      /** Subjects that name nothing. */
      no_subject: lines,
      /** Subjects of what people do: without a pause, only a sentence that can be tested is a condition. */
      persons: lines,
    }),
    people: lines,
    nobody: lines,
    person: z.string(),
  }),
} as const;

export type QueryWords = z.infer<(typeof queryShape)['words']>;
export type QueryMeasure = z.infer<typeof measureSchema>;
