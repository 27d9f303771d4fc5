import { afterEach, expect, test } from 'vitest';
import type { ServerEvent } from '../../../../api/src/listen/events/listen-events.ts';
import { createRinger } from '../../../../api/src/listen/ringing/ringer.ts';
import type { Timer } from '../../../../api/src/timers/timer.ts';
import { timer } from '../../../support/timers.ts';

const pasta = timer({ id: 'pasta', room: 'kitchen', dueAt: Date.now() + 600_000 });

/** A satellite of an api process with these timers. */
function openKitchen(records: Timer[]) {
  const events: ServerEvent[] = [];
  const ringer = createRinger({
    timers: {
      all: async () => [...records],
      ring: async () => true,
      noteHeard: async () => undefined,
      miss: async () => true,
      silence: async () => null,
      claim: async () => true,
      forget: async () => true,
    },
    there: { all: async () => [], tell: async () => undefined, leave: async () => undefined },
    wordsFor: () => 'Your pasta timer is done.',
    isQuiet: () => false,
    ringMs: () => 60_000,
    onAlone: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const place = { room: 'kitchen', conversation: 'kitchen' };
  ringer.join({ sessionId: 'kitchen', place, ring: () => undefined, tell: (event) => events.push(event) });
  close = () => ringer.leave('kitchen');
  return { ringer, events };
}

let close = (): void => undefined;
afterEach(() => close());

test('tells a satellite once that a timer is over, even if its record is gone before the message', async () => {
  const records = [pasta];
  const { ringer, events } = openKitchen(records);
  await expect.poll(() => ringer.running({ room: 'kitchen', conversation: null })).toHaveLength(1);

  records.pop();
  ringer.look();
  await expect.poll(() => events).toMatchObject([{ type: 'timer.stopped', timer: { id: 'pasta' } }]);
  ringer.onNews({ change: 'cancelled', timer: pasta, turn: 'cancel' });

  expect(events).toHaveLength(1);
});
