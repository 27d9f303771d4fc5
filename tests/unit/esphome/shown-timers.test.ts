import { describe, expect, test } from 'vitest';
import { createShownTimers } from '../../../api/src/esphome/shown-timers.ts';
import type { RunningTimer } from '../../../api/src/listen/events/listen-events.ts';
import type { Ring } from '../../../api/src/listen/ringing/ringing.ts';

const timer = (id: string, kind: RunningTimer['kind'] = 'timer'): RunningTimer => ({
  id,
  kind,
  name: null,
  duration_ms: 60_000,
  remaining_ms: 30_000,
  ends_at: '2026-11-20T18:05:00.000Z',
});
const ringOf = (of: RunningTimer, isRinging = true): Ring => ({
  id: of.id,
  words: () => '',
  isRinging,
  timer: of,
  onRing: () => undefined,
  onTold: () => undefined,
});

function shown({ isAble = true } = {}) {
  const told: string[] = [];
  const taken: string[] = [];
  const timers = createShownTimers({
    link: { timer: (change, { id, leftS }) => void told.push(`${change} ${id} ${leftS}`) },
    isAble,
    onTaken: (id) => taken.push(id),
  });
  return { timers, told, taken };
}

describe('the timers on a device', () => {
  test('appear, change and disappear', () => {
    const { timers, told } = shown();
    timers.tell({ type: 'timer.started', turn_id: null, timer: timer('a') });
    timers.tell({ type: 'timer.changed', turn_id: null, timer: timer('a') });
    timers.tell({ type: 'timer.stopped', turn_id: null, timer: timer('a') });

    expect(told).toEqual(['started a 30', 'updated a 30', 'cancelled a 30']);
  });

  test('ring only there, and once; alarms ring in the session', async () => {
    const { timers, told, taken } = shown();
    const [pasta, alarm] = [ringOf(timer('pasta')), ringOf(timer('six', 'alarm'))];

    const others = [timers.ring([pasta, alarm]), timers.ring([pasta, alarm])];
    await Promise.resolve();

    expect(others).toEqual([[alarm], [alarm]]);
    expect(told).toEqual(['finished pasta 0']);
    expect(taken).toEqual(['pasta']);
  });

  test('that were missed are reported in words', () => {
    const { timers } = shown();
    const missed = ringOf(timer('a'), false);

    expect(timers.ring([missed])).toEqual([missed]);
  });

  test('ring in the session if the device cannot', () => {
    const { timers, told } = shown({ isAble: false });
    const ring = ringOf(timer('a'));

    expect(timers.ring([ring])).toEqual([ring]);
    expect(told).toEqual([]);
  });
});
