import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectListen, type ListenClient } from '../support/clients/listen-client.ts';
import { enterRoom, voiceOf } from '../support/clients/room.ts';
import { isReady, type RunningApi, startApi } from '../support/servers/assistant.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let home: VoiceHousehold;
let other: RunningApi;
let satellites: { close?: () => Promise<unknown>; leave?: () => Promise<unknown> }[] = [];

beforeAll(async () => {
  home = await startVoiceHousehold({ env: { TZ: 'UTC' } });
  other = await startApi({ ...home.urls });
  await isReady(other);
});
beforeEach(() => {
  home.forget();
  home.piper.speaks(voiceOf);
});
afterEach(async () => {
  await Promise.all(satellites.map((each) => (each.leave ?? each.close)?.()));
  satellites = [];
  await home.assistant.call('/admin/pipeline', {
    method: 'PATCH',
    body: { quiet_from: null, quiet_to: null },
  });
  await waitFor(async () => (await home.store.hlen('hearth:connected-satellites')) === 0);
});
afterAll(async () => {
  await other?.stop();
  await home?.stop();
});

const story = Array.from(
  { length: 12 },
  (_, n) => `On day ${n + 1} the king went for a long walk in the woods.`,
);
const known = (client: string) =>
  waitFor(async () =>
    (await home.store.hvals('hearth:connected-satellites')).some((each) => each.includes(`"${client}"`)),
  );

/** A satellite until the end of the test, known to every process. */
async function connect(room: string, { address }: { address: string } = home.assistant) {
  const satellite = await connectListen(address, { client: `${room}-satellite`, room });
  satellites.push(satellite);
  await known(`${room}-satellite`);
  return satellite;
}

/** The same with an open microphone. */
async function enter(room: string) {
  const entered = await enterRoom(home.assistant.address, { client: `${room}-satellite`, room });
  satellites.push({ leave: entered.leave });
  await known(`${room}-satellite`);
  return entered;
}

const ask = async (text: string, more: { room?: string; client?: string } = {}) => {
  const { body } = await home.assistant.call('/ask', { body: { text, client: 'typist', ...more } });
  return (body as { reply: string }).reply;
};
const heard = async (satellite: Pick<ListenClient, 'exchange'>, nth = 0) => {
  const { done, sound } = await satellite.exchange(nth, 20_000);
  return { reply: done.reply, via: done.via, status: done.status, ms: sound.length / 32 };
};
/** It is quiet now, and for hours. */
const beQuiet = () => {
  const hour = (later: number) => `${String((new Date().getUTCHours() + later) % 24).padStart(2, '0')}:00`;
  return home.assistant.call('/admin/pipeline', {
    method: 'PATCH',
    body: { quiet_from: hour(3), quiet_to: hour(2) },
  });
};
const responses = ({ events }: Pick<ListenClient, 'events'>) =>
  events.filter(({ event }) => event.type === 'response.created').length;

