import { z } from 'zod';
import { neverSchema } from '../../../language/grammar/slot-shape.ts';

const texts = z.array(z.string());

export const announceWordsSchema = z.strictObject({
  /** What never stands in a slot. */
  never: z.strictObject({ message: neverSchema, said: neverSchema, deed: neverSchema, place: neverSchema }),
  articles: texts,
  /** Rooms that a home may have, with a satellite or without. */
  places: texts,
  /** A last word that makes a room of any words: "Anna's room". */
  place_ends: texts,
  /** People by the names of the rooms that are theirs. */
  people: z.record(z.string(), texts),
  /** A sentence begins with one of these, or holds one of those, or a word that ends like this. */
  clause: z.strictObject({
    subjects: texts,
    verbs: texts,
    endings: texts,
    /** An ending that is a verb only before one of these. */
    short: z.string(),
    behind_short: texts,
  }),
  /** Words of a request for others, as they are said to them. */
  addressed: z.record(z.string(), z.string()),
  meals: texts,
  /** What is a message without being a sentence. */
  calls: texts,
  /** Words behind a message that are meant for the assistant. */
  courtesies: texts,
  room: z.string(),
  /** A room whose name has this says already whose it is. */
  own_mark: z.string(),
  nameless: z.string(),
  between: z.string(),
  last: z.string(),
});

export type AnnounceWords = z.infer<typeof announceWordsSchema>;

const rooms = ['rooms'];

export const announceShape = {
  replies: {
    please: ['deed'],
    come: ['meal'],
    told: rooms,
    told_many: ['count'],
    busy: rooms,
    failed: rooms,
    missing: rooms,
    nobody: [],
    nobody_else: [],
    maybe: [],
    too_long: [],
    shall_disturb: [],
    shall_all: ['people'],
    no_way_back: [],
    did: ['text'],
    cannot_undo: [],
  },
  words: announceWordsSchema,
} as const;
