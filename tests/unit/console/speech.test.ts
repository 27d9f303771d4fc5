import { describe, expect, test } from 'vitest';
import type { ServerEvent } from '../../../api/src/listen/events/listen-events.ts';
import { createSpeech } from '../../../console/src/live/speech.ts';

const format = { encoding: 'pcm_s16le', sample_rate_hz: 16_000, channels: 1 } as const;
const begins: ServerEvent = { type: 'response.output_audio.started', turn_id: 't', format };
const ends: ServerEvent = { type: 'response.output_audio.done', turn_id: 't', audio_duration_ms: 40 };
const done = (status: 'completed' | 'cancelled'): ServerEvent => ({
  ...{
    type: 'response.done',
    turn_id: 't',
    status,
    reason: null,
    via: null,
    reply: '',
    timings: { total_ms: 1 },
  },
});
const someoneSpeaks: ServerEvent = {
  type: 'input_audio_buffer.speech_started',
  turn_id: 'u',
  audio_start_ms: 0,
};

function listen() {
  const did: string[] = [];
  const sent: unknown[] = [];
  const speech = createSpeech({
    send: (event) => sent.push(event),
    loudspeaker: {
      play: (turnId, sound) => did.push(`play ${turnId} ${sound.byteLength}`),
      end: (turnId) => did.push(`end ${turnId}`),
      stop: (turnId) => did.push(`stop ${turnId}`),
    },
  });
  const hear = (...events: (ServerEvent | 'sound')[]) => {
    for (const event of events) event === 'sound' ? speech.sound(new ArrayBuffer(640)) : speech.handle(event);
  };
  return { speech, hear, did, sent };
}

describe('the sound of answers', () => {
  test('plays as it arrives, to its end', () => {
    const { hear, did } = listen();

    hear(begins, 'sound', 'sound', ends);

    expect(did).toEqual(['play t 640', 'play t 640', 'end t']);
  });

  test('stops when the answer is cancelled', () => {
    const { hear, did } = listen();

    hear(begins, 'sound', done('cancelled'), 'sound');

    expect(did).toEqual(['play t 640', 'stop t']);
  });

  test('continues when speech starts, which may be the assistant itself', () => {
    const { hear, did } = listen();

    hear(begins, 'sound', someoneSpeaks);

    expect(did).toEqual(['play t 640']);
  });

  test('stops when a person talks over the rest of a finished answer', () => {
    const { hear, did } = listen();

    hear(begins, 'sound', ends, done('completed'), someoneSpeaks);

    expect(did.at(-1)).toBe('stop t');
  });

  test('is reported to the server once, with the played time', () => {
    const { speech, hear, sent } = listen();
    hear(begins, 'sound', ends);

    speech.played({ turnId: 't', playedMs: 12.4, isOver: false, gaps: 0 });
    speech.played({ turnId: 't', playedMs: 39.6, isOver: true, gaps: 0 });
    speech.played({ turnId: 't', playedMs: 39.6, isOver: true, gaps: 0 });

    expect(sent).toEqual([{ type: 'playback.finished', turn_id: 't', played_ms: 40 }]);
  });

  test('does not play without an announcement', () => {
    const { hear, did } = listen();

    hear('sound', begins, ends, 'sound');

    expect(did).toEqual([]);
  });

  test('does not play once the person wants silence', () => {
    const { speech, hear, did } = listen();
    hear(begins, 'sound');

    speech.silence();
    hear('sound');

    expect(did).toEqual(['play t 640', 'stop t']);
  });
});
