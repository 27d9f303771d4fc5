import { describe, expect, test } from 'vitest';
import { bytesOf, readClientEvent } from '../../../api/src/realtime/client-events.ts';

const read = (event: object) => readClientEvent(JSON.stringify(event));
const updateWith = (session: object) => read({ type: 'session.update', session });

describe('the audio format', () => {
  test.each([
    ['input', { type: 'audio/pcm', rate: 44_000 }, 'rate'],
    ['input', { type: 'audio/pcm', rate: 0 }, 'rate'],
    ['input', { type: 'audio/pcm', rate: '48000' }, 'rate'],
    ['output', { type: 'audio/pcm', rate: 24_000.5 }, 'rate'],
    ['input', { type: 'audio/pcm', rate: 24_000, channels: 2 }, 'channels'],
    ['output', { type: 'audio/opus' }, 'type'],
  ])('of the %s is refused with its field: %j', (side, format, field) => {
    const given = updateWith({ audio: { [side]: { format } } });

    expect(given).toMatchObject({ error: { param: `session.audio.${side}.format.${field}` } });
  });

  test('is refused with a field that has no effect', () => {
    const given = updateWith({ audio: { input: { format: { type: 'audio/pcm', sample_rate: 48_000 } } } });

    expect(given).toMatchObject({ error: { param: 'session.audio.input.format' } });
  });

  test.each([{ rate: 48_000 }, { rate: null, channels: 1 }, {}])('is accepted as %j', (more) => {
    const given = updateWith({ audio: { input: { format: { type: 'audio/pcm', ...more } } } });

    expect(given).toHaveProperty('event');
  });
});

describe('base64', () => {
  const bytes = Buffer.from([251, 255, 254, 0, 1]);
  test.each(['+//+AAE=', '+//+AAE', '-__-AAE', '-__-AAE=', '+//+\r\nAAE=\n', ' +//+ AAE'])(
    'decodes to %j',
    (written) => {
      expect(bytesOf(written)).toEqual(bytes);
    },
  );

  test('without bytes is not sound', () => {
    expect(bytesOf('')).toEqual(Buffer.alloc(0));
  });

  test.each(['%%%', 'AAAA A', 'AA=A', 'data:audio/pcm;base64,AAAA', 'AAAA===', 'é'])(
    'is not decoded from %j',
    (written) => {
      expect(() => bytesOf(written)).toThrow(expect.objectContaining({ param: 'audio' }));
    },
  );
});

describe('a wrong field', () => {
  test.each<[param: string, session: object]>([
    ['temperature', { temperature: 'x' }],
    ['max_response_output_tokens', { max_response_output_tokens: 'all' }],
    ['instructions', { instructions: 1 }],
    ['tools', { tools: 'none' }],
    ['voice', { voice: 7 }],
    ['audio.output.speed', { audio: { output: { speed: 'fast' } } }],
    ['audio.output.voice', { audio: { output: { voice: {} } } }],
    ['audio.input.turn_detection.threshold', { turn_detection: { type: 'server_vad', threshold: '0.5' } }],
    ['audio.input.turn_detection.threshold', { turn_detection: { type: 'server_vad', threshold: 5 } }],
    ['audio.input.turn_detection.create_response', { turn_detection: { create_response: 'no' } }],
  ])('is refused even without effect: %s', (field, session) => {
    expect(updateWith(session)).toMatchObject({ error: { param: `session.${field}` } });
  });

  test('is refused in a response, even without effect', () => {
    const given = read({ type: 'response.create', response: { temperature: 'x', voice: 'alloy' } });

    expect(given).toMatchObject({ error: { param: 'response.temperature' } });
  });

  test.each([
    ['missing_required_parameter', { type: 'conversation.item.retrieve' }],
    ['invalid_type', { type: 'input_audio_buffer.append', audio: 1 }],
    [
      'unknown_parameter',
      { type: 'session.update', session: { audio: { input: { format: { type: 'audio/pcm', bits: 8 } } } } },
    ],
    ['invalid_value', { type: 'nonsense' }],
  ])("has OpenAI's error code: %s", (openaiCode, event) => {
    expect(read(event)).toMatchObject({ error: { openaiCode } });
  });
});
