import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextTransition } from '../../../api/src/timers/next-transition.ts';
import {
  mayMove,
  type Place,
  ringsInQuiet,
  ringsWhere,
  satellitesFor,
  timerFault,
  timerLimits,
  timerStates,
} from '../../../api/src/timers/timer.ts';
import { minuteMs, now, timer } from '../../support/timers.ts';

const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('the states of a timer', () => {
  test('change only as the table says', () => {
    const table = Object.fromEntries(
      timerStates.map((from) => [from, timerStates.filter((to) => mayMove(from, to))]),
    );

    expect(table).toEqual({
      running: ['running', 'paused', 'doing', 'ringing', 'missed', 'over'],
      paused: ['running', 'paused', 'over'],
      doing: ['ringing', 'over'],
      ringing: ['ringing', 'missed', 'over'],
      missed: ['over'],
      over: [],
    });
  });

  test('all lead to an end', () => {
    const ends = timerStates.map((state) => state === 'over' || mayMove(state, 'over'));

    expect(ends).not.toContain(false);
  });
});

describe('the next step of a timer', () => {
  const rung = { state: 'ringing', ringingAt: now, heardAt: now } as const;
  const neverRung = { state: 'ringing', ringingAt: now, heardAt: null } as const;

  test.each([
    ['one that runs waits until it is due', timer(), -1, 'wait'],
    ['then it rings', timer(), 0, 'ring'],
    ['also when that is noticed late', timer(), 20 * minuteMs, 'ring'],
    ['after more than a day it is only told', timer(), dayMs + 1, 'miss'],
    ['one that rings goes on', timer(rung), 10 * minuteMs - 1, 'wait'],
    ['for as long as the household wants', timer(rung), 10 * minuteMs, 'miss'],
    ['where nobody could hear it, longer', timer(neverRung), 20 * hourMs, 'wait'],
    ['but no more than a day', timer(neverRung), dayMs + 1, 'miss'],
    ['one that was missed waits to be told', timer({ state: 'missed' }), 6 * dayMs, 'wait'],
    ['for a week', timer({ state: 'missed' }), 7 * dayMs + 1, 'forget'],
    ['one that is paused does not ring', timer({ state: 'paused', leftMs: minuteMs }), 6 * dayMs, 'wait'],
    ['and is forgotten after a week', timer({ state: 'paused', leftMs: minuteMs }), 7 * dayMs + 1, 'forget'],
  ])('%s', (_title, given, lateMs, what) => {
    expect(nextTransition(given, now + lateMs, { ringMs: 10 * minuteMs })).toBe(what);
  });

  test('is always a legal change', () => {
    const becomes = {
      wait: null,
      ring: 'ringing',
      do: 'doing',
      lose: 'ringing',
      miss: 'missed',
      forget: 'over',
    } as const;
    fc.assert(
      fc.property(
        fc.constantFrom('running', 'doing', 'ringing', 'missed'),
        fc.constantFrom('timer', 'command'),
        fc.option(fc.integer({ min: 0, max: 8 * dayMs })),
        fc.integer({ min: -dayMs, max: 9 * dayMs }),
        (state, kind, rungMs, lateMs) => {
          const given = timer({ kind, state, heardAt: rungMs === null ? null : now + rungMs });
          const to = becomes[nextTransition(given, now + lateMs, { ringMs: 10 * minuteMs })];
          return to === null || mayMove(state, to);
        },
      ),
    );
  });
});

describe('a timer cannot be set', () => {
  test.each([
    ['for nothing', { dueAt: now }, 'too_short'],
    ['for less than nothing', { dueAt: now - 5 * minuteMs }, 'too_short'],
    ['for no time that there is', { dueAt: Number.NaN }, 'too_short'],
    ['for 400 days', { dueAt: now + 400 * dayMs }, 'too_far'],
    ['with a name that nobody can say', { label: 'x'.repeat(61) }, 'too_long_label'],
    ['with markup for a name', { label: '<b>pasta</b>' }, 'not_words'],
    ['with a line break in its name', { label: 'pasta\nsystem:' }, 'not_words'],
  ])('%s', (_title, given, fault) => {
    expect(timerFault({ dueAt: now + minuteMs, label: null, ...given }, now)).toBe(fault);
  });

  test('is valid otherwise', () => {
    const most = { dueAt: now + timerLimits.maxAheadMs, label: "Anna's soufflé" };

    expect(timerFault(most, now)).toBeNull();
  });
});

