import { describe, expect, test } from 'vitest';
import { announcedWords, ringTitle, ringWords } from '../../../console/src/parts/words.ts';

describe('what the page says of something that rings', () => {
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

  test('is short in the title, however many there are', () => {
    const pasta = { kind: 'timer', label: 'pasta' } as const;
    const titles = [[], [pasta], [pasta, pasta]].map((rings) => ringTitle(rings));

    expect(titles).toEqual([null, 'The timer “pasta” is over', '2 are ringing']);
  });
});

test('the page says where an announcement was heard, and where not', () => {
  const satellites = [
    { room: 'kitchen', state: 'playing' },
    { room: 'kitchen', state: 'playing' },
    { room: null, state: 'playing' },
    { room: 'bath', state: 'waiting' },
    { room: 'attic', state: 'failed' },
  ] as const;

  expect(announcedWords({ satellites: [...satellites], missing: ['garden'] })).toBe(
    'Said in kitchen, a satellite without a room. Somebody is talking, so it is said in a moment in bath. It could not be said in attic. There is no satellite in garden.',
  );
});
