import { describe, expect, test } from 'vitest';
import { readClientEvent } from '../../../api/src/listen/client-events.ts';

function read(event: unknown) {
  const given = readClientEvent(typeof event === 'string' ? event : JSON.stringify(event));
  if ('event' in given && !('error' in given)) return given.event;
  return 'error' in given
    ? { message: given.error.message, param: given.error.param, event: given.event, id: given.eventId }
    : given;
}

describe('an event of a satellite', () => {
  test.each([
    [{ type: 'input_audio_buffer.commit' }],
    [{ type: 'input_audio_buffer.clear', event_id: 'mine' }],
    [{ type: 'response.cancel', turn_id: 'abc' }],
    [{ type: 'playback.finished', turn_id: 'abc', played_ms: 1_200 }],
    [{ type: 'session.update', session: { room: 'bath', endpointing: 'manual', end_silence_ms: 800 } }],
  ])('is taken as it is: %j', (event) => {
    expect(read(event)).toEqual(event);
  });

  test('may hold more than is known', () => {
    expect(read({ type: 'response.cancel', later: true })).toEqual({ type: 'response.cancel' });
  });

  test('has names without spaces around them, and empty ones are none', () => {
    const session = { client: ' kitchen ', room: '' };

    expect(read({ type: 'session.update', session })).toEqual({
      type: 'session.update',
      session: { client: 'kitchen', room: null },
    });
  });
});

describe('what is no event is answered in words', () => {
  test.each(['', 'hello', '[]', '7', 'null', '{}', '{"type":7}', '{"type":"a'])('%s', (text) => {
    expect(read(text)).toEqual({
      message: 'A text frame holds one event: a JSON object with a "type".',
      param: null,
      event: 'text',
      id: null,
    });
  });

  test('a type that nobody knows, cut short', () => {
    const type = 'x'.repeat(5_000);

    expect(read({ type, event_id: 'mine' })).toEqual({
      message: `There is no event "${'x'.repeat(100)}".`,
      param: 'type',
      event: 'x'.repeat(100),
      id: 'mine',
    });
  });

  test.each([
    [{ session: { endpointing: 'magic' } }, 'session.endpointing', 'must be server or manual'],
    [{ session: { end_silence_ms: 100 } }, 'session.end_silence_ms', '>=200'],
    [{ session: { client: 'a\u0000b' } }, 'session.client', 'control characters'],
    [{ session: { client: 'x'.repeat(201) } }, 'session.client', '<=200'],
    [{ session: null }, 'session', 'expected object'],
    [{}, 'session', 'expected object'],
  ])('%j', (event, param, what) => {
    const told = read({ type: 'session.update', event_id: '7', ...event });

    expect(told).toMatchObject({ param, event: 'session.update', id: '7' });
    expect(told).toHaveProperty('message', expect.stringContaining(what));
  });
});
