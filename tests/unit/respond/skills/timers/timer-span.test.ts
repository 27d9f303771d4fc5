import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import type { SaidTime } from '../../../../../api/src/language/calendar/time-reader.ts';
import { isInWindow } from '../../../../../api/src/respond/skills/timers/timer-span.ts';
import { englishSkills } from '../../../../support/skills.ts';

/** Understanding needs no Redis: this client is never connected. */
const { responder, grammar, timerSkill } = englishSkills(new Redis({ lazyConnect: true }));
const read = (text: string) => {
  const words = grammar.readWords(text);
  const found = timerSkill.talk.read.readSpan(words, 0);
  return found?.end === words.length ? found.value : null;
};
const at = (hour: number, half: SaidTime['half'] = null): SaidTime => ({
  hour,
  minute: 0,
  half,
  isPlain: false,
});

describe('a phrase for the time of existing timers', () => {
  test.each([
    ['between six and nine', at(6), at(9)],
    ['from six to nine', at(6), at(9)],
    ['between six and nine am', at(6), at(9, 'am')],
    ['for morning hours between six and nine', at(6), at(9)],
    ['tomorrow between six and nine', at(6), at(9)],
    ['after five', at(5), null],
    ['before eight tomorrow', null, at(8)],
  ])('is between two times, or on one side of one: %s', (text, from, to) => {
    expect(read(text)?.window).toMatchObject({
      from: from && { hour: from.hour },
      to: to && { hour: to.hour },
    });
  });

  test.each(['at ten to six', 'for tomorrow morning', 'at seven'])('has no window: %s', (text) => {
    expect(read(text)).not.toBeNull();
    expect(read(text)?.window).toBeUndefined();
  });

  test.each(['between us', 'after the meeting', 'before'])('is invalid: %s', (text) => {
    expect(read(text)).toBeNull();
  });

  test('is understood in questions and cancellations, and sets nothing', () => {
    const intents = [
      'Do I have any alarms between six and nine?',
      'Cancel my alarms after five.',
      'Set an alarm between six and nine.',
    ].map((text) => responder.understood(text)?.intent ?? null);

    expect(intents).toEqual(['did', 'cancel', null]);
  });
});

describe('a time of day', () => {
  const [seven, noon, evening] = [7 * 60, 12 * 60, 19 * 60];

  test.each([
    ['seven in the morning', seven, null, true],
    ['seven in the evening', evening, null, true],
    ['seven in the evening, of the morning', evening, 'morning', false],
    ['noon', noon, null, false],
  ] as const)('is between six and nine, or not: %s', (_, minute, part, isInside) => {
    expect(isInWindow({ from: at(6), to: at(9) }, minute, part)).toBe(isInside);
  });

  test.each([
    ['both in the morning', { from: at(6), to: at(9, 'am') }, evening, false],
    ['into the afternoon', { from: at(11), to: at(2, 'pm') }, noon, true],
    ['over midnight', { from: at(10, 'pm'), to: at(6, 'am') }, 60, true],
    ['after one', { from: at(5, 'pm'), to: null }, evening, true],
    ['before one', { from: null, to: at(8, 'am') }, evening, false],
    ['at the end of it', { from: at(6, 'am'), to: at(7, 'am') }, seven, true],
  ] as const)('is between two times: %s', (_, window, minute, isInside) => {
    expect(isInWindow(window, minute, null)).toBe(isInside);
  });
});
