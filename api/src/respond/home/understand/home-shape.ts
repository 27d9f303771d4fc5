import { z } from 'zod';
import { homeWordsSchema } from './home-words.ts';

/** Replies that report a command to the house, and undo it. */
export const outcomeReplies = {
  said: ['text'],
  ok: [],
  set_degrees: ['things_start', 'value'],
  set_percent: ['things_start', 'value'],
  was_set_degrees: ['things_start', 'value'],
  was_set_percent: ['things_start', 'value'],
  silent_one: ['things_start'],
  silent_some: ['things_start'],
  not_yet: ['things'],
  not_yet_some: ['things'],
  unsure: [],
  untold_one: ['things_start'],
  untold_some: ['things_start'],
  did_some: ['text', 'problem'],
  heating_off: [],
  already_locked_one: ['things_start'],
  already_locked_some: ['things_start'],
  did: ['text'],
  undid: ['things'],
  undo_failed: [],
  cannot_undo: [],
} as const;

/** The words of `skills/home-outcome.yaml`. */
const outcomeWordsSchema = z.strictObject({
  /** The separators between names, and before the last one. */
  between: z.string(),
  last: z.string(),
  /** Words behind a number in percent. */
  percent: z.array(z.string().trim().min(1)),
  ...homeWordsSchema.pick({
    determiners: true,
    all: true,
    in: true,
    and: true,
    domains: true,
    outdoors: true,
    plural_endings: true,
    links: true,
    same: true,
    kin: true,
    alike: true,
    vague: true,
    particles: true,
    numbers: true,
    told: true,
    amounts: true,
    degrees: true,
  }).shape,
});

export type OutcomeWords = z.infer<typeof outcomeWordsSchema>;

/** The contents of `skills/home-outcome.yaml`, for a language without a grammar of the house. */
export const outcomeShape = {
  replies: {
    ...outcomeReplies,
    several_things: ['things'],
    yes: [],
    no: [],
    not_all: ['things', 'others'],
  },
  words: outcomeWordsSchema,
} as const;

/** The contents of `skills/home.yaml`. */
export const homeShape = {
  replies: {
    ...outcomeReplies,
    not_known: ['bare'],
    not_known_here: ['bare', 'room'],
    not_possible: ['target'],
    which_room: [],
    which_one: ['names'],
    which_one_whole: ['names'],
    sure_of: ['names'],
    sure_of_many: ['count'],
    which_place: ['bare', 'rooms'],
    same_name: ['bare'],
    too_many: [],
    which_color: [],
    which_scale: [],
    except_what: [],
    which_brightness: [],
    which_volume: [],
    which_temperature: [],
    which_position: [],
    which_speed: [],
    which_value: [],
    which_value_whole: [],
    no_rooms: [],
    cleans_anywhere: ['things'],
    no_player_here: ['room'],
    all_off: [],
    heating_off_offer: [],
    not_dimmable: ['things_start'],
    no_color: ['things_start'],
    no_color_temperature: ['things_start'],
    no_speed: ['things_start'],
    no_position: ['things_start'],
    no_volume: ['things_start'],
    temperature: ['value'],
    out_of_limits: ['thing', 'low', 'high'],
    takes_no_temperature: ['things_start'],
    temperatures: ['low', 'high'],
    level: ['value'],
    levels: ['low', 'high'],
    no_question: [],
    broke: [],
    acted: ['text'],
    not_later: [],
    not_a_command: [],
    unreachable: [],
    lost: [],
    slow: [],
    late: [],
    starting: [],
    refused: [],
    banned: [],
    missing: [],
    broken: [],
  },
  words: homeWordsSchema,
} as const;
