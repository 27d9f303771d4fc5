import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instantOf } from '../../../../api/src/language/calendar/instant.ts';
import { type MomentPurpose, resolveMoment } from '../../../../api/src/language/calendar/moment.ts';
import { createClock } from '../../../../api/src/language/calendar/time-zones.ts';
import { createGrammar } from '../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { loadClock } from '../../../../api/src/respond/skills/clock/clock-language.ts';
import { timersShape } from '../../../../api/src/respond/skills/timers/timers-shape.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { words } = loadSkill(language.files, 'timers', timersShape);
const { readWords } = createGrammar(language.grammar);
const { rules } = language;
const numbers = rules.createNumberReader(language.numbers);
const durations = rules.createDurationReader(words.durations, numbers);
const times = rules.createTimeReader(words.times, numbers);
const dates = rules.createDateReader(loadClock(language.files).words, numbers);
const reader = rules.createMomentReader({ words: words.moments, durations, dates, times });
const clock = createClock();

interface When {
  now?: string;
  timeZone?: string;
  purpose?: MomentPurpose;
}

/** 15:20 on a Saturday, in London. */
const usual = '2026-11-21T15:20:00Z';

/** A moment as UTC, or the reason why it is invalid; null unless all words belong to it. */
function moment(text: string, { now = usual, timeZone = 'Europe/London', purpose = 'reminder' }: When = {}) {
  const said = readWords(text);
  const found = reader.readBare(said, 0);
  if (found?.end !== said.length) return null;
  const at = resolveMoment(found.value, { clock, timeZone, purpose, now: Date.parse(now) });
  return typeof at === 'number' ? new Date(at).toISOString().replace(':00.000Z', '') : at;
}

describe('a moment at the current time of day', () => {
  test.each([
    ['this time tomorrow', '2026-11-22T15:20'],
    ['tomorrow at this time', '2026-11-22T15:20'],
    ['the same time on Monday', '2026-11-23T15:20'],
    ['this time next week', '2026-11-28T15:20'],
    ["in a week's time", '2026-11-28T15:20'],
    ["in a month's time", '2026-12-21T15:20'],
    ["in an hour's time", '2026-11-21T16:20'],
    ['this time', 'which_day'],
  ])('%s', (text, at) => {
    expect(moment(text)).toBe(at);
  });
});

describe('a time of day', () => {
  test.each([
    ['seven', '2026-11-21T19:00'],
    ['7', '2026-11-21T19:00'],
    ['7:30', '2026-11-21T19:30'],
    ['7.30', '2026-11-21T19:30'],
    ['730', '2026-11-21T19:30'],
    ['07:30', '2026-11-22T07:30'],
    ['19:30', '2026-11-21T19:30'],
    ['0:30', '2026-11-22T00:30'],
    ['18 h 30', '2026-11-21T18:30'],
    ['17 hundred hours', '2026-11-21T17:00'],
    ['oh six hundred hours', '2026-11-22T06:00'],
    ['oh six hundred', '2026-11-22T06:00'],
    ['zero nine hundred', '2026-11-22T09:00'],
    ['twenty one hundred', '2026-11-21T21:00'],
    ['21 hundred', '2026-11-21T21:00'],
    ['nineteen hundred', '2026-11-21T19:00'],
    ['o seven thirty', '2026-11-22T07:30'],
    ['oh five forty five', '2026-11-22T05:45'],
    ['zero six oh five', '2026-11-22T06:05'],
    ['oh eleven thirty', null],
    ['seven hundred', null],
    ['half past', '2026-11-21T15:30'],
    ['at ten past', '2026-11-21T16:10'],
    ['tomorrow at half past', 'which_time'],
    ['seven thirty', '2026-11-21T19:30'],
    ['seven oh five', '2026-11-21T19:05'],
    ["seven o'clock", '2026-11-21T19:00'],
    ['half past seven', '2026-11-21T19:30'],
    ['half seven', '2026-11-21T19:30'],
    ['a quarter to seven', '2026-11-21T18:45'],
    ['quarter past seven', '2026-11-21T19:15'],
    ['twenty to eight', '2026-11-21T19:40'],
    ['ten minutes to eight', '2026-11-21T19:50'],
    ['twenty five past six', '2026-11-21T18:25'],
    ['ten to one', '2026-11-22T12:50'],
    ['7 a.m.', '2026-11-22T07:00'],
    ['7pm', '2026-11-21T19:00'],
    ['12 am', '2026-11-22T00:00'],
    ['12 pm tomorrow', '2026-11-22T12:00'],
    ['noon', '2026-11-22T12:00'],
    ['midnight', '2026-11-22T00:00'],
    ['quarter to midnight', '2026-11-21T23:45'],
    ['seven in the morning', '2026-11-22T07:00'],
    ['seven in the evening', '2026-11-21T19:00'],
    ['eleven at night', '2026-11-21T23:00'],
    ['twelve at night', '2026-11-22T00:00'],
    ['two at night', '2026-11-22T02:00'],
    ['25:00', null],
    ['7:75', null],
    ['thirty', null],
    ['seven ninety', null],
  ])('%s is the next occurrence', (text, expected) => {
    expect(moment(text)).toBe(expected);
  });
});

