import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { clip } from '../support/audio/recordings.ts';
import { connectListen } from '../support/clients/listen-client.ts';
import { connectWyoming, type WyomingClient } from '../support/clients/wyoming-client.ts';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { hangs } from '../support/fakes/fake-llm.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const turnsSchema = z.object({
  turns: z.array(z.object({ source: z.string(), room: z.string().nullable() })),
});

let homeAssistant: FakeHome;
let home: VoiceHousehold;
let client: WyomingClient;
beforeAll(async () => {
  homeAssistant = await startFakeHome();
  const port = String(await freePort());
  home = await startVoiceHousehold({ env: { ...homeAssistant.env, WYOMING: '1', WYOMING_PORT: port } });
});
beforeEach(async () => {
  home.forget();
  client = await connectWyoming(home.assistant.wyomingPort ?? 0);
});
afterEach(() => client.leave());
afterAll(async () => {
  await home?.stop();
  await homeAssistant?.stop();
});

const turnsOf = async (outcome: string) =>
  turnsSchema.parse((await home.assistant.call(`/admin/turns?source=wyoming&outcome=${outcome}`)).body).turns;

const format = { rate: 16_000, width: 2, channels: 1 };
/** Sends a sound in chunks of this many bytes. */
function sendSound(samples: Buffer, { pieceBytes = 2_048, as = format } = {}): void {
  for (let at = 0; at < samples.length; at += pieceBytes)
    client.send('audio-chunk', as, samples.subarray(at, at + pieceBytes));
}
const soundOf = () => Buffer.concat(client.events.map(({ payload }) => payload));

describe('the description of the server', () => {
  test("matches Home Assistant's needs: no satellite, and every program installed", async () => {
    client.send('describe');
    const { data } = await client.event('info');

    expect(data).toMatchObject({
      asr: [{ installed: true, requires_external_vad: false, models: [{ languages: ['en'] }] }],
      tts: [
        {
          installed: true,
          supports_synthesize_streaming: true,
          voices: [{ name: 'household' }, { name: 'en_US-joe-medium' }],
        },
      ],
      handle: [{ installed: true, supports_home_control: true, models: [{ languages: ['en'] }] }],
      intent: [],
      // No wake word models are installed.
      wake: [],
    });
    expect(data).not.toHaveProperty('satellite');
  });

  test('is followed by answers to pings, and unknown events are skipped', async () => {
    client.send('something-new', { x: 1 }, Buffer.from('abc'));
    client.send('select-program', { name: 'Hearth' });
    client.send('ping', { text: 'here' });

    expect((await client.event('pong')).data).toEqual({ text: 'here' });
    expect(client.types()).toEqual(['pong']);
  });
});

describe('a transcription', () => {
  beforeEach(() => home.stt.hears('Why is the sky blue?'));

  test('starts when the caller reports the end', async () => {
    client.send('transcribe', { language: 'en' });
    client.send('audio-start', format);
    sendSound(clip('hello').samples);
    client.send('audio-stop');

    expect((await client.event('transcript')).data).toEqual({ text: 'Why is the sky blue?', language: 'en' });
    expect(client.types()).toEqual(['transcript']);
    expect(home.stt.calls).toHaveLength(1);
  });

  test('accepts chunks of any size and format', async () => {
    const stereo = Buffer.alloc(clip('hello').samples.length * 2);
    const { samples } = clip('hello');
    for (let at = 0; at < samples.length; at += 2) {
      samples.copy(stereo, at * 2, at, at + 2);
      samples.copy(stereo, at * 2 + 2, at, at + 2);
    }
    client.send('transcribe');
    client.send('audio-start', format);
    sendSound(stereo, { pieceBytes: 1_023, as: { ...format, channels: 2 } });
    client.send('audio-stop');

    expect((await client.event('transcript')).data).toEqual({ text: 'Why is the sky blue?' });
    expect(home.stt.calls[0]?.sound?.samples.length).toBeGreaterThan(samples.length * 0.5);
  });

  test('ends when the words are a whole question, before the usual silence', async () => {
    home.stt.hears('What time is it?');
    client.send('transcribe');
    client.send('audio-start', format);
    const live = Buffer.concat([clip('weather').samples, Buffer.alloc(400 * 32)]);
    for (let at = 0; at < live.length; at += 3_200) {
      client.send('audio-chunk', format, live.subarray(at, at + 3_200));
      await setTimeout(100);
    }

    // No more sound comes, so only the words can end it.
    expect((await client.event('transcript')).data).toEqual({ text: 'What time is it?' });
    expect(home.stt.calls).toHaveLength(1);
  });

  test('of silence is empty', async () => {
    client.send('transcribe');
    client.send('audio-start', format);
    sendSound(Buffer.alloc(32_000));
    client.send('audio-stop');

    expect((await client.event('transcript')).data).toEqual({ text: '' });
    expect(home.stt.calls).toEqual([]);
  });

  test('of a recording with a pause covers all of it', async () => {
    const { samples } = clip('hello');
    client.send('transcribe');
    client.send('audio-start', format);
    sendSound(Buffer.concat([samples, Buffer.alloc(64_000), samples]));
    client.send('audio-stop');

    expect((await client.event('transcript')).data).toEqual({
      text: 'Why is the sky blue? Why is the sky blue?',
    });
  });

  test('of an unreadable format is refused by its name', async () => {
    client.send('transcribe');
    client.send('audio-chunk', { ...format, width: 7 }, Buffer.alloc(10));

    expect((await client.event('error')).data).toEqual({
      text: '"width" of "audio-chunk" cannot be used.',
      code: 'invalid_request',
    });
  });
});

