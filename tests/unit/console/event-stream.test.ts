import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventParser, type ServerSentEvent } from '../../../console/src/server/event-stream.ts';

function read(...parts: string[]): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  const parser = createEventParser((event) => events.push(event));
  for (const part of parts) parser.push(part);
  return events;
}

describe('the event stream', () => {
  test('is read event by event', () => {
    expect(read('event: step\nid: 7\ndata: {"a":1}\n\n: still there\n\ndata: x\ndata: y\n\n')).toEqual([
      { event: 'step', data: '{"a":1}', id: '7' },
      { event: 'message', data: 'x\ny', id: '7' },
    ]);
  });

  test('takes every kind of line break, and data that looks like a field', () => {
    expect(read('data: a: b\r\n\r\ndata:c\n\n')).toEqual([
      { event: 'message', data: 'a: b', id: null },
      { event: 'message', data: 'c', id: null },
    ]);
  });

  test('waits for the end of an event', () => {
    expect(read('data: half')).toEqual([]);
  });

  test('says the same however it is cut', () => {
    const text =
      'event: line\r\nid: 1\r\ndata: {"m":"ä\u2028"}\r\n\r\n: ping\n\nevent: line\ndata: 2\ndata: 3\n\n';
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const parts = places.slice(1).map((end, index) => text.slice(places[index], end));

        expect(read(...parts)).toEqual(read(text));
      }),
    );
  });
});