describe('an hour of the night', () => {
  test.each<[string, string, MomentPurpose, string]>([
    ['four', '2026-11-21T17:00:00Z', 'reminder', '2026-11-22T16:00'],
    ['half past two', '2026-11-21T17:00:00Z', 'reminder', '2026-11-22T14:30'],
    ['one', '2026-11-21T22:30:00Z', 'reminder', '2026-11-22T01:00'],
    ['two', '2026-11-21T00:30:00Z', 'reminder', '2026-11-21T02:00'],
    ['four', '2026-11-21T17:00:00Z', 'alarm', '2026-11-22T04:00'],
    ['4 am', '2026-11-21T17:00:00Z', 'reminder', '2026-11-22T04:00'],
  ])('%s, said at %s, is for the day unless the night is near', (text, now, purpose, expected) => {
    expect(moment(text, { now, purpose })).toBe(expected);
  });
});

describe('a moment', () => {
  test.each([
    ['tomorrow at eight', '2026-11-22T08:00'],
    ['at eight tomorrow', '2026-11-22T08:00'],
    ['tomorrow at three', '2026-11-22T15:00'],
    ['tomorrow morning', '2026-11-22T09:00'],
    ['tomorrow morning at six', '2026-11-22T06:00'],
    ['tomorrow evening at six', '2026-11-22T18:00'],
    ['at six in the evening tomorrow', '2026-11-22T18:00'],
    ['tonight', '2026-11-21T20:00'],
    ['tonight at one', '2026-11-22T01:00'],
    ['tonight at 4:30', 'which_time'],
    ['at three tonight', 'which_time'],
    ['tonight at seven, no, four', 'which_time'],
    ['tomorrow night at four', 'which_time'],
    ['tonight at 4:30 am', '2026-11-22T04:30'],
    ['on Friday night at 3 am', '2026-11-28T03:00'],
    ['tonight at seven', '2026-11-21T19:00'],
    ['at four at night', '2026-11-22T04:00'],
    ['this evening at seven', '2026-11-21T19:00'],
    ['this morning', 'past'],
    ['today at four', '2026-11-21T16:00'],
    ['today at three pm', 'past'],
    ['today', 'no_time'],
    ['yesterday', 'past'],
    ['on Friday at noon', '2026-11-27T12:00'],
    ['on Friday', '2026-11-27T09:00'],
    ['next Monday at 8', '2026-11-23T08:00'],
    ['on the 24th of December at 4 pm', '2026-12-24T16:00'],
    ['December 24th', '2026-12-24T09:00'],
    ['on december twenty four', '2026-12-24T09:00'],
    ['on december five at six pm', '2026-12-05T18:00'],
    ['on 8/12 at 9pm', '2027-08-12T20:00'],
    ['on 24/12 at 4 pm', '2026-12-24T16:00'],
    ['at 4 pm on 12/24/2026', '2026-12-24T16:00'],
    ['12/24/26 at 4 pm', '2026-12-24T16:00'],
    ['on 1/2 at noon', '2027-01-02T12:00'],
    ['1/2', null],
    ['on 13/13', null],
    ['on 2/30', 'no_day'],
    ['in ten minutes', '2026-11-21T15:30'],
    ['ten minutes from now', '2026-11-21T15:30'],
    ['in an hour and a half', '2026-11-21T16:50'],
    ['in two days', '2026-11-23T15:20'],
    ['in two days at noon', '2026-11-23T12:00'],
    ['in a week at eight', '2026-11-28T08:00'],
    ['at seven, no, eight', '2026-11-21T20:00'],
    ['at 7, sorry, 7:30', '2026-11-21T19:30'],
    ['tomorrow at 7, no, at 8', '2026-11-22T08:00'],
    ['on Friday, I mean Thursday, at noon', '2026-11-26T12:00'],
    ['on Friday at noon, no, on Thursday', '2026-11-26T12:00'],
    ['in ten minutes, no, in twenty minutes', '2026-11-21T15:40'],
    ['in ten minutes, no wait, at five', '2026-11-21T17:00'],
    ['at seven, no', null],
    ['in ten minutes at noon', null],
    ['tomorrow on Friday', null],
  ])('is read or refused for %j', (text, expected) => {
    expect(moment(text)).toBe(expected);
  });

  test.each([
    ['half past seven', usual, '2026-11-22T07:30'],
    ['five', usual, '2026-11-21T17:00'],
    ['seven', '2026-11-21T05:30:00Z', '2026-11-21T07:00'],
    ['seven', '2026-11-21T22:00:00Z', '2026-11-22T07:00'],
    ['three', '2026-11-21T13:00:00Z', '2026-11-21T15:00'],
    ['tomorrow', usual, 'no_time'],
    ['tomorrow at six', usual, '2026-11-22T06:00'],
  ])('for waking up at %s, said at %s, is in the morning or after a nap', (text, now, expected) => {
    expect(moment(text, { now, purpose: 'wake' })).toBe(expected);
  });
});

