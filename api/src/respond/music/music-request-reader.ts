import { joinedWords, textOf, type Word, type WordReader } from '../../language/grammar/words.ts';
import { type MediaKind, type MusicWords, mediaKinds } from './music-shape.ts';

/** A request for music. */
export interface MusicRequest {
  /** '' for a request without a name: "some music". */
  query: string;
  kind: MediaKind | null;
  /** The place to play in; null: none was named. */
  place: MusicPlace | null;
  /** The words name a player or a room instead of media. */
  isPlace: boolean;
}

type MusicPlace =
  | { kind: 'room' | 'player' | 'unknown'; name: string }
  /** In more than one room. */
  | { kind: 'everywhere' };

/** A name, and its spoken kind. */
interface Named {
  rest: readonly Word[];
  kind: MediaKind | null;
}

interface Placed {
  rest: readonly Word[];
  place: MusicPlace | null;
}

interface Places {
  rooms: readonly string[];
  players: readonly string[];
  /** Names of rooms that any home may have. */
  known: readonly string[];
}

/** Reads the media and the place: "the album Abbey Road in the kitchen". */
export function createMusicRequestReader(words: MusicWords, readWords: WordReader) {
  const phrases = (texts: readonly string[]) =>
    texts
      .map((text) => readWords(text).map(({ word }) => word))
      .toSorted((one, other) => other.length - one.length);
  const kindsBefore = mediaKinds.map((kind) => ({ kind, names: phrases(words.before_name[kind] ?? []) }));
  const kindsAfter = mediaKinds.map((kind) => ({ kind, names: phrases(words.after_name[kind] ?? []) }));
  const [leading, trailing] = [phrases(words.leading), phrases(words.trailing)];
  const [joints, makers, everywhere] = [
    phrases(words.joints),
    phrases(words.makers),
    phrases(words.everywhere),
  ];
  const articles = new Set(words.articles);
  const players = new Set(words.players);
  const plain = (name: string) => joinedWords(readWords(name));

  const withoutFirst = (said: readonly Word[], all: readonly string[][]): readonly Word[] => {
    const found = all.find((phrase) => begins(said, phrase));
    return found ? withoutFirst(said.slice(found.length), all) : said;
  };
  const withoutLast = (said: readonly Word[], all: readonly string[][]): readonly Word[] => {
    const found = all.find((phrase) => ends(said, phrase));
    return found ? withoutLast(said.slice(0, -found.length), all) : said;
  };

  const withoutArticle = (said: readonly Word[]) =>
    articles.has(said[0]?.word ?? '') ? said.slice(1) : said;
  /** The place that these words name. Null: none. */
  const placeOf = (named: readonly Word[], places: Places, isPlayer: boolean): MusicPlace | null => {
    const name = joinedWords(named);
    const find = (names: readonly string[], text = name) => names.find((each) => plain(each) === text);
    const player = find(places.players);
    if (player !== undefined) return { kind: 'player', name: player };
    const spot = players.has(named.at(-1)?.word ?? '') ? joinedWords(named.slice(0, -1)) : null;
    const room = spot === null ? find(places.rooms) : find(places.rooms, spot);
    if (room !== undefined) return { kind: 'room', name: room };
    const unknown = find(places.known, spot ?? name);
    return unknown === undefined || (isPlayer && spot === null) ? null : { kind: 'unknown', name };
  };

  /** The place that starts here: "in the kitchen". */
  const placeAt = (said: readonly Word[], at: number, places: Places): MusicPlace | null => {
    const word = said[at]?.word ?? '';
    const isPlayer = words.at_player.includes(word);
    if (!isPlayer && !words.at_place.includes(word)) return null;
    return placeOf(withoutArticle(said.slice(at + 1)), places, isPlayer);
  };
  /** Splits the place off the end. */
  const splitPlace = (said: readonly Word[], places: Places): Placed => {
    const all = everywhere.find((phrase) => ends(said, phrase));
    if (all) return { rest: said.slice(0, -all.length), place: { kind: 'everywhere' } };
    for (let at = 0; at < said.length - 1; at += 1) {
      const place = placeAt(said, at, places);
      if (place) return { rest: said.slice(0, at), place };
    }
    return { rest: said, place: null };
  };

  /** "Songs by Queen" names an artist; "songs from my jazz playlist" names a playlist. */
  const byMaker = (said: readonly Word[]): Named => {
    const inner = splitKind(withoutFirst(said, leading));
    return inner.kind === null ? { rest: said, kind: 'artist' } : inner;
  };
  /** Separates the kind from the name. */
  const splitKind = (said: readonly Word[]): Named => {
    const bare = withoutArticle(said);
    for (const { kind, names } of kindsBefore) {
      const found = names.find((phrase) => begins(bare, phrase));
      if (!found) continue;
      const rest = bare.slice(found.length);
      const maker = makers.find((phrase) => begins(rest, phrase));
      if (maker) return byMaker(rest.slice(maker.length));
      return { rest: withoutFirst(rest, joints), kind };
    }
    for (const { kind, names } of kindsAfter) {
      const found = names.find((phrase) => ends(bare, phrase));
      if (found) return { rest: bare.slice(0, -found.length), kind };
    }
    return { rest: said, kind: null };
  };

  return (wish: readonly Word[], text: string, places: Places): MusicRequest => {
    const { rest: named, place } = splitPlace(withoutLast(wish, trailing), places);
    const { rest, kind } = splitKind(withoutFirst(withoutLast(named, trailing), leading));
    const query = rest.length === 0 ? '' : textOf(text, rest);
    const name = joinedWords(withoutArticle(rest));
    const isPlace = [...places.players, ...places.rooms].some((each) => plain(each) === name);
    return { query, kind, place, isPlace };
  };
}

function begins(said: readonly Word[], phrase: readonly string[]): boolean {
  return phrase.length <= said.length && phrase.every((word, at) => said[at]?.word === word);
}

function ends(said: readonly Word[], phrase: readonly string[]): boolean {
  const from = said.length - phrase.length;
  return from >= 0 && phrase.every((word, at) => said[from + at]?.word === word);
}
