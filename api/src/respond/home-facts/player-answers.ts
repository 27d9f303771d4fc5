import type { HomeFact } from '../../engines/home-facts-reader.ts';
import { foreign } from '../calendar/foreign-words.ts';
import type { FactsAsk, SayFact } from '../calendar/home-facts-shape.ts';

interface PlayerOptions {
  client: { players(signal: AbortSignal): Promise<HomeFact[]> };
  /** The entities of some domains in a room. */
  thingsIn: (domains: readonly string[], room: string | null) => { id: string }[];
  say: SayFact;
}

/** Listeners cannot follow more. */
const maxPlayers = 3;

/**
 * Names the playing media: in the speaker's room, else anywhere in the house. Null: no player is exposed to
 * Assist.
 */
export function createPlayerAnswers({ client, thingsIn, say }: PlayerOptions) {
  const describe = ({ attributes }: HomeFact, { turn }: FactsAsk): string => {
    const {
      media_title: title,
      media_artist: artist,
      media_series_title: series,
      friendly_name: name,
    } = attributes;
    const by = artist ?? series;
    if (!title) return say('plays_unnamed', { player: name }, turn);
    const values = { title: foreign(title), player: name };
    return by ? say('plays_by', { ...values, artist: foreign(by) }, turn) : say('plays', values, turn);
  };

  return async (ask: FactsAsk): Promise<string | null> => {
    const players = await client.players(ask.signal);
    if (players.length === 0) return null;
    const playing = players.filter(({ state }) => state === 'playing');
    const room = ask.turn.room === null ? [] : thingsIn(['media_player'], ask.turn.room).map(({ id }) => id);
    const here = playing.filter(({ entity_id: id }) => room.includes(id));
    const all = here.length > 0 ? here : playing;
    // Prefers players that report a title.
    const named = all.filter(({ attributes }) => attributes.media_title);
    const shown = (named.length > 0 ? named : all).slice(0, maxPlayers);
    return shown.length > 0
      ? shown.map((each) => describe(each, ask)).join(' ')
      : say('plays_nothing', {}, ask.turn);
  };
}
