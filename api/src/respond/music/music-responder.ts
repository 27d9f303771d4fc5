import type { ActionNotes } from '../../actions/action-notes.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import type { HomeFact } from '../../engines/home-facts-reader.ts';
import { HomeError } from '../../engines/home-fault.ts';
import type { FoundMedia } from '../../engines/home-players.ts';
import { createGrammar } from '../../language/grammar/grammar.ts';
import { createSlotShape } from '../../language/grammar/slot-shape.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { Language } from '../../language/language.ts';
import { joined } from '../../language/phrase.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import { foreign } from '../calendar/foreign-words.ts';
import { withDryRun } from '../core/dry-run.ts';
import { aside, type DryRunResponder } from '../core/responder.ts';
import { type Ask, defineSkill, intentsOf, type SkillReply } from '../core/skill.ts';
import { loadSkill, type SayReply } from '../core/skill-language.ts';
import { createSkillResponder } from '../core/skill-responder.ts';
import { type SlotValues, wordsIn } from '../core/slot.ts';
import type { HomeAction } from '../home/home-records.ts';
import type { House } from '../home/house.ts';
import { homeShape } from '../home/understand/home-shape.ts';
import { createMusicRequestReader, type MusicRequest } from './music-request-reader.ts';
import { type MediaKind, musicShape } from './music-shape.ts';
import { createPlayAndSee, type PlayedMedia } from './play-and-see.ts';
import { choosePlayer, type Player, type PlayerChoice } from './player-choice.ts';

interface MusicOptions {
  client: Pick<HomeClient, 'players' | 'search' | 'playFound'>;
  house: Pick<House, 'thingsIn' | 'names' | 'areaOf'>;
  language: Language;
  notes: Pick<ActionNotes<HomeAction>, 'note'>;
  onFailure: (error: HomeError) => void;
  limits?: { startMs: number; pollIntervalMs: number };
}

export type Music = ReturnType<typeof createMusic>;
type SayMusic = SayReply<keyof (typeof musicShape)['replies']>;

/** Home Assistant's classes for a kind; empty: no clear class. */
const classesOf: Readonly<Record<MediaKind, readonly string[]>> = {
  song: ['track', 'music'],
  album: ['album'],
  artist: ['artist'],
  playlist: ['playlist'],
  podcast: ['podcast'],
  station: [],
  book: [],
  music: [],
};
const slots = { wish: wordsIn() };
type Said = SlotValues<typeof slots>;
const { does } = intentsOf<Said>();

