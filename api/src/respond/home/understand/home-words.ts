import { z } from 'zod';
import { phraseSchema } from '../../../language/phrase.ts';

/** Kinds of entities, separated by their verbs: you lock a door and dim a lamp. */
export const kinds = ['light', 'power', 'cover', 'lock', 'climate', 'media', 'machine', 'scene'] as const;
export type Kind = (typeof kinds)[number];

/** The kind of each of Home Assistant's domains. */
export const kindOfDomain: Readonly<Record<string, Kind>> = {
  light: 'light',
  cover: 'cover',
  valve: 'cover',
  lock: 'lock',
  climate: 'climate',
  water_heater: 'climate',
  media_player: 'media',
  vacuum: 'machine',
  lawn_mower: 'machine',
  scene: 'scene',
  script: 'scene',
  button: 'scene',
  input_button: 'scene',
};

const lines = z.array(z.string().trim().min(1));

/** The words of `skills/home.yaml`. */
export const homeWordsSchema = z.strictObject({
  between: z.string(),
  last: z.string(),
  or: z.string(),
  except: lines,
  leave: lines,
  left: lines,
  short_for: z.record(z.string(), phraseSchema(['value', 'area'])),
  pronouns: z.strictObject({ one: lines, several: lines }),
  before: lines,
  in_room: phraseSchema(['text', 'room']),
  refer_on: phraseSchema(['target']),
  refer_off: phraseSchema(['target']),
  refer_resume: phraseSchema(['target']),
  refer_up: phraseSchema(['target']),
  refer_down: phraseSchema(['target']),
  refer_set: phraseSchema(['target', 'value']),
  with_value: phraseSchema(['text', 'value']),
  with_color: phraseSchema(['target', 'value']),
  example_value: z.string(),
  value_lead: lines,
  ones: lines,
  steps: z.record(z.string(), z.strictObject({ up: z.string(), down: z.string() })),
  by: phraseSchema(['text', 'value']),
  one: lines,
  only: lines,
  louder: z.string(),
  quieter: z.string(),
  in_area: phraseSchema(['target', 'area']),
  whole: lines,
  floors: lines,
  plain: lines,
  as_plain: z.record(z.string(), phraseSchema(['target'])),
  set_to: phraseSchema(['target', 'value']),
  percent: phraseSchema(['value']),
  half: lines,
  /** "CLOSE the blinds three quarters" leaves a quarter open. With one of `to`, the value is a position. */
  closing: z.strictObject({ words: lines, to: lines }).default({ words: [], to: [] }),
  moved: phraseSchema(['device', 'area']),
  of_area: phraseSchema(['device', 'area']),
  all_of: phraseSchema(['device']),
  start: phraseSchema(['target']),
  set_temperature: phraseSchema(['area', 'value']),
  set_with: lines,
  set_toward: lines,
  degrees: lines,
  units: lines,
  scales: lines,
  fahrenheit: lines,
  ask_as: z.strictObject({
    state: z.array(phraseSchema(['target', 'state'])),
    state_of_all: z.array(phraseSchema(['device', 'state', 'area'])),
    state_of_any: z.array(phraseSchema(['device', 'state', 'area'])),
    which: z.array(phraseSchema(['device', 'state', 'area'])),
    level: z.array(phraseSchema(['target'])),
    measure: z.array(phraseSchema(['area', 'measure'])),
    weather: z.array(phraseSchema([])),
  }),
  temperature: z.string(),
  determiners: lines,
  all: lines,
  any: lines,
  any_with: lines,
  everything: lines,
  everything_else: lines,
  in: lines,
  here: lines,
  everywhere: lines,
  this_room: lines,
  house: lines,
  and: lines,
  rooms: lines,
  same: z.array(lines),
  plural_endings: lines,
  /** Letters between the parts of a compound. Empty: the language writes compounds as several words. */
  links: lines.default([]),
  adjectives: lines,
  devices: z.record(z.enum(kinds), lines),
  states: lines,
  done: z.record(z.string(), z.string()),
  measures: lines,
  values: lines,
  later: lines,
  later_by: lines,
  times: lines,
  not_in_follow: lines,
  not_in_names: lines,
  deeds: z.record(
    z.string(),
    z.strictObject({
      area: phraseSchema(['area', 'value']).optional(),
      name: phraseSchema(['name', 'value']),
    }),
  ),
  as_each: lines,
  lighting: lines,
  domains: z.record(z.string(), lines),
  outdoors: z.strictObject({ areas: lines, words: lines, indoors: lines }),
  told: z.record(z.string(), phraseSchema(['things'])),
  /** Names of colors in CSS. */
  colors: lines,
  /** The nearest of them for a color without such a name. */
  color_names: z.record(z.string(), z.string()).default({}),
  /** Words for kelvin behind a number. */
  kelvin: lines,
  /** The color temperature of a white in kelvin. */
  whites: z.record(z.string(), z.number().int().positive()),
  amounts: z.record(z.string(), z.number()),
  speeds: z.strictObject({ of: lines, percent: z.record(z.string(), z.number()) }),
  numbers: z.record(z.string(), z.number()),
  upward: lines,
  downward: lines,
  brewers: lines,
  waterers: lines,
  kin: z.array(lines),
  alike: z.array(lines),
  vague: lines,
  particles: lines,
  of_house: lines,
  passed: z.record(z.string(), lines),
  passed_verbs: lines,
  not_passed: lines,
});

export type HomeWords = z.infer<typeof homeWordsSchema>;

/** An entity with every name that a person may use for it. */
export interface DescribedThing {
  id: string;
  /** Its name and aliases. */
  names: readonly string[];
  deviceClass: string | null;
  /** Its device's name, manufacturer and model. */
  device: readonly string[];
  /** The names of its room and floor. */
  place: readonly string[];
}

/** Home Assistant's names for its rooms and entities. */
export interface HouseNames {
  /** Rooms and floors. */
  areas: readonly string[];
  things: readonly { id: string; name: string }[];
  /** Every name and place of each entity. Without it, only the names count. */
  described?: readonly DescribedThing[];
}
