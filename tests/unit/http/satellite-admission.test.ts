import { describe, expect, test } from 'vitest';
import {
  createSatelliteAdmission,
  type ProcessLoad,
  watchLoad,
} from '../../../api/src/http/satellite-admission.ts';
import { waitFor } from '../../support/wait-for.ts';

const idle: ProcessLoad = { busyShare: 0.2, lagMs: 2 };

function door(load: ProcessLoad = idle) {
  let nowMs = 0;
  let here = 0;
  const clock = { nowMs: () => nowMs, after: () => () => undefined };
  const admit = createSatelliteAdmission({ clock, load: () => load });
  return {
    /**
     * This many satellites connect, evenly within this many ms. Returns the number admitted, and the reason
     * for the last refusal.
     */
    knock(count: number, withinMs = 0) {
      let why: string | null = null;
      const before = here;
      for (let each = 0; each < count; each += 1) {
        nowMs += withinMs / count;
        const refused = admit(here);
        if (refused === null) here += 1;
        else why = refused;
      }
      return { letIn: here - before, why };
    },
  };
}

describe('satellites', () => {
  test('of the household are admitted at once, however busy the machine is', () => {
    expect(door({ busyShare: 1, lagMs: 500 }).knock(24)).toEqual({ letIn: 24, why: null });
  });

  test.each([
    ['has hardly any time left', { busyShare: 0.9, lagMs: 5 }],
    ['is late with what is due', { busyShare: 0.5, lagMs: 150 }],
  ])('beyond those are refused while the process %s', (_why, load) => {
    expect(door(load).knock(100, 60_000)).toEqual({
      letIn: 24,
      why: 'this server cannot keep up with more satellites',
    });
  });

  test('beyond those are admitted one by one while it keeps up', () => {
    expect(door().knock(200, 60_000)).toEqual({ letIn: 200, why: null });
  });

  test('that come at the same moment wait until their load shows', () => {
    const { knock } = door();

    expect(knock(192, 100)).toEqual({ letIn: 32, why: 'too many satellites connect at once' });
    expect(knock(192, 2_000).letIn).toBe(16);
  });

  test('are limited in number even if all are silent', () => {
    expect(door().knock(2_000, 1_000_000)).toEqual({ letIn: 512, why: 'too many satellites are connected' });
  });
});

test('a process that works without a break is busy and late', {
  timeout: 20_000,
  tags: 'slow',
}, async () => {
  const { load, stop } = watchLoad();
  const work = setInterval(() => {
    const until = performance.now() + 300;
    while (performance.now() < until);
  }, 1);

  await waitFor(() => load().busyShare > 0.85 && load().lagMs > 100, { what: 'it is seen' });

  clearInterval(work);
  stop();
});