describe('an announcement', () => {
  test('plays a chime and its words in every room except its own', async () => {
    const [kitchen, bath, office] = [
      await connect('kitchen'),
      await connect('bath', other),
      await connect('office'),
    ];

    const reply = await ask('Tell everybody that dinner is ready.', { room: 'office' });

    const said = { reply: 'Dinner is ready.', via: 'announcement', status: 'completed' };
    expect(await heard(kitchen)).toMatchObject(said);
    expect(await heard(bath)).toMatchObject(said);
    // The words alone take 400 ms in this voice.
    expect((await heard(kitchen)).ms).toBeGreaterThan(1_200);
    expect(reply).toMatch(/^I told the (kitchen and the bath|bath and the kitchen)\.$/);
    expect(responses(office)).toBe(0);
  });

  test('plays in the named rooms, and reports rooms without a satellite', async () => {
    const [kitchen, bath] = [await connect('kitchen'), await connect('bath')];

    const reply = await ask('Announce in the kitchen and the garden that we leave in five minutes.');

    expect(reply).toBe('I told the kitchen. There is no satellite in the garden.');
    expect((await heard(kitchen)).reply).toBe('We leave in five minutes.');
    expect(responses(bath)).toBe(0);
  });

  test.each([
    ['Dinner is ready', 'Dinner is ready.'],
    ['who wants ice cream?', 'Who wants ice cream?'],
  ])('asks for its text, and takes any words: %s', async (words, text) => {
    const [kitchen, bath] = [await connect('kitchen'), await connect('bath')];

    const asked = await ask('Make an announcement in the kitchen.');
    const told = await ask(words);

    expect([asked, told]).toEqual(['What shall I announce?', 'I told the kitchen.']);
    expect((await heard(kitchen)).reply).toBe(text);
    expect(responses(bath)).toBe(0);
  });

  test.each([
    ['Make an announcement.', 'No satellite is connected, so nobody would hear it.'],
    ['Make an announcement in the kitchen.', 'There is no satellite in the kitchen.'],
  ])('does not ask for a text that nobody would hear: %s', async (words, told) => {
    expect(await ask(words)).toBe(told);
  });

  test('is not made after "never mind"', async () => {
    const kitchen = await connect('kitchen');

    await ask('Announce something.', { client: 'undecided' });
    await ask('Never mind.', { client: 'undecided' });
    const next = await ask('Dinner is ready.', { client: 'undecided' });

    expect(next).not.toMatch(/told/);
    expect(responses(kitchen)).toBe(0);
  });

  test('reports that no other satellite is connected', async () => {
    const nobody = await ask('Tell everybody that dinner is ready.', { room: 'kitchen' });
    const kitchen = await connect('kitchen');
    const onlyHere = await ask('Tell everybody that dinner is ready.', { room: 'kitchen' });
    const noGarden = await ask('Announce in the garden that dinner is ready.');

    expect(nobody).toBe('No satellite is connected, so nobody would hear it.');
    expect(onlyHere).toBe('No other room is connected.');
    expect(noGarden).toBe('There is no satellite in the garden.');
    expect(responses(kitchen)).toBe(0);
  });

  test('does not count a satellite whose process is gone', { tags: 'slow' }, async () => {
    await home.store.hset(
      'hearth:connected-satellites',
      'gone',
      JSON.stringify({ room: 'attic', conversation: 'attic-satellite', seenAt: Date.now() + 60_000 }),
    );

    const reply = await ask('Announce in the attic that dinner is ready.').finally(() =>
      home.store.hdel('hearth:connected-satellites', 'gone'),
    );

    expect(reply).toBe('There is no satellite in the attic.');
  });

  test('waits until an answer is over, and says so', {
    timeout: 30_000,
    tags: 'slow',
  }, async () => {
    home.stt.hears('Why is the sky blue?');
    home.llm.answers(() => story.join(' '));
    const kitchen = await enter('kitchen');
    await kitchen.say('weather');
    await kitchen.event('response.output_audio.started');

    const reply = await ask('Announce in the kitchen that dinner is ready.');

    expect(reply).toBe('Somebody is talking in the kitchen. I will say it there in a moment.');
    expect((await heard(kitchen, 0)).via).toBe('local');
    expect(await heard(kitchen, 1)).toMatchObject({ reply: 'Dinner is ready.', via: 'announcement' });
  });

  test('can be answered by voice to the room it came from', { tags: 'slow' }, async () => {
    const kitchen = await enter('kitchen');
    const office = await enter('office');
    home.stt.hears('Announce in the office that dinner is ready.');
    await kitchen.say('weather');
    expect(await heard(office)).toMatchObject({ reply: 'Dinner is ready.', via: 'announcement' });
    expect((await heard(kitchen)).reply).toBe('I told the office.');

    home.stt.hears("Tell them I'm coming.");
    await office.say('weather');

    expect((await heard(office, 1)).reply).toBe('I told the kitchen.');
    expect(await heard(kitchen, 1)).toMatchObject({ reply: "I'm coming.", via: 'announcement' });
  });

  test('must exist before it can be answered', async () => {
    await connect('kitchen');

    expect(await ask('Answer that I am coming.', { client: 'somebody-else' })).toBe('Yes.');
    expect(home.llm.calls).toHaveLength(1);
  });

  test('needs a yes in quiet hours', async () => {
    await beQuiet();
    const kitchen = await connect('kitchen');

    const question = await ask('Tell everybody that dinner is ready.', { client: 'night' });
    const before = responses(kitchen);
    const reply = await ask('Yes.', { client: 'night' });

    expect(question).toBe('Quiet hours are on. Shall I announce it anyway?');
    expect(before).toBe(0);
    expect(reply).toBe('I told the kitchen.');
    expect((await heard(kitchen)).reply).toBe('Dinner is ready.');
  });

  test('finds the room of a person, or asks whether to play everywhere', async () => {
    await connect('kitchen');
    const question = await ask('Tell the kids to wash their hands.', { client: 'parent' });
    const nursery = await connect('kids room');
    const reply = await ask('Tell the kids to wash their hands.', { client: 'parent' });

    expect(question).toBe('No room that I know of belongs to the kids. Shall I tell everybody?');
    expect(reply).toBe('I told the kids room.');
    expect((await heard(nursery)).reply).toBe('Please wash your hands.');
  });

  test('is not undone, and neither is the action before it', async () => {
    await connect('kitchen');
    const client = 'regrets';
    await ask('Add milk to the shopping list.', { client });
    await ask('Tell everybody that dinner is ready.', { client });

    const undone = await ask('Undo that.', { client });
    const list = await ask('What is on the shopping list?', { client });

    expect(undone).toBe('I cannot take back what was announced.');
    expect(list).toContain('milk');
  });

  test('is not for people and things without a room', async () => {
    await connect('kitchen');

    expect(await ask('Tell Anna that I love her.')).toBe('Yes.');
    expect(await ask('Announce in German that dinner is ready.')).toBe('Yes.');
  });
});

