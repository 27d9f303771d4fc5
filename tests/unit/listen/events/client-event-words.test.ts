import { describe, expect, test } from 'vitest';
import { createEventReader } from '../../../../api/src/listen/events/client-events.ts';
import { listenSchema } from '../../../support/clients/listen-events.ts';

const readEvent = createEventReader(listenSchema);

function read(event: unknown) {
  const given = readEvent(typeof event === 'string' ? event : JSON.stringify(event));
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
  ])('is accepted as sent: %j', (event) => {
    expect(read(event)).toEqual(event);
  });

  test('may contain unknown fields', () => {
    expect(read({ type: 'response.cancel', later: true })).toEqual({ type: 'response.cancel' });
  });

  test('has names without surrounding spaces, and treats empty ones as none', () => {
    const session = { client: ' kitchen ', room: '' };

    expect(read({ type: 'session.update', session })).toEqual({
      type: 'session.update',
      session: { client: 'kitchen', room: null },
    });
  });
});

describe('the error for an invalid frame', () => {
  test.each(['', 'hello', '[]', '7', 'null', '{}', '{"type":7}', '{"type":"a'])(
    'asks for a JSON object instead of %j',
    (text) => {
      expect(read(text)).toEqual({
        message: 'A text frame holds one event: a JSON object with a "type".',
        param: null,
        event: 'text',
        id: null,
      });
    },
  );

  test('names an unknown type, shortened', () => {
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
    [{ session: { endpointing: 7 } }, 'session.endpointing', 'must be server or manual'],
    [
      { session: { end_silence_ms: 100 } },
      'session.end_silence_ms',
      'Too small: expected number to be >=200',
    ],
    [
      { session: { end_silence_ms: 9_000 } },
      'session.end_silence_ms',
      'Too big: expected number to be <=3000',
    ],
    [
      { session: { end_silence_ms: 200.5 } },
      'session.end_silence_ms',
      'Invalid input: expected int, received number',
    ],
    [
      { session: { end_silence_ms: '200' } },
      'session.end_silence_ms',
      'Invalid input: expected number, received string',
    ],
    [{ session: { client: 'a\u0000b' } }, 'session.client', 'must not hold control characters'],
    [
      { session: { client: 'x'.repeat(201) } },
      'session.client',
      'Too big: expected string to have <=200 characters',
    ],
    [{ session: { room: [] } }, 'session.room', 'Invalid input: expected string, received array'],
    [{ session: null }, 'session', 'Invalid input: expected object, received null'],
    [{}, 'session', 'Invalid input: expected object, received undefined'],
  ])('names the wrong field of %j', (event, param, what) => {
    expect(read({ type: 'session.update', event_id: '7', ...event })).toEqual({
      message: `${param}: ${what}`,
      param,
      event: 'session.update',
      id: '7',
    });
  });

  test('names a missing field', () => {
    expect(read({ type: 'playback.finished', turn_id: 'abc' })).toEqual({
      message: 'played_ms: Invalid input: expected number, received undefined',
      param: 'played_ms',
      event: 'playback.finished',
      id: null,
    });
  });
});
