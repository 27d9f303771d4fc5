import { expect, test } from 'vitest';
import type { ServerEvent, SessionState } from '../../../api/src/listen/events/listen-events.ts';
import type { TalkMode } from '../../../console/src/live/device.ts';
import { createSoundGate } from '../../../console/src/live/sound-gate.ts';

function openGate(mode: TalkMode) {
  const sent: string[] = [];
  const gate = createSoundGate({
    caller: {
      call: async () => ({ status: 200, headers: new Headers(), body: { words: [] } }),
      open: () => Promise.reject(new Error('not used')),
    },
    mode: () => mode,
    send: (event) => sent.push(event.type),
    sendSound: (frame) => sent.push(`${frame.byteLength} bytes`),
    onFault: () => sent.push('fault'),
    onMended: () => sent.push('mended'),
  });
  const session: SessionState = {
    id: 'one',
    protocol_version: 1,
    client: 'tablet',
    room: null,
    endpointing: mode === 'hold' ? 'manual' : 'server',
    end_silence_ms: 600,
    wake: 'word',
    wake_words: [],
    input_audio_format: { encoding: 'pcm_s16le', sample_rate_hz: 16_000, channels: 1 },
    output_audio_format: { encoding: 'pcm_s16le', sample_rate_hz: 16_000, channels: 1 },
    timers: [],
    limits: {
      max_utterance_ms: 30_000,
      max_frame_bytes: 65_536,
      max_audio_ahead_ms: 2_000,
      ping_interval_ms: 15_000,
    },
  };
  const tell = (type: 'session.created' | 'session.updated', wake: SessionState['wake'] = 'word') =>
    gate.handle({ type, session: { ...session, wake } } as ServerEvent);
  return { ...gate, tell, sent, frame: () => gate.hear(new ArrayBuffer(640)) };
}

test('sends nothing by wake word until the server wants sound', async () => {
  const { tell, handle, frame, isLoading, sent } = openGate('word');
  tell('session.created', 'open');
  frame();
  tell('session.updated');
  const wasLoading = isLoading.value;
  frame();
  await expect.poll(() => isLoading.value).toBe(false);

  frame();
  handle({ type: 'microphone.changed', turn_id: null, open: true });
  frame();

  expect([wasLoading, sent]).toEqual([true, ['session.update', '640 bytes']]);
});

test('sends the sound of a held button at once, whatever the household has chosen', () => {
  const { tell, frame, sent } = openGate('hold');

  tell('session.created');
  frame();
  tell('session.updated');
  frame();

  expect(sent).toEqual(['640 bytes', '640 bytes']);
});

test('sends nothing between the choice of another mode and the answer of the server', () => {
  const { tell, prepare, frame, sent } = openGate('free');
  tell('session.created');
  tell('session.updated', 'open');
  frame();

  prepare('word');
  frame();
  prepare('hold');
  frame();

  expect(sent).toEqual(['640 bytes', '640 bytes']);
});