describe('POST /announcements', () => {
  const announce = (body: object) => home.assistant.call('/announcements', { body });

  test('plays in the named rooms', async () => {
    const [kitchen, bath] = [await connect('Kitchen'), await connect('bath', other)];

    const { status, body } = await announce({ text: ' The washing is done. ', rooms: ['kitchen', 'garden'] });

    expect({ status, body }).toEqual({
      status: 200,
      body: { satellites: [{ room: 'Kitchen', state: 'playing' }], missing: ['garden'] },
    });
    expect(await heard(kitchen)).toMatchObject({ reply: 'The washing is done.', via: 'announcement' });
    expect(responses(bath)).toBe(0);
  });

  test('plays in every room except its own, which gets the answers', async () => {
    const [kitchen, office] = [await connect('kitchen'), await connect('office')];

    const { body } = await announce({ text: 'Dinner is ready.', room: 'kitchen' });
    await heard(office);
    const reply = await ask('Answer that I am coming.', { client: 'office-satellite', room: 'office' });

    expect(body).toEqual({ satellites: [{ room: 'office', state: 'playing' }], missing: [] });
    expect(reply).toBe('I told the kitchen.');
    expect((await heard(kitchen)).reply).toBe('I am coming.');
  });

  test('is refused in quiet hours without named rooms', async () => {
    await beQuiet();
    await connect('kitchen');

    const refused = await announce({ text: 'Dinner is ready.' });
    const said = await announce({ text: 'Dinner is ready.', in_quiet_hours: true });

    expect([refused.status, refused.body]).toEqual([
      409,
      { error: expect.objectContaining({ code: 'quiet_hours', param: 'in_quiet_hours' }) },
    ]);
    expect(said.status).toBe(200);
  });

  test.each([
    [{}, 400, 'text'],
    [{ text: '' }, 400, 'text'],
    [{ text: '  ' }, 400, 'text'],
    [{ text: 'x'.repeat(501) }, 400, 'text'],
    [{ text: 'Hello', rooms: [] }, 400, 'rooms'],
    [{ text: 'Hello', rooms: Array.from({ length: 21 }, (_, n) => `room ${n}`) }, 400, 'rooms'],
    [{ text: 'Hello', rooms: ['garden'] }, 404, 'rooms'],
    [{ text: 'Hello' }, 404, 'rooms'],
  ])('refuses %j', async (sent, status, param) => {
    const answer = await announce(sent);

    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { param } });
  });
});
