import { beforeEach, describe, expect, test } from 'vitest';
import { createVoiceTurns } from '../../../api/src/esphome/voice-turns.ts';
import type { ClientEvent, ServerEvent } from '../../../api/src/listen/events/listen-events.ts';
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts';

const facts = {
  name: 'puck',
  mac: '02:00:00:00:00:01',
  model: null,
  firmware: null,
  encrypted: true,
  takesKey: false,
  showsTimers: true,
  announces: true,
  startsConversations: true,
  sound: null,
};

let clock: FakeClock;
let told: string[];
let announced: { url: string; listens: boolean }[];
let turns: ReturnType<typeof createVoiceTurns>;
/** Whether another device was woken by the same words. */
let isTaken: Promise<boolean>;

beforeEach(() => {
  clock = createFakeClock();
  [told, announced] = [[], []];
  isTaken = Promise.resolve(false);
  turns = createVoiceTurns({
    link: {
      facts,
      accept: () => void told.push('accepted'),
      tell: (stage, about) => void told.push(stage === 'failed' ? `failed: ${about?.['code']}` : stage),
      announce: ({ url, listens }) => void announced.push({ url, listens }),
    },
    clock,
    newAnswer: () => ({
      path: '/a.wav',
      url: 'http://hearth/a.wav',
      push: () => undefined,
      end: () => undefined,
      drop: () => undefined,
    }),
    isTaken: () => isTaken,
    conversation: 'puck',
    onFault: () => undefined,
  });
});

const started = (turn_id: string): ServerEvent => ({
  type: 'input_audio_buffer.speech_started',
  turn_id,
  audio_start_ms: 0,
});

const format = { encoding: 'pcm_s16le', sample_rate_hz: 16_000, channels: 1 } as const;

describe('a device after its wake word', () => {
  test('goes back to sleep without speech', async () => {
    turns.onRequest('Okay Nabu');
    await clock.pass(8_000);

    expect(told).toEqual(['accepted', 'runStart', 'listening', 'failed: stt-no-text-recognized', 'runEnd']);
  });

  test('goes back to sleep after endless speech', async () => {
    turns.onRequest('');
    turns.line.send(started('a'));
    await clock.pass(39_000);
    expect(told.at(-1)).toBe('speechStarted');
    await clock.pass(1_000);

    expect(told.slice(-2)).toEqual(['failed: stt-no-text-recognized', 'runEnd']);
  });

  test('still listens after mere noise', async () => {
    turns.onRequest('');
    turns.line.send(started('a'));
    turns.line.send({ type: 'input_audio_buffer.cleared', turn_id: 'a' });
    await clock.pass(7_000);

    expect(told).not.toContain('runEnd');
  });
});

describe('a device that another one was faster than', () => {
  test('is silent, even if its answer has begun before that is known', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    isTaken = promise;
    const taken: ClientEvent[] = [];
    turns.serve({ pushAudio: async () => undefined, take: async (event) => void taken.push(event) });
    turns.onRequest('Okay Nabu');
    turns.line.send(started('a'));
    turns.line.send({ type: 'response.created', turn_id: 'a' });
    taken.length = 0;

    resolve(true);
    await clock.pass(0);

    expect(told.slice(-2)).toEqual(['failed: duplicate_wake_up_detected', 'runEnd']);
    expect(taken).toContainEqual({ type: 'response.cancel' });
  });
});

describe('an unrequested reply', () => {
  test.each([
    ['was stopped on the device', 700],
    ['was played to its end', 1_400],
  ])('that %s is reported as played that far', async (_how, afterMs) => {
    const taken: ClientEvent[] = [];
    turns.serve({ pushAudio: async () => undefined, take: async (event) => void taken.push(event) });
    turns.line.send({ type: 'response.output_audio.started', turn_id: 'n', format });
    turns.line.loudspeaker.play(Buffer.alloc(32_000));
    await clock.pass(afterMs);
    turns.played();

    const played_ms = Math.min(afterMs, 1_000);
    expect(taken).toEqual([{ type: 'playback.finished', turn_id: 'n', played_ms }]);
  });

  test('is announced, and the device listens after a question', () => {
    const turn_id = 'n';
    turns.line.send({ type: 'response.output_audio.started', turn_id, format });
    turns.line.send({ type: 'response.output_audio_transcript.delta', turn_id, delta: 'Shall I go on?' });
    turns.line.loudspeaker.play(Buffer.alloc(3_200));

    expect(announced).toEqual([{ url: 'http://hearth/a.wav', listens: true }]);
  });
});
