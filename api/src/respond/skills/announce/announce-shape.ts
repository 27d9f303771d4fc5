import { z } from 'zod';
import { neverSchema } from '../../../language/grammar/slot-shape.ts';
import { phraseSchema } from '../../../language/phrase.ts';

const texts = z.array(z.string());

const announceWordsSchema = z.strictObject({
  /** Words that never fill a slot. */
  never: z.strictObject({ message: neverSchema, said: neverSchema, deed: neverSchema, place: neverSchema }),
  articles: texts,
  /** Rooms that a home may have, with or without a satellite. */
  places: texts,
  /** Last words that turn any name into a room: "Anna's ROOM". */
  place_ends: texts,
  /** People, by the names of their rooms. */
  people: z.record(z.string(), texts),
  /** Signs of a clause: its first word, a word anywhere, or an ending of a word. */
  clause: z.strictObject({
    subjects: texts,
    verbs: texts,
    endings: texts,
    /** An ending that marks a verb only before one of these. */
    short: z.string(),
    behind_short: texts,
  }),
  /** The message for a subordinate clause in languages where its word order is not that of a sentence. */
  that: phraseSchema(['text']).optional(),
  /** Words of a request, reworded for the listeners. */
  addressed: z.record(z.string(), z.string()),
  meals: texts,
  /** Messages that are calls instead of sentences. */
  calls: texts,
  /** Words after a message that address the assistant. */
  courtesies: texts,
  room: z.string(),
  /** A room name with this mark already names its owner. */
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
    what: [],
    shall_announce: ['text'],
    did: ['text'],
    cannot_undo: [],
  },
  words: announceWordsSchema,
} as const;