describe('a synthesis', () => {
  test('starts to return sound before it is complete', async () => {
    client.send('synthesize', { text: 'There are 21 people here now. The light is on.' });
    await client.event('audio-stop');

    expect(new Set(client.types())).toEqual(new Set(['audio-start', 'audio-chunk', 'audio-stop']));
    expect(client.events[0]?.data).toMatchObject({ width: 2, channels: 1 });
    expect(home.piper.spoken.map(({ text }) => text)).toEqual([
      'There are 21 people here now.',
      'The light is on.',
    ]);
    expect(soundOf().length).toBeGreaterThan(1_000);
  });

  test('accepts text in chunks, and speaks it once', async () => {
    client.send('synthesize-start', { voice: { name: 'household' } });
    for (const text of ['The lamp ', 'is off. The ', 'door is shut.'])
      client.send('synthesize-chunk', { text });
    client.send('synthesize', { text: 'The lamp is off. The door is shut.' });
    client.send('synthesize-stop');
    await client.event('synthesize-stopped');

    expect(home.piper.spoken.map(({ text }) => text)).toEqual(['The lamp is off.', 'The door is shut.']);
    expect(client.types().filter((type) => type !== 'audio-chunk')).toEqual([
      'audio-start',
      'audio-stop',
      'synthesize-stopped',
    ]);
  });

  test('without words is a short silence', async () => {
    client.send('synthesize', { text: ' ' });
    await client.event('audio-stop');

    expect(soundOf().every((byte) => byte === 0)).toBe(true);
    expect(soundOf().length).toBeGreaterThan(0);
  });

  test('reports a missing voice by name', async () => {
    client.send('synthesize', { text: 'Hello.', voice: { name: 'nobody' } });

    expect((await client.event('error')).data).toMatchObject({ code: 'invalid_request' });
  });
});

