import type { SpeakingData } from '../language/speaking-schema.ts';
import { anyOf, type Rule, wordEnds } from './rule.ts';

/** Dates and times of day, "2026-11-21", "8:00". */
export function createDateRules(speaking: SpeakingData): Rule[] {
  const { months, date, month_first, o_clock, afternoon, midnight, between_numbers } = speaking;
  const sayDate = (whole: string, year: string, month: string, day: string) => {
    const name = months[Number(month) - 1];
    if (name === undefined || Number(day) < 1 || Number(day) > 31) return whole;
    return fill(date, { day: String(Number(day)), month: name, year });
  };
  const sayHour = (whole: string, digits: string) => {
    const hour = Number(digits);
    if (hour > 24) return whole;
    if (hour % 24 === 0) return midnight;
    return hour > 12 ? fill(afternoon, { hour: String(hour - 12) }) : fill(o_clock, { hour: String(hour) });
  };
  return [
    // Of "2026-11-21T08:00:00Z" nobody wants the seconds.
    (text) =>
      text.replace(/(?<=\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?!\d)/g, ', $1'),
    (text) =>
      text.replace(/(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?![\d-])/g, (whole, year, month, day) =>
        sayDate(whole, year, month, day),
      ),
    (text) =>
      text.replace(/(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d/])/g, (whole, first, second, year) => {
        const isMonthFirst = Number(second) > 12 || (month_first && Number(first) <= 12);
        return isMonthFirst ? sayDate(whole, year, first, second) : sayDate(whole, year, second, first);
      }),
    (text) =>
      text.replace(/(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\d.]\d)/g, (whole, day, month, year) =>
        sayDate(whole, year, month, day),
      ),
    (text) => text.replace(/(?<=\d:\d\d) ?[-–] ?(?=\d{1,2}:\d\d)/g, ` ${between_numbers['-'] ?? '-'} `),
    (text) => text.replace(/(?<![\d:.,])0(?=\d:\d\d(?![\d:]))/g, ''),
    (text) => text.replace(/(?<![\d:.,])(\d{1,2}):00(?= ?[ap]\.?m\b)/gi, '$1'),
    (text) => text.replace(/(?<![\d:.,])(\d{1,2}):00(?![\d:]|[.,]\d)/g, sayHour),
  ];
}

function fill(pattern: string, values: Record<string, string>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Numbers that are no amounts: of telephones, machines and versions. */
export function createDigitRules({ dial, dot }: SpeakingData): Rule[] {
  const byDigits = (number: string) =>
    number
      .split(/\D+/)
      .filter(Boolean)
      .map((group) => [...group].join(' '))
      .join(', ');
  const dialled = new RegExp(
    String.raw`(?<=(?<!\p{L})${anyOf(dial)} )\+?\d{3,15}(?:[ -]\d{2,8}){0,5}${wordEnds}`,
    'giu',
  );
  return [
    (text) => text.replace(dialled, byDigits),
    // "555-1234" is called, "200-1000" counted.
    (text) =>
      text.replace(
        /(?<![\p{L}\p{N}-])(?:(?:\+?\d{1,3}[ -])?(?:\(\d{3}\) ?|\d{3}[ -])\d{3}-\d{4}|\d{3}-(?!\d\d00)\d{4})(?![\p{L}\p{N}-])/gu,
        byDigits,
      ),
    (text) =>
      text.replace(/(?<![\p{L}\p{N}.])v?\d{1,4}(?:\.\d{1,4}){2,6}(?![\p{L}\p{N}])/gu, (number) =>
        number.replace('v', '').replaceAll('.', ` ${dot} `),
      ),
    (text) => text.replace(/(?<![\p{L}\p{N}.])\.(?=\d)/gu, '0.'),
  ];
}
