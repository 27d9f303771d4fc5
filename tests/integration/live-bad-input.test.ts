/** @module-tag slow */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf } from '../support/clients/caller.ts';
import { connectListen, HandshakeRefused } from '../support/clients/listen-client.ts';
import { enterRoom, voiceOf } from '../support/clients/room.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';

const token = 'Correct-Horse-Battery-Staple';

let home: VoiceHousehold;
let guarded: RunningApi;
beforeAll(async () => {
  home = await startVoiceHousehold();
  guarded = await startApi({ redisUrl: home.redis.url, env: { SERVICE_TOKEN: token } });
});
beforeEach(() => {
  home.forget();
  home.piper.speaks(voiceOf);
});
afterAll(async () => {
  await guarded?.stop();
  await home?.stop();
});

/** The refusal of a handshake. */
async function refusalOf(address: string, options: Parameters<typeof connectListen>[1]) {
  try {
    await (await connectListen(address, options)).close();
    return 'connected';
  } catch (error) {
    if (!(error instanceof HandshakeRefused)) throw error;
    const { error: told } = JSON.parse(error.body);
    return `${error.status} ${told.code}`;
  }
}

describe('the handshake', () => {
  test.each([
    ['without a token', {}, '401 unauthorized'],
    ['with a wrong token', { token: 'wrong' }, '401 unauthorized'],
    ['with the token in the query', { token }, 'connected'],
    ['with the token in a header', { headers: { authorization: `Bearer ${token}` } }, 'connected'],
    ['of a foreign page', { token, headers: { origin: 'https://evil.example' } }, '403 foreign_origin'],
    ['of an endless name', { token, client: 'x'.repeat(201) }, '400 invalid_request'],
    ['of a room with control characters', { token, room: 'a\u0007' }, '400 invalid_request'],
  ])('is refused: %s', async (_how, options, answer) => {
    expect(await refusalOf(guarded.address, options)).toBe(answer);
  });

  test.each([
    ['of a foreign Host', { headers: { host: 'evil.example' } }, '403 local_only'],
    ['of a foreign page', { headers: { origin: 'https://evil.example' } }, '403 foreign_origin'],
    ['of this machine', {}, 'connected'],
  ])('%s without a configured token', async (_how, options, answer) => {
    expect(await refusalOf(home.assistant.address, options)).toBe(answer);
  });

  test('without a WebSocket is answered in words', async () => {
    expect(errorOf(await home.assistant.call('/listen'))).toEqual({ status: 426, code: 'upgrade_required' });
  });

  test('never logs the token', async () => {
    await refusalOf(guarded.address, { token });

    expect(guarded.log.join('')).toContain('/listen');
    expect(guarded.log.join('')).not.toContain(token);
  });
});

describe('an invalid frame', () => {
  test.each([
    ['of an odd length', Buffer.alloc(641), 'audio', 'audio_unreadable'],
    ['that is a file', Buffer.from('RIFF\0\0\0\0WAVE'), 'audio', 'audio_unreadable'],
    ['of text that is not JSON', 'hello', 'text', 'invalid_request'],
    ['of JSON that is not an event', '[1, 2]', 'text', 'invalid_request'],
    ['of a type that nobody knows', '{"type":"self.destruct"}', 'self.destruct', 'invalid_request'],
    [
      'of a value that cannot be',
      '{"type":"session.update","session":{"end_silence_ms":1}}',
      'session.update',
      'invalid_request',
    ],
    [
      'of a level that cannot be',
      '{"type":"microphone.level","level_db":12}',
      'microphone.level',
      'invalid_request',
    ],
    [
      'of an end without a beginning',
      '{"type":"input_audio_buffer.commit"}',
      'input_audio_buffer.commit',
      'no_audio',
    ],
  ])('%s is answered with an error, and the next question as usual', async (_how, frame, event, code) => {
    home.stt.hears('Why is the sky blue?');
    home.llm.answers(() => 'Air.');
    const room = await enterRoom(home.assistant.address, {});

    room.sendRaw(frame);
    const { event: error } = await room.event('error');
    await room.say('weather');
    const { done } = await room.exchange();
    await room.leave();

    expect(error).toMatchObject({ turn_id: null, event, error: { code } });
    expect(done.reply).toBe('Air.');
  });

  test.each([
    ['sound', Buffer.alloc(65_538)],
    ['text', 'x'.repeat(65_537)],
  ])('that is huge ends the connection: %s', async (_what, frame) => {
    const satellite = await connectListen(home.assistant.address);

    satellite.sendRaw(frame);

    expect((await satellite.closed).code).toBe(1009);
  });

  test('is answered only a limited number of times', async () => {
    const satellite = await connectListen(home.assistant.address);

    for (let count = 0; count < 5_000; count += 1) satellite.sendRaw('nonsense');
    satellite.send({ type: 'session.update', session: { room: 'bath' } });
    await satellite.event('session.updated');
    const errors = satellite.events.filter(({ event }) => event.type === 'error').length;
    await satellite.close();

    expect(errors).toBeGreaterThan(0);
    expect(errors).toBeLessThan(100);
  });
});

test('the server distinguishes sound of 48 kHz from speech', async () => {
  const satellite = await connectListen(home.assistant.address);
  const microphone = satellite.openMicrophone({ speed: 3 });

  const { event } = await satellite.event('error');
  microphone.close();
  await satellite.close();

  expect(event.error.message).toMatch(/[23]\.\d times real time/);
});

test('the server ignores an empty frame, and sound before and after everything else', async () => {
  const satellite = await connectListen(home.assistant.address);

  satellite.sendRaw(Buffer.alloc(0));
  satellite.send({ type: 'response.cancel' });
  satellite.send({ type: 'playback.finished', turn_id: 'nobody', played_ms: 5 });
  satellite.send({ type: 'input_audio_buffer.clear' });
  await satellite.event('input_audio_buffer.cleared');
  await satellite.close();

  expect(satellite.events.map(({ event }) => event.type)).toEqual([
    'session.created',
    'input_audio_buffer.cleared',
  ]);
});

test('a connection cut in the middle of a frame leaves nothing behind', async () => {
  const socket = connect(home.assistant.port, '127.0.0.1');
  const handshake = [
    'GET /listen HTTP/1.1',
    'host: localhost',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
  ];
  socket.write(`${handshake.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');

  socket.end(Buffer.from([0x82, 0xfe, 0x10]));
  await once(socket, 'close');

  expect(await refusalOf(home.assistant.address, {})).toBe('connected');
});
