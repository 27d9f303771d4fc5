import { describe, expect, test } from 'vitest';
import type { HomeFact } from '../../../../api/src/engines/home-facts-reader.ts';
import { HomeError } from '../../../../api/src/engines/home-fault.ts';
import type { FoundMedia } from '../../../../api/src/engines/home-players.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { createMusic } from '../../../../api/src/respond/music/music-responder.ts';
import { question } from '../../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });

const searches = 512 + 4_194_304;
const player = (id: string, name: string, features = searches, state = 'idle'): HomeFact => ({
  entity_id: `media_player.${id}`,
  state,
  attributes: {
    friendly_name: name,
    supported_features: features,
    temperature: null,
    humidity: null,
    wind_speed: null,
    wind_speed_unit: null,
    next_rising: null,
    next_setting: null,
    media_content_id: null,
    media_title: null,
    media_artist: null,
    media_series_title: null,
  },
});
const media = (title: string, media_class = 'track'): FoundMedia => ({
  title,
  media_class,
  media_content_type: 'music',
  media_content_id: `library://${title}`,
  can_play: true,
});

const kitchen = player('kitchen', 'Sonos');
const office = player('office', 'Desk speaker');
const rooms: Readonly<Record<string, readonly string[]>> = {
  Kitchen: ['media_player.kitchen'],
  Office: ['media_player.office'],
};

interface House {
  players?: readonly HomeFact[];
  finds?: readonly FoundMedia[] | 'trouble';
  /** It accepts a request to play, but does not play it. */
  isDeaf?: boolean;
  room?: string | null;
  isSure?: boolean;
  isServed?: boolean;
}

/** The answer, the searches, and the playback with its player. */
async function asked(text: string, house: House = {}) {
  const { players = [kitchen], finds = [media('Abbey Road', 'album')], isDeaf, room = null } = house;
  const { isSure = true, isServed = false } = house;
  const now = players.map((each) => structuredClone(each));
  const searched: string[] = [];
  const played: string[] = [];
  const done: string[] = [];
  const music = createMusic({
    client: {
      players: async () => structuredClone(now),
      async search(_id, { query, classes }) {
        searched.push([query, ...classes].join(' | '));
        if (finds === 'trouble') throw new HomeError('broken');
        return [...finds];
      },
      async playFound(id, { title, media_content_id }) {
        played.push(`${id}: ${title}`);
        const it = now.find(({ entity_id }) => entity_id === id);
        if (!it || isDeaf) return;
        it.state = 'playing';
        Object.assign(it.attributes, { media_content_id, media_title: title, media_artist: 'The Beatles' });
      },
    },
    house: {
      names: () => ({ rooms: Object.keys(rooms), devices: [] }),
      thingsIn: (_domains, name) => (rooms[name ?? ''] ?? []).map((id) => ({ id, name: id, aliases: [] })),
      areaOf: (name) => name,
    },
    language,
    notes: { note: async ({ kind }) => void done.push(kind) },
    onFailure: () => undefined,
    limits: { startMs: 3, pollIntervalMs: 1 },
  });
  const answer = await music(() => isServed).respond(question(text, { room, isSure }));
  return { text: answer?.text, kept: answer?.kept?.assistant, searched, played, done };
}

describe('a music request', () => {
  test.each([
    ['Play Yesterday by the Beatles.', 'Yesterday by the Beatles'],
    ['Please play the album Abbey Road', 'Abbey Road | album'],
    ['put on my jazz playlist', 'jazz | playlist'],
    ['I want to hear some soft rock please', 'soft rock'],
    ['can we hear music by Nina Simone', 'Nina Simone | artist'],
    ['play songs from my running playlist', 'running | playlist'],
    ['tune in to the jazz station', 'jazz'],
    ['start my running playlist', 'running | playlist'],
    ['play the song Dancing in the dark', 'Dancing in the dark | track | music'],
    ['resume the audiobook Emma', 'Emma'],
    ['could you find the song Hurt and play it for me', 'Hurt | track | music'],
  ])('searches for the media of %j', async (text, query) => {
    expect((await asked(text)).searched).toEqual([query]);
  });

  test.each([
    'Play a game.',
    'Play rummy with me.',
    'I want to hear a joke.',
    'play the next episode',
    'play jazz in ten minutes',
    'Play it again.',
    'Start the washing machine.',
    'Find me the nearest gas station.',
    'Put the current song on my running playlist',
    'I play the piano.',
    'play the Sonos',
    'turn on the kitchen radio',
  ])('does not include %s', async (text) => {
    const { text: answer, searched } = await asked(text, { room: 'Kitchen' });
    expect([answer, searched]).toEqual([undefined, []]);
  });
});

