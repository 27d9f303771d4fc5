import { describe, expect, test } from 'vitest';
import { readClientEvent } from '../../../api/src/realtime/client-events.ts';

const read = (event: object) => readClientEvent(JSON.stringify(event));
const updateWith = (session: object) => read({ type: 'session.update', session });

describe('the format of sound', () => {
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

  test('is refused where it has a field that would not be followed', () => {
    const given = updateWith({ audio: { input: { format: { type: 'audio/pcm', sample_rate: 48_000 } } } });

    expect(given).toMatchObject({ error: { param: 'session.audio.input.format' } });
  });

  test.each([{ rate: 48_000 }, { rate: null, channels: 1 }, {}])('is taken with %j', (more) => {
    const given = updateWith({ audio: { input: { format: { type: 'audio/pcm', ...more } } } });

    expect(given).toHaveProperty('event');
  });
});