describe('when the clocks change', () => {
  const london = { timeZone: 'Europe/London' };

  test.each([
    // At one o'clock on 29 March 2026 the clock moves to two.
    ['tomorrow at seven', '2026-03-28T20:00:00Z', '2026-03-29T06:00'],
    ['tomorrow at half past one in the morning', '2026-03-28T20:00:00Z', '2026-03-29T01:30'],
    ['in two days', '2026-03-28T20:00:00Z', '2026-03-30T19:00'],
    ['in 48 hours', '2026-03-28T20:00:00Z', '2026-03-30T20:00'],
    // At two o'clock on 25 October 2026 the clock moves to one: half past one occurs twice.
    ['tomorrow at seven', '2026-10-24T19:00:00Z', '2026-10-25T07:00'],
    ['tomorrow at half past one in the morning', '2026-10-24T19:00:00Z', '2026-10-25T00:30'],
  ])('in London, %s, said at %s', (text, now, expected) => {
    expect(moment(text, { ...london, now })).toBe(expected);
  });

  test.each([
    ['America/New_York', '2026-03-08T01:00:00Z', '2026-03-08T11:00'],
    ['Asia/Kathmandu', '2026-03-08T01:00:00Z', '2026-03-09T01:15'],
    ['Australia/Lord_Howe', '2026-10-03T01:00:00Z', '2026-10-03T20:00'],
    ['Pacific/Auckland', '2026-04-04T01:00:00Z', '2026-04-04T19:00'],
  ])('tomorrow at seven in %s', (timeZone, now, expected) => {
    expect(moment('tomorrow at seven in the morning', { timeZone, now })).toBe(expected);
  });

  test('the wall clock shows the intended time whenever it exists', () => {
    const zones = fc.constantFrom('Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Tokyo');
    const moments = fc.record({
      at: fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') }),
      timeZone: zones,
    });
    fc.assert(
      fc.property(moments, ({ at, timeZone }) => {
        const shown = clock(at, timeZone);
        const found = instantOf(shown, { clock, timeZone });
        expect(clock(found, timeZone)).toEqual(shown);
        expect(found).toBeLessThanOrEqual(at);
      }),
    );
  });
});