describe('playing by name', () => {
  test('names the real title and the player', async () => {
    const { text, played, kept, done } = await asked('play Abbey Road in the kitchen', {
      players: [kitchen, office],
    });
    expect(text).toBe('Playing Abbey Road by The Beatles in the kitchen.');
    expect(played).toEqual(['media_player.kitchen: Abbey Road']);
    expect(kept).toBe('I played the music you asked for.');
    expect(done).toEqual(['home.command']);
  });

  test('prefers an exact name to the first result', async () => {
    const finds = [media('Yesterday Once More'), media('Yesterday')];
    expect((await asked('play the song yesterday', { finds })).played).toEqual([
      'media_player.kitchen: Yesterday',
    ]);
  });

  test('plays no other kind of media', async () => {
    const { text, played } = await asked('play the playlist Abbey Road');
    expect([text, played]).toEqual(['I found nothing for Abbey Road in the kitchen.', []]);
  });

  test('does not claim to play before the player does', async () => {
    const { text } = await asked('play Abbey Road', { isDeaf: true });
    expect(text).toBe('I asked for Abbey Road in the kitchen, but I do not see it playing yet.');
  });

  test('reports a player that cannot be searched', async () => {
    const { text, played } = await asked('play Abbey Road', { finds: 'trouble' });
    expect([text, played]).toEqual(['Home Assistant could not search for that.', []]);
  });
});

describe('the player of a request', () => {
  const both = [kitchen, office];

  test.each<[string, House, string]>([
    ['play Abbey Road', { players: both, room: 'Office' }, 'media_player.office: Abbey Road'],
    ['play Abbey Road on the Sonos', { players: both, room: 'Office' }, 'media_player.kitchen: Abbey Road'],
    ['play Abbey Road on the office speaker', { players: both }, 'media_player.office: Abbey Road'],
    [
      'play Abbey Road',
      { players: [kitchen, player('office', 'Desk speaker', searches, 'playing')] },
      'media_player.office: Abbey Road',
    ],
    ['play Abbey Road', { players: [player('tv', 'TV', 512), office] }, 'media_player.office: Abbey Road'],
  ])('is chosen for %j', async (text, house, played) => {
    expect((await asked(text, house)).played).toEqual([played]);
  });

  test.each<[string, House, string]>([
    [
      'play Abbey Road',
      { players: both },
      'Where shall I play it? Please say it again with the room or the player: Kitchen or Office.',
    ],
    ['play Abbey Road in the garage', {}, 'I do not know any garage.'],
    ['play Abbey Road in the office', {}, 'There is no player in the office that can search for music.'],
    [
      'play Abbey Road on the TV',
      { players: [player('tv', 'TV', 512), office] },
      'The TV cannot search for music.',
    ],
    ['play Abbey Road everywhere', {}, 'I can play that in one room at a time. Please say the room.'],
    [
      'play some music',
      {},
      'What shall I play? Please say the name of a song, an artist, a playlist or a station.',
    ],
    [
      'play Abbey Road',
      { players: [player('tv', 'TV', 512)] },
      'None of the players that are exposed to Assist in Home Assistant can search for music. Music Assistant adds players that can.',
    ],
  ])('%s: asked back or refused', async (text, house, reply) => {
    const { text: said, played } = await asked(text, house);
    expect([said, played]).toEqual([reply, []]);
  });

  test('may be a tool server if there is none', async () => {
    expect((await asked('play Abbey Road', { players: [], isServed: true })).text).toBeUndefined();
  });
});
