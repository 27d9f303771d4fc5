import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { connectListen, HandshakeRefused } from '../support/clients/listen-client.ts';
import { type FakeListen, type FakeSession, startFakeListen } from '../support/fakes/fake-listen.ts';

let server: FakeListen;
afterEach(() => server.stop());

const question = () => ({
  turnId: randomUUID(),
  transcript: 'What is the capital of France?',
  reply: 'The capital of France is Paris.',
  sound: Buffer.alloc(32_000, 1),
});

async function connected() {
  server = await startFakeListen();
  const client = await connectListen(server.url, { client: 'tests', room: 'kitchen', token: 'a token' });
  return { client, session: await server.session() };
}

describe('the test satellite', () => {
  test('sends its name and reads the session', async () => {
    const { client, session } = await connected();

    const created = await client.event('session.created');

    expect(created.event.session.endpointing).toBe('server');
    expect(Object.fromEntries(session.query)).toEqual({ client: 'tests', room: 'kitchen', token: 'a token' });
    await client.close();
  });

  test('assembles a response', async () => {
    const { client, session } = await connected();
    const asked = question();

    session.begin(asked);
    session.end(asked);
    const exchange = await client.exchange();

    expect(exchange).toMatchObject({
      turnId: asked.turnId,
      transcript: asked.transcript,
      sound: asked.sound,
    });
    expect(exchange.done).toMatchObject({ status: 'completed', reply: asked.reply });
    expect(client.openResponses()).toEqual([]);
    await client.close();
  });

  test('speaks a clip in real time', async () => {
    const { client, session } = await connected();
    const microphone = client.openMicrophone({ speed: 10 });
    const clip = { sampleRateHz: 16_000, samples: Buffer.alloc(32 * 2_000, 7) };

    const begunAtMs = performance.now();
    const spoken = await microphone.say(clip);

    const tookMs = spoken.sentAtMs(1_999) - begunAtMs;
    microphone.close();
    await client.close();
    expect(tookMs).toBeGreaterThan(190);
    const sound = session.sound();
    expect(sound.filter((byte) => byte === 7)).toHaveLength(clip.samples.length);
    expect(sound.length % 640).toBe(0);
  });

  test('fails in the handshake when it is refused', async () => {
    server = await startFakeListen({ refusal: { status: 401, message: 'A token is needed.' } });

    const refused = await connectListen(server.url).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(HandshakeRefused);
    expect(refused).toMatchObject({ status: 401 });
  });

  const turn_id = randomUUID();
  const wrong: [name: string, act: (session: FakeSession) => void, fault: RegExp][] = [
    ['a second greeting', (session) => session.send('session.created'), /comes first, and once/],
    [
      'a response to nothing',
      (session) => {
        session.send('input_audio_buffer.speech_started', { turn_id, audio_start_ms: 0 });
        session.send('response.created', { turn_id });
      },
      /committed utterance/,
    ],
    ['sound out of nowhere', (session) => session.speak(Buffer.alloc(640)), /announced/],
    [
      'half a sample',
      (session) => {
        session.begin({ ...question(), sound: Buffer.alloc(641) });
      },
      /whole samples/,
    ],
    [
      'sound of a turn that was cancelled',
      (session) => {
        const asked = question();
        session.begin(asked);
        session.end(asked, { status: 'cancelled', reason: 'turn_detected' });
        session.speak(asked.sound);
      },
      /announced/,
    ],
    [
      'a second end',
      (session) => {
        const asked = question();
        session.begin(asked);
        session.end(asked);
        session.send('response.done', { turn_id: asked.turnId });
      },
      /was over/,
    ],
    [
      'a reply in other words',
      (session) => {
        const asked = question();
        session.begin(asked);
        session.end({ ...asked, reply: 'The capital of France is Rome.' });
      },
      /the reply is/,
    ],
    [
      'less sound than was announced',
      (session) => {
        const asked = question();
        session.begin(asked);
        session.end({ ...asked, sound: Buffer.alloc(64_000) });
      },
      /were announced/,
    ],
  ];

  test.each(wrong)('detects %s', async (_, act, fault) => {
    const { client, session } = await connected();
    await client.event('session.created');

    act(session);
    const late = client.event('timer.finished');

    await expect(late).rejects.toThrow(fault);
    await expect(client.close()).rejects.toThrow(fault);
  });
});
