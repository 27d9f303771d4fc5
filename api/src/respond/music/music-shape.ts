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

export const musicWordsSchema = z.strictObject({
  /** What is never the name of something to play. */
  never: neverSchema,
  articles: lines,
  /** Words before a name that are no part of it: "some", "my". */
  leading: lines,
  /** Words behind it that are no part of it. */
  trailing: lines,
  /** A kind before its name: "the album Abbey Road", and behind it: "my jazz playlist". */
  before_name: byKind,
  after_name: byKind,
  /** Between a kind and its name. */
  joints: lines,
  /** These make what follows an artist: "songs by". */
  makers: lines,
  /** Before a place, and before a player. */
  at_place: lines,
  at_player: lines,
  everywhere: lines,
  /** A room with one of these behind it is a player there: "the kitchen speaker". */
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