describe('a question', () => {
  test('is answered, and continues the same conversation', async () => {
    const context = { conversation_id: '01ABC', device_id: 'x', satellite_id: 'assist_satellite.kitchen' };
    client.send('transcript', { text: 'Add milk to the shopping list.', context, language: 'en' });
    expect((await client.event('handled')).data).toEqual({ text: 'I added milk to the shopping list.' });

    client.events.length = 0;
    client.send('transcript', { text: 'Undo that.', context, language: 'en' });
    expect((await client.event('handled')).data['text']).toMatch(/milk/i);
  });

  test('about a timer gets the reply that no satellite would ring', async () => {
    const set = async (): Promise<unknown> => {
      client.events.length = 0;
      client.send('transcript', { text: 'Set a timer for ten minutes.' });
      return (await client.event('handled')).data['text'];
    };
    expect(await set()).toBe('Timer, ten minutes. But no speaker is connected to me, so nothing would ring.');

    const satellite = await connectListen(home.assistant.address, { room: 'hall' });
    await waitFor(async () => (await set()) === 'Timer, ten minutes.');
    await satellite.close();
  });

  test('has the room of the satellite, which Home Assistant knows', async () => {
    homeAssistant.gains('assist_satellite.kitchen', { name: 'Kitchen', area: 'Kitchen', state: 'idle' });
    client.send('transcript', {
      text: 'What time is it?',
      context: { satellite_id: 'assist_satellite.kitchen' },
    });
    await client.event('handled');
    client.send('transcript', { text: 'What time is it?', context: { device_id: 'a-phone' } });
    await waitFor(async () => client.types().length === 2);

    const { turns } = turnsSchema.parse((await home.assistant.call('/admin/turns?source=wyoming')).body);
    expect(turns.slice(0, 2)).toEqual([
      { source: 'wyoming', room: null },
      { source: 'wyoming', room: 'Kitchen' },
    ]);
  });

  // A wake word ends the earlier pipeline of Home Assistant, which hangs up.
  test('is cancelled when its caller leaves, and the next one is answered', async () => {
    const context = { conversation_id: '01DEF' };
    home.llm.answers(() => hangs);
    client.send('transcript', { text: 'Tell me about Vienna.', context });
    await waitFor(async () => home.llm.calls.length > 0);
    client.leave();
    await waitFor(async () => (await turnsOf('turn_cancelled')).length === 1);

    const other = await connectWyoming(home.assistant.wyomingPort ?? 0);
    other.send('transcript', { text: 'What is 3 plus 4?', context });
    expect((await other.event('handled')).data).toEqual({ text: '3 plus 4 is 7.' });
    other.leave();
  });

  test('that fails is answered in words', async () => {
    home.llm.answers(() => {
      throw new Error('it is ill');
    });
    client.send('transcript', { text: 'Tell me about Vienna.' });

    expect((await client.event('not-handled')).data['text']).toMatch(/^[A-Z].*\.$/);
  });
});

describe('the Wyoming server', () => {
  test.each([
    ['no JSON', 'GET / HTTP/1.1\r\n\r\n', 'The header of a message is not a JSON object.'],
    ['no type', '{"data": {}}\n', 'The header of a message has no type.'],
    ['a payload without end', '{"type":"audio-chunk","payload_length":1e12}\n', /^The payload .* longer/],
    ['a length that is none', '{"type":"audio-chunk","data_length":-1}\n', /^The length of the data/],
    ['a header without end', 'x'.repeat(200_000), /^The header .* longer than/],
  ])('reports %s and ends the connection', async (_name, bytes, text) => {
    client.raw(bytes);
    await client.ended();

    expect(client.events.at(-1)?.data['text']).toMatch(text);
  });

  test('reads no message after an invalid one', async () => {
    client.raw('nonsense\n{"type":"describe"}\n');
    await client.ended();

    expect(client.types()).toEqual(['error']);
  });

  test('answers many questions on one connection', async () => {
    for (let at = 0; at < 100; at += 1) client.send('ping', { text: String(at) });
    for (let at = 0; at < 40; at += 1) client.send('transcript', { text: `What is ${at} plus 1?` });
    await waitFor(async () => client.events.length === 140);

    expect(client.types().filter((type) => type === 'handled')).toHaveLength(40);
  });

  test('ends a synthesis when its caller leaves', async () => {
    client.send('synthesize-start');
    client.send('synthesize-chunk', { text: 'The lamp is green. And' });
    await client.event('audio-chunk');
    client.leave();

    const other = await connectWyoming(home.assistant.wyomingPort ?? 0);
    other.send('synthesize', { text: 'Here I am.' });
    await other.event('audio-stop');
    other.leave();
    expect(home.assistant.log.join('')).not.toContain('Wyoming connection failed');
  });

  test('drops an incomplete message with its caller', async () => {
    client.raw('{"type":"audio-chunk","payload_len');
    client.leave();
    const other = await connectWyoming(home.assistant.wyomingPort ?? 0);
    other.send('ping');

    expect((await other.event('pong')).data).toEqual({});
    other.leave();
  });
});
