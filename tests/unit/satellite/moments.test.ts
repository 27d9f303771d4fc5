import { expect, test } from 'vitest';
import { createMoments } from '../../../satellite/moments.ts';
import { readServerEvent } from '../../support/clients/listen-events.ts';

const turn_id = '00000000-0000-4000-8000-000000000001';
const timer = {
  ...{ id: '00000000-0000-4000-8000-000000000002', kind: 'timer', name: null },
  ...{ duration_ms: 1_000, remaining_ms: 0, ends_at: '2026-11-21T18:05:00.000Z' },
};
const format = { encoding: 'pcm_s16le', sample_rate_hz: 16_000, channels: 1 };
const started = { type: 'input_audio_buffer.speech_started', turn_id, audio_start_ms: 0 };
const committed = { type: 'input_audio_buffer.committed', turn_id, audio_duration_ms: 900 };
const speaking = { type: 'response.output_audio.started', turn_id, format };
const cleared = { type: 'input_audio_buffer.cleared', turn_id };
const done = {
  ...{ type: 'response.done', turn_id, status: 'completed', reason: null, via: 'skills', reply: 'Ten.' },
  timings: { end_silence_ms: 320, total_ms: 900 },
};
const awake = { type: 'wake.changed', turn_id: null, awake: true, reason: 'answered', for_ms: 7_000 };
const asleep = { type: 'wake.changed', turn_id: null, awake: false, reason: 'time', for_ms: null };
const ringing = { type: 'timer.finished', turn_id: null, timer };

test.each([
  ['an answer', [started, committed, speaking, done], ['listening', 'thinking', 'speaking', 'idle']],
  ['a timer that is due', [ringing, speaking, done], ['ringing', 'speaking', 'idle']],
  ['the time after an answer', [done, awake, asleep], ['idle', 'awake', 'idle']],
  ['noise in that time', [awake, started, cleared, asleep], ['awake', 'listening', 'awake', 'idle']],
  [
    'the end of that time while someone speaks',
    [awake, started, asleep, cleared],
    ['awake', 'listening', undefined, 'idle'],
  ],
  ['a wake word in a sentence', [started, awake, committed], ['listening', undefined, 'thinking']],
])('a light shows %s', (_what, events, moments) => {
  const momentOf = createMoments();

  expect(events.map((event) => momentOf(readServerEvent(JSON.stringify(event))))).toEqual(moments);
});