/** Plays media by name: a Home Assistant player searches for it. The reply names only what then plays. */
export function createMusic({ client, house, language, notes, onFailure, limits }: MusicOptions) {
  const { sentencesOf, words, reply: say } = loadSkill(language.files, 'music', musicShape);
  const known = loadSkill(language.files, 'home', homeShape).words.rooms;
  const grammar = createGrammar(language.grammar);
  const read = createMusicRequestReader(words, grammar.readWords);
  const playAndSee = createPlayAndSee({ client, ...(limits && { limits }) });
  const where = ({ room, fact }: Player): string =>
    room === null
      ? say('on_player', { player: foreign(fact.attributes.friendly_name) })
      : say('in_room', { room: room.toLowerCase() });
  const refusal = refusalOf(say, (texts) => joined(texts, words));

  const withRooms = (facts: readonly HomeFact[]): Player[] => {
    const rooms = house.names().rooms.map((name) => ({
      name,
      ids: house.thingsIn(['media_player'], name).map(({ id }) => id),
    }));
    return facts.map((fact) => ({
      fact,
      room: rooms.find(({ ids }) => ids.includes(fact.entity_id))?.name ?? null,
    }));
  };

  const reportFailure = (error: unknown): 'failed' => {
    if (!(error instanceof HomeError)) throw error;
    onFailure(error);
    return 'failed';
  };

  const playingText = (
    now: PlayedMedia | null,
    media: FoundMedia,
    player: Player,
    turn: Ask['turn'],
  ): string => {
    const values = { title: foreign(now?.title ?? media.title), where: where(player) };
    if (!now) return say('asked_to', values, turn);
    return now.artist === null
      ? say('plays', values, turn)
      : say('plays_by', { ...values, artist: foreign(now.artist) }, turn);
  };

  const find = async (
    player: Player,
    { query, kind }: MusicRequest,
    { signal }: Ask,
  ): Promise<FoundMedia | null> => {
    const classes = kind === null ? [] : classesOf[kind];
    const all = await client.search(player.fact.entity_id, { query, classes }, signal);
    const wanted = all.filter((each) => classes.length === 0 || classes.includes(each.media_class));
    const same = wanted.find(({ title }) => title.toLowerCase() === query.toLowerCase());
    return same ?? wanted[0] ?? null;
  };

  const playOn = async (player: Player, wish: MusicRequest, ask: Ask): Promise<SkillReply> => {
    const { turn, signal } = ask;
    const media = await find(player, wish, ask);
    if (!media) return say('nothing_found', { query: wish.query, where: where(player) }, turn);
    await ask.beginActing();
    const now = await playAndSee(player.fact, media, signal).catch(reportFailure);
    if (now === 'failed') return say('failed', { where: where(player) }, turn);
    const done = { kind: 'home.command', text: turn.text, isUnsure: now === null } as const;
    await notes.note({ ...done, turn: turn.id, at: turn.createdAt }, turn.conversation);
    // The title is text from outside, which the model must not see.
    return { text: playingText(now, media, player, turn), kept: aside(say('kept', {}, turn)) };
  };

  /** `needsKind`: the words count as a music request only if they name a kind. */
  const play = async (
    ask: Ask,
    said: readonly Word[],
    { needsKind, isServed }: { needsKind: boolean; isServed: boolean },
  ): Promise<SkillReply | null> => {
    const { turn, signal } = ask;
    try {
      const places = { rooms: house.names().rooms, known };
      const players = withRooms(await client.players(signal));
      const names = players.map(({ fact }) => fact.attributes.friendly_name);
      const wish = read(said, turn.text, { ...places, players: names });
      if (needsKind && wish.kind === null) return null;
      if (wish.isPlace) return null;
      const choice = choosePlayer({ players, place: wish.place, room: house.areaOf(turn.room) });
      if (choice.kind === 'none' && isServed) return null;
      if (choice.kind !== 'chosen') return refusal(choice, ask);
      return wish.query === '' ? say('what', {}, turn) : await playOn(choice.player, wish, ask);
    } catch (error) {
      reportFailure(error);
      return say('unreachable', {}, turn);
    }
  };

  /** If a tool server may play it, a house without players leaves it to the language model. */
  return (mayBeServed: (settings: Pipeline) => boolean): DryRunResponder => {
    const playFor = (ask: Ask, { wish }: Said, needsKind: boolean) =>
      wish && play(ask, wish, { needsKind, isServed: mayBeServed(ask.settings) });
    const { respond } = createSkillResponder({
      grammar,
      skills: [
        defineSkill({
          name: 'music',
          sentencesOf,
          slots,
          slotTypes: {
            wish: { isOpen: true, costPerWord: 2, shape: createSlotShape(words.never, words.articles) },
          },
          intents: {
            play: does((ask, said) => playFor(ask, said, false)),
            of_kind: does((ask, said) => playFor(ask, said, true)),
          },
        }),
      ],
    });
    return withDryRun({ name: 'home', respond });
  };
}

/** Explains why nothing plays. */
function refusalOf(say: SayMusic, listed: (texts: readonly string[]) => string) {
  return (choice: Exclude<PlayerChoice, { kind: 'chosen' }>, { turn }: Ask): string => {
    switch (choice.kind) {
      case 'none':
        return say('no_player', {}, turn);
      case 'none_there':
        return say('no_player_there', { place: choice.place.toLowerCase() }, turn);
      case 'cannot':
        return say('cannot_search', { player: foreign(choice.player) }, turn);
      case 'no_such_place':
        return say('no_such_place', { place: choice.place }, turn);
      case 'one_place':
        return say('one_place', {}, turn);
      case 'which': {
        const names = choice.players.map(({ fact, room }) => room ?? fact.attributes.friendly_name);
        return say('which_room', { rooms: listed([...new Set(names)].map(foreign)) }, turn);
      }
    }
  };
}
