import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventReader } from '../../../../api/src/listen/events/client-events.ts';
import {
  eventTypes,
  examplesOf,
  faultOfEvent,
  listenSchema,
} from '../../../support/clients/listen-events.ts';

const readEvent = createEventReader(listenSchema);
const examples = eventTypes.client.flatMap(examplesOf);

/** Values that a field may hold by mistake, or at its limits. */
const oddValue = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1.5, 199, 200, 3_000, 3_001, 3_600_000, 3_600_001, [], {}),
  fc.constantFrom('', 'server', 'manual', 'both', 'kitchen', 'a\u0000b', '\ud800', 'Küche 🍳'),
  fc.integer({ min: 95, max: 205 }).map((length) => 'x'.repeat(length)),
);
const oddFields = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), oddValue, { maxKeys: 2, noNullPrototype: true });
const fieldsOfSession = ['client', 'room', 'endpointing', 'end_silence_ms', 'surprise'];
const session = fc.oneof(
  { weight: 3, arbitrary: oddFields(fieldsOfSession) },
  { weight: 1, arbitrary: oddValue },
);
const oddEvent = fc
  .tuple(
    fc.constantFrom(...examples),
    oddFields(['event_id', 'turn_id', 'played_ms', 'surprise']),
    fc.option(session, { nil: undefined }),
  )
  .map(([example, fields, changed]) => ({
    ...example,
    ...fields,
    ...(changed !== undefined && { session: changed }),
  }));

const takes = (value: unknown) => !('error' in readEvent(JSON.stringify(value)));

describe('events of a satellite', () => {
  test.each(examples)('are parsed as in the schema: %j', (example) => {
    const read = readEvent(JSON.stringify(example));

    expect(read).toMatchObject({ event: { type: example.type } });
  });

  test('are accepted exactly when the schema accepts them', () => {
    fc.assert(
      fc.property(oddEvent, (value) => {
        expect(takes(value)).toBe(faultOfEvent('client', value) === null);
      }),
      { numRuns: 3_000 },
    );
  });

  test('are refused by both when only the server may send them', () => {
    for (const example of eventTypes.server.flatMap(examplesOf)) {
      expect([takes(example), faultOfEvent('client', example)]).toEqual([false, expect.any(String)]);
    }
  });
});
