import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../../../console/src/server/event-stream.ts';

/** The events of a response whose body comes in these parts. */
async function read(...parts: (string | Uint8Array<ArrayBuffer>)[]): Promise<[string, unknown][]> {
  const told: [string, unknown][] = [];
  const bytes = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  await readEvents(new Response(ReadableStream.from(bytes)), (name, data) => told.push([name, data]));
  return told;
}

describe('the event stream', () => {
  test('is read event by event', async () => {
    const text = 'event: step\nid: 7\ndata: {"a":1}\n\n: still there\n\ndata: [1,\ndata: 2]\n\n';

    expect(await read(text)).toEqual([
      ['step', { a: 1 }],
      ['message', [1, 2]],
    ]);
  });

  test('accepts every kind of line break, and data that looks like a field', async () => {
    expect(await read('data: "a: b"\r\n\r\ndata:"c"\n\n')).toEqual([
      ['message', 'a: b'],
      ['message', 'c'],
    ]);
  });

  test('has no data if it is not JSON', async () => {
    expect(await read('event: line\ndata: {"a":\n\n')).toEqual([['line', null]]);
  });

  test('skips an incomplete event at its end', async () => {
    expect(await read('data: "half"')).toEqual([]);
  });

  test('reads the same for any split of the bytes', async () => {
    const text =
      'event: line\r\nid: 1\r\ndata: {"m":"ä\u2028"}\r\n\r\n: ping\n\nevent: line\ndata: [2,\ndata: 3]\n\n';
    const bytes = new TextEncoder().encode(text);
    const whole = await read(text);

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 }),
        async (cuts) => {
          const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
          const parts = places.slice(1).map((end, index) => bytes.slice(places[index], end));

          expect(await read(...parts)).toEqual(whole);
        },
      ),
    );
    expect(whole).toEqual([
      ['line', { m: 'ä\u2028' }],
      ['line', [2, 3]],
    ]);
  });

  test('fails if an event does not end', async () => {
    const part = 'x'.repeat(600_000);

    await expect(read('data: ', part, part)).rejects.toThrow(/1000000|exceeded|buffer/i);
  });
});
