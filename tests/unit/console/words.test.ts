import { describe, expect, test } from 'vitest';
import { announcedWords, nextTime, ringTitle, ringWords } from '../../../console/src/parts/words.ts';

describe("the page's text for a ringing timer", () => {
  test.each([
    ['timer', 'pasta', 'The timer “pasta” is over'],
    ['timer', null, 'A timer is over'],
    ['alarm', 'school', 'The alarm “school” rings'],
    ['alarm', null, 'An alarm rings'],
    ['reminder', 'take out the bins', 'Reminder: take out the bins'],
    ['reminder', null, 'A reminder'],
  ] as const)('names a %s called %s', (kind, label, words) => {
    expect(ringWords({ kind, label })).toBe(words);
  });

  test('is short in the title for any number of timers', () => {
    const pasta = { kind: 'timer', label: 'pasta' } as const;
    const titles = [[], [pasta], [pasta, pasta]].map((rings) => ringTitle(rings));

    expect(titles).toEqual([null, 'The timer “pasta” is over', '2 are ringing']);
  });
});

test('the page shows where an announcement was played, and where not', () => {
  const satellites = [
    { room: 'kitchen', state: 'playing' },
    { room: 'kitchen', state: 'playing' },
    { room: null, state: 'playing' },
    { room: 'bath', state: 'waiting' },
    { room: 'attic', state: 'failed' },
  ] as const;

  expect(announcedWords({ satellites: [...satellites], missing: ['garden'] })).toBe(
    'Said in kitchen, a satellite without a room. Someone is talking, so it follows in a moment in bath. The announcement failed in attic. There is no satellite in garden.',
  );
});

describe('the next time of day', () => {
  const at = (day: number, hours: number, minutes: number) => new Date(2026, 10, day, hours, minutes);

  test.each([
    ['06:30', at(21, 5, 0), at(21, 6, 30)],
    ['06:30', at(21, 6, 30), at(22, 6, 30)],
    ['06:30', at(30, 23, 59), new Date(2026, 11, 1, 6, 30)],
  ])('%s is today, or tomorrow once it has passed', (time, now, expected) => {
    expect(nextTime(time, now)).toEqual(expected);
  });
});
