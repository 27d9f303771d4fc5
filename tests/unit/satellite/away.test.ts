import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Away, createAway } from '../../../satellite/away.ts';
import type { ServerEvent } from '../../../satellite/event.ts';
import { createKnownTimers } from '../../../satellite/known-timers.ts';
import { examplesOf } from '../../support/clients/listen-events.ts';

let away: Away | undefined;
afterEach(() => away?.close());

const words = Buffer.alloc(64, 7);

function household({ hour = 12 } = {}) {
  let nowMs = 0;
  const played: Buffer[] = [];
  let [stops, rings] = [0, 0];
  const told: string[] = [];
  const made = createAway({
    loudspeaker: {
      begin: () => ({
        play: (samples) => void played.push(samples),
        end: () => undefined,
        stop: () => {
          stops += 1;
        },
        playedMs: Promise.resolve(0),
      }),
    },
    timers: createKnownTimers(() => nowMs),
    tell: (line) => void told.push(line),
    lostWords: () => words,
    onRing: () => {
      rings += 1;
    },
    nowMs: () => nowMs,
    hour: () => hour,
  });
  away = made;
  return {
    away: made,
    played,
    told,
    stops: () => stops,
    rings: () => rings,
    pass: (ms: number) => {
      nowMs += ms;
      made.look();
    },
  };
}

/** An event as in the schema's example, about this timer. */
function event(type: ServerEvent['type'], timer: object = {}): ServerEvent {
  const [example = {}] = examplesOf(type);
  const made: Record<string, unknown> = { ...example, type };
  if (timer)
    made['timer'] = { id: 'pasta', kind: 'timer', name: 'pasta', duration_ms: 60_000, ends_at: '', ...timer };
  if (type === 'session.created') made['session'] = { timers: [] };
  return JSON.parse(JSON.stringify(made));
}

describe('while the server is unreachable', () => {
  test('a known timer rings, once and with its name', () => {
    const { away, played, told, rings, pass } = household();
    away.follow(event('timer.started', { remaining_ms: 5_000 }));
    away.lost();

    pass(4_900);
    const before = [played.length, rings()];
    pass(200);
    pass(10_000);

    expect([before, played.length, rings(), told]).toEqual([[0, 0], 1, 1, ['The timer "pasta" is over.']]);
  });

  test.each([
    ['was stopped', event('timer.stopped', { remaining_ms: 0 })],
    ['has rung there', event('timer.finished', { remaining_ms: 0 })],
    ['is paused', event('timer.changed', { remaining_ms: 5_000, paused: true })],
  ])('a timer that %s does not ring', (_, change) => {
    const { away, played, pass } = household();
    away.follow(event('timer.started', { remaining_ms: 5_000 }));
    away.follow(change);
    away.lost();

    pass(20_000);

    expect(played).toEqual([]);
  });

  test('the satellite stops ringing when the server is back, which then rings', () => {
    const { away, pass, stops } = household();
    away.follow(event('timer.started', { remaining_ms: 5_000 }));
    away.lost();
    pass(6_000);

    away.follow(event('session.created'));

    expect(stops()).toBe(1);
  });

  test('the satellite reports it once, after half a minute, and again only after another outage', () => {
    const { away, played, pass } = household();
    away.lost();
    pass(29_000);
    const early = played.length;
    pass(2_000);
    pass(600_000);
    const first = played.length;

    away.follow(event('session.created'));
    away.lost();
    pass(31_000);

    expect([early, first, played]).toEqual([0, 1, [words, words]]);
  });

  test('the satellite is silent about it at night', () => {
    const { away, played, pass } = household({ hour: 3 });
    away.lost();

    pass(31_000);

    expect(played).toEqual([]);
  });

  test.each([
    ['forward', 86_400_000],
    ['back', -86_400_000],
  ])('a timer rings in its own time although the clock jumps %s', (_, jumpMs) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const told: string[] = [];
    const nothing = () => undefined;
    const silent = { play: nothing, end: nothing, stop: nothing, playedMs: Promise.resolve(0) };
    away = createAway({
      loudspeaker: { begin: () => silent },
      timers: createKnownTimers(),
      tell: (line) => void told.push(line),
      lostWords: () => null,
      onRing: nothing,
    });
    away.follow(event('timer.started', { id: 'pasta', name: 'pasta', remaining_ms: 3_600_000 }));
    away.follow(event('timer.started', { id: 'eggs', name: 'eggs', remaining_ms: 0 }));
    away.lost();

    vi.setSystemTime(Date.now() + jumpMs);
    away.look();
    vi.useRealTimers();

    expect(told).toEqual(['The timer "eggs" is over.']);
  });
});
