import { z } from 'zod';
import { neverSchema } from '../../language/grammar/slot-shape.ts';

const lines = z.array(z.string().trim().min(1));

export const mediaKinds = [
  'song',
  'album',
  'artist',
  'playlist',
  'podcast',
  'station',
  'book',
  'music',
] as const;
export type MediaKind = (typeof mediaKinds)[number];

const byKind = z.strictObject(Object.fromEntries(mediaKinds.map((kind) => [kind, lines])));

const musicWordsSchema = z.strictObject({
  /** Words that are never the name of media. */
  never: neverSchema,
  articles: lines,
  /** Words before a name that do not belong to it: "some", "my". */
  leading: lines,
  /** Words after it that do not belong to it. */
  trailing: lines,
  /** A kind before its name ("the album Abbey Road"), and after it ("my jazz playlist"). */
  before_name: byKind,
  after_name: byKind,
  /** Words between a kind and its name. */
  joints: lines,
  /** Words followed by an artist: "songs by". */
  makers: lines,
  /** Prepositions before a place or a player. */
  at_place: lines,
  at_player: lines,
  everywhere: lines,
  /** Words after a room that make it a player: "the kitchen speaker". */
  players: lines,
  between: z.string(),
  last: z.string(),
});

export type MusicWords = z.infer<typeof musicWordsSchema>;

/** The contents of `skills/music.yaml`. */
export const musicShape = {
  replies: {
    plays: ['title', 'where'],
    plays_by: ['title', 'artist', 'where'],
    asked_to: ['title', 'where'],
    nothing_found: ['query', 'where'],
    no_player: [],
    no_player_there: ['place'],
    cannot_search: ['player'],
    no_such_place: ['place'],
    one_place: [],
    which_room: ['rooms'],
    what: [],
    unreachable: [],
    failed: ['where'],
    in_room: ['room'],
    on_player: ['player'],
    kept: [],
  },
  words: musicWordsSchema,
} as const;
