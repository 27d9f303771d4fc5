/** @module-tag slow */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { durationMs } from '../../api/src/audio/pcm.ts';
import { writeWav } from '../../api/src/audio/wav.ts';
import { canRecord, clip, clipFile, record } from '../support/audio/recordings.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let house: VoiceHousehold;
beforeAll(async () => {
  house = await startVoiceHousehold({ limits: { stuckMs: 1_000 } });
});
afterAll(() => house?.stop());

/** The number of the house's connections, without those kept for the next request. */
const connections = () => house.assistant.connections();
/** A hundred sentences of ten seconds each: 48 MB, more than all buffers of a connection hold. */
const sentences = 100;
const input = Array.from({ length: sentences }, (_, at) => `This is sentence number ${at}.`).join(' ');
const tenSeconds = writeWav({ sampleRateHz: 24_000, samples: Buffer.alloc(480_000, 1) });

/** Requests a long speech, and reads nothing of it. */
async function askAndStop(body: object): Promise<IncomingMessage> {
  const asked = request(`${house.assistant.address}/v1/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    agent: false,
  });
  asked.on('error', () => undefined);
  asked.end(JSON.stringify({ input, ...body }));
  const [response] = await once(asked, 'response');
  response.on('error', () => undefined);
  return response;
}

test.each([{ response_format: 'pcm' }, { response_format: 'pcm', stream_format: 'sse' }])(
  'a program that does not read its speech ($response_format $stream_format) is dropped, and its synthesis stops',
  async (body) => {
    house.forget();
    house.piper.speaks(() => tenSeconds);
    const before = await connections();

    const unread = await askAndStop(body);
    await waitFor(async () => (await connections()) <= before, { what: 'the end of the connection' });
    unread.destroy();

    expect(house.piper.spoken.length).toBeLessThan(sentences / 2);
  },
);

test('a live conversation that does not read ends before it buffers much, and others continue', async () => {
  const before = await connections();
  const socket = new WebSocket(`${house.assistant.address.replace('http', 'ws')}/v1/realtime`);
  socket.on('error', () => undefined);
  await once(socket, 'message');
  socket.pause();
  // Each error arrives twice.
  const text = 'a'.repeat(100_000);
  const item = { type: 'message', role: 'system', content: [{ type: 'input_text', text }] };
  const event = JSON.stringify({ type: 'conversation.item.create', item });
  let sent = 0;
  const isOver = async () => {
    if (socket.readyState !== WebSocket.OPEN) return true;
    await new Promise((written) => socket.send(event, written));
    sent += 1;
    return (await connections()) <= before;
  };
  await waitFor(isOver, { what: 'the end of the connection' });
  socket.terminate();
  const { status } = await house.assistant.call('/v1/models');

  // The system itself buffers some megabytes per connection.
  expect(sent).toBeLessThan(400);
  expect(status).toBe(200);
});

const twoHoursMs = 2 * 60 * 60_000;

test.skipIf(!canRecord)(
  'two hours of sound are refused in any number of bytes, and not transcribed (needs ffmpeg)',
  async () => {
    house.forget();
    const little = ['-ar', '8000', '-b:a', '8k', '-write_xing', '0', '-id3v2_version', '0', 'hello.mp3'];
    const hello = await record(['-i', clipFile('hello')], little);
    const times = Math.ceil(twoHoursMs / durationMs(clip('hello')));
    const form = new FormData();
    const long = new Uint8Array(Buffer.concat(Array.from({ length: times }, () => hello)));
    const file = new Blob([long], { type: 'audio/mpeg' });
    form.append('file', file, 'long.mp3');
    form.append('model', 'whisper-1');

    const answer = await fetch(`${house.assistant.address}/v1/audio/transcriptions`, {
      method: 'POST',
      body: form,
    });
    const told = await answer.text();

    expect(file.size).toBeLessThan(25 * 1024 * 1024);
    expect(answer.status).toBe(413);
    expect(told).toContain('1800 seconds');
    expect(house.stt.calls).toEqual([]);
  },
);