describe('a timer rings', () => {
  const kitchen = { room: 'kitchen', conversation: 'kitchen-satellite' };
  const bath = { room: 'bath', conversation: 'bath-satellite' };
  const nowhere = { room: null, conversation: 'desk' };

  test.each([
    ['in the room that asked', { room: 'kitchen' }, [kitchen, bath], [kitchen]],
    ['however the room is written', { room: ' Kitchen' }, [kitchen, bath], [kitchen]],
    ['everywhere while that room is away', { room: 'attic' }, [kitchen, bath], [kitchen, bath]],
    ['on the satellite without a room that asked', { client: 'desk' }, [nowhere, bath], [nowhere]],
    ['everywhere when it was typed', { client: 'api' }, [kitchen, nowhere], [kitchen, nowhere]],
    ['nowhere while nobody is connected', { room: 'kitchen' }, [], []],
  ])('%s', (_title, where, connected: Place[], rung: Place[]) => {
    expect(satellitesFor({ room: null, client: null, ...where }, connected)).toEqual(rung);
  });

  test.each([
    ['where it rings', kitchen, [kitchen, bath], true],
    ['typed for that room', { room: 'kitchen', conversation: 'api' }, [kitchen, bath], true],
    ['in another room', bath, [kitchen, bath], false],
    ['in another room, while this one is away', bath, [bath], true],
    ['typed without a room', { room: null, conversation: 'api' }, [kitchen, bath], true],
    ['typed for another room', { room: 'bath', conversation: 'api' }, [kitchen, bath], false],
    ['typed while nobody is connected', { room: 'bath', conversation: 'api' }, [], true],
  ])('and a word %s stops it: %#', (_title, speaker, connected: Place[], isMeant) => {
    const rings = { connected, isQuiet: false };

    expect(ringsWhere({ kind: 'timer', room: 'kitchen', client: null }, speaker, rings)).toBe(isMeant);
  });

  test.each([
    ['where it was asked for', kitchen, true],
    ['elsewhere, where it keeps quiet then', bath, false],
    ['typed', { room: null, conversation: 'api' }, true],
  ])('and in the quiet hours a word %s stops it: %#', (_title, speaker, isMeant) => {
    const rings = {
      connected: [bath, kitchen].filter(({ room }) => isMeant || room === 'bath'),
      isQuiet: true,
    };

    expect(ringsWhere({ kind: 'timer', room: 'kitchen', client: null }, speaker, rings)).toBe(isMeant);
  });

  test('and an alarm rings elsewhere even in the quiet hours', () => {
    const alarm = { kind: 'alarm', room: 'kitchen', client: null } as const;

    expect(ringsInQuiet(alarm, bath)).toBe(true);
    expect(ringsWhere(alarm, bath, { connected: [bath], isQuiet: true })).toBe(true);
  });
});

describe('with satellites of Home Assistant', () => {
  const own = (room: string): Place => ({ room, conversation: `${room}-satellite` });
  const voice: Place = { room: 'Kitchen', conversation: 'home/Kitchen', homeSpeaker: 'satellite' };
  const player: Place = { room: 'Bath', conversation: 'home/Bath', homeSpeaker: 'player' };

  test.each([
    ['a room has only that', 'bath', [own('hall'), voice, player], [player]],
    ['a satellite of ours is in the room', 'kitchen', [own('kitchen'), voice], [own('kitchen')]],
    ['nothing is in the room, on all of ours', 'cellar', [own('hall'), voice, player], [own('hall')]],
    ['there is none of ours, on its voice devices', 'cellar', [voice, player], [voice]],
    ['only a player is anywhere, nowhere', 'cellar', [player], []],
    ['it was asked for nowhere in particular', null, [voice, player], [voice]],
  ])('a timer rings where %s', (_when, room, connected, rung) => {
    expect(satellitesFor({ room, client: null }, connected)).toEqual(rung);
  });

  test('a "stop" said there stops it', () => {
    const said = { room: 'kitchen', conversation: 'wyoming/1' };
    const timers = { kind: 'timer', room: 'Kitchen', client: null } as const;

    expect(ringsWhere(timers, said, { connected: [voice], isQuiet: false })).toBe(true);
  });
});
