import { literally } from '../language/pattern.ts';
import type { Speaking, SpeakingData } from '../language/speaking-schema.ts';
import { anyOf, type Rule, wordEnds } from './rule.ts';

/** Spells dates and times of day, "2026-11-21", "8:00". */
export function createDateRules(speaking: Speaking): Rule[] {
  const { months, days, date, day, day_after, month_first, between_numbers, half_days } = speaking;
  const { behind_time, clock_time, formOf, first_day } = speaking;
  /** "1.5.2026", and "01-05-2026" where the day comes first. */
  const dayFirst = new RegExp(
    String.raw`(?<![\d.-])(\d{1,2})([${month_first ? '.' : '.-'}])(\d{1,2})\2(\d{4})(?![\d.-]\d)`,
    'g',
  );
  const sayHour = createHours(speaking);
  const beforeHalfDay = new RegExp(String.raw`(?<![\d:.,])(\d{1,2}):00(?= ?${anyOf(half_days)}\b)`, 'gi');
  const sayDate = (whole: string, year: string, month: string, day: string) => {
    const name = months[Number(month) - 1];
    if (name === undefined || Number(day) < 1 || Number(day) > 31) return whole;
    return fill(date, { day: String(Number(day)), month: name, year });
  };
  const short = new RegExp(
    String.raw`(?<![\d/.,:-]|\d )(?<said>${anyOf(day_after)} )?(\d{1,2})\/(\d{1,2})(?![\d/%]|[.,]\d|[ -]?${anyOf(Object.keys(speaking.units))}${wordEnds})`,
    'giu',
  );
  /** "12/25" is a date if it is not a common fraction, or if "on" precedes it. */
  const sayDay = (whole: string, said = '', first: string, second: string) => {
    const [month, dayOfMonth] = month_first ? [first, second].map(Number) : [second, first].map(Number);
    const name = months[(month ?? 0) - 1];
    const isDay = dayOfMonth !== undefined && dayOfMonth >= 1 && dayOfMonth <= 31;
    if (name === undefined || !isDay || (said === '' && (dayOfMonth <= 12 || dayOfMonth === 16)))
      return whole;
    return said + fill(day, { day: String(dayOfMonth), month: name });
  };
  return [
    ...[months, days ?? []].map((names) => createNameRangeRule(names, between_numbers['-'] ?? '-')),
    // "2024/25"
    (text) => text.replace(/(?<![\d/])((?:19|20)\d\d)\/(\d\d)(?![\d/])/g, '$1 $2'),
    ...(months.some((name) => /^\p{Lu}/u.test(name)) ? [createMonthRule(months)] : []),
    // Drops the seconds of "2026-11-21T08:00:00Z".
    (text) =>
      text.replace(/(?<=\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?!\d)/g, ', $1'),
    (text) =>
      text.replace(/(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?![\d-])/g, (whole, year, month, day) =>
        sayDate(whole, year, month, day),
      ),
    (text) =>
      text.replace(/(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4}|\d\d)(?![\d/])/g, (whole, first, second, last) => {
        const year = last.length === 2 ? `20${last}` : last;
        const isMonthFirst = Number(second) > 12 || (month_first && Number(first) <= 12);
        return isMonthFirst ? sayDate(whole, year, first, second) : sayDate(whole, year, second, first);
      }),
    (text) => text.replace(short, (whole, said, first, second) => sayDay(whole, said, first, second)),
    (text) => text.replace(dayFirst, (whole, day, _mark, month, year) => sayDate(whole, year, month, day)),
    ...(first_day ? [createFirstDay(first_day, months)] : []),
    (text) => text.replace(/(?<=\d:\d\d) ?[-–] ?(?=\d{1,2}:\d\d)/g, ` ${between_numbers['-'] ?? '-'} `),
    (text) => text.replace(/(?<![\d:.,])0(?=\d:\d\d(?![\d:]))/g, ''),
    ...(behind_time ? [createBehindTime(behind_time)] : []),
    (text) => text.replace(beforeHalfDay, '$1'),
    ...(clock_time ? [createWrittenTime(clock_time), createClockTime(clock_time, formOf)] : []),
    (text) => text.replace(/(?<![\d:.,])(\d{1,2}):00(?![\d:]|[.,]\d)/g, sayHour),
  ];
}

/** "Mon–Fri", "May-July" */
function createNameRangeRule(names: readonly string[], to: string): Rule {
  const nameOf = new Map(names.flatMap((name) => [[name.slice(0, 3), name] as const, [name, name] as const]));
  const name = `(${anyOf([...nameOf.keys()])})`;
  const range = new RegExp(`(?<![\\p{L}\\p{N}-])${name}\\.? ?[-–] ?${name}(?![\\p{L}\\p{N}-])`, 'gu');
  return (text) =>
    text.replace(range, (_, from: string, until: string) => `${nameOf.get(from)} ${to} ${nameOf.get(until)}`);
}

/** "Jan 5" and "5 Jan". A stop makes it an abbreviation, "Jan. 5". */
function createMonthRule(months: readonly string[]): Rule {
  const long = months.filter((name) => name.length > 4).map((name) => [name.slice(0, 3), name] as const);
  const nameOf = new Map(long);
  const short = anyOf([...nameOf.keys()]);
  const written = new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:(${short})(?= \d{1,2}(?![\d:/]))|(?<=(?<!\d)\d{1,2} )(${short})(?![\p{L}.]))`,
    'gu',
  );
  return (text) => text.replace(written, (name: string) => nameOf.get(name) ?? name);
}

/** "1 mai" and "1° maggio" are "premier mai" and "primo maggio". */
function createFirstDay(first: string, months: readonly string[]): Rule {
  const written = new RegExp(
    String.raw`(?<![\p{L}\p{N}][.,:/-]?)1[°º]? (?=${anyOf(months)}${wordEnds})`,
    'giu',
  );
  return (text) => text.replace(written, `${first} `);
}

/** "7:30 Uhr" is said "7 Uhr 30", and "7:00 Uhr" without the minutes. The hour may end with a stop. */
function createBehindTime({ word, said }: NonNullable<SpeakingData['behind_time']>): Rule {
  const written = new RegExp(
    String.raw`(?<![\d:.,])(\d{1,2})[:.]([0-5]\d) ${literally(word)}(?!\p{L})`,
    'gu',
  );
  return (text) =>
    text.replace(written, (_, hour: string, minute: string) => {
      const pattern = said[0] ?? '';
      if (minute === '00') return `${hour} ${word}`;
      return fill(pattern, { hour, minute: String(Number(minute)) });
    });
}

/** "18h05" and "alle 18.05" are "18:05". */
function createWrittenTime({
  mark = '(?!)',
  after = [],
}: Pick<NonNullable<SpeakingData['clock_time']>, 'mark' | 'after'>): Rule {
  const marked = new RegExp(String.raw`(?<![\p{L}\d:.,])(\d{1,2}) ?${mark} ?([0-5]\d)${wordEnds}`, 'gu');
  const said = new RegExp(
    String.raw`(?<=(?<!\p{L})${anyOf(after)} ?)(\d{1,2})\.([0-5]\d)(?![\p{L}\p{N}]|[.,]\d| ?[%°€$])`,
    'giu',
  );
  return (text) => text.replace(marked, '$1:$2').replace(said, '$1:$2');
}

/**
 * "7:30" is said "7 heures 30", and "7:00" without the minutes if the hours have a unit. Midnight has a name.
 */
function createClockTime(
  { unit: units, said }: NonNullable<SpeakingData['clock_time']>,
  formOf: Speaking['formOf'],
): Rule {
  const unitOf = (hour: number): string => units?.[formOf(hour) === 'one' ? 0 : 1] ?? '';
  const isTime = (hour: number, minute: string): boolean => {
    const isNamed = minute === '00' && (hour % 24 === 0 || units === undefined);
    return hour <= 24 && Number(minute) <= 59 && !isNamed;
  };
  return (text) =>
    text.replace(/(?<![\d:.,])(\d{1,2}):(\d\d)(?![\d:]|[.,]\d)/g, (whole, digits: string, minute: string) => {
      const hour = Number(digits);
      if (!isTime(hour, minute)) return whole;
      if (minute === '00') return `${hour} ${unitOf(hour)}`;
      return fill(said[0] ?? '', { hour: String(hour), unit: unitOf(hour), minute: String(Number(minute)) });
    });
}

function createHours({ hours, o_clock, afternoon, midnight }: SpeakingData) {
  return (whole: string, digits: string): string => {
    const hour = Number(digits);
    if (hour > 24) return whole;
    if (hour % 24 === 0) return midnight;
    if (hour <= 12) return fill(o_clock, { hour: String(hour) });
    return fill(afternoon, { hour: String(hours === 12 ? hour - 12 : hour) });
  };
}

function fill(pattern: string, values: Record<string, string>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Numbers that are not amounts: telephone, model and version numbers. */
export function createDigitRules({ dial, flights, dot, telephone_numbers, marks }: Speaking): Rule[] {
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
  /** "BA2490" */
  const flight = new RegExp(
    String.raw`(?<=(?<!\p{L})${anyOf(flights)} )(?:\p{Lu}{2}|\p{Lu}\d|\d\p{Lu}) ?\d{1,4}${wordEnds}`,
    'gu',
  );
  const called = new RegExp(
    String.raw`(?<![\p{L}\p{N}-])(?:${['(?!)', ...telephone_numbers].join('|')})(?![\p{L}\p{N}-])`,
    'gu',
  );
  const decimal = literally(marks.decimal);
  const thousands = literally(marks.thousands);
  /** "1,00,000", as grouped in India. */
  const inLakhs = new RegExp(
    String.raw`(?<![\d.,])\d{1,2}(?:${thousands}\d\d)+${thousands}\d{3}(?!${thousands}?\d)`,
    'g',
  );
  /** ".5" */
  const bare = new RegExp(String.raw`(?<![\p{L}\p{N}${decimal}])${decimal}(?=\d)`, 'gu');
  return [
    (text) =>
      text.replace(inLakhs, (number) =>
        number.replaceAll(marks.thousands, '').replace(/\B(?=(?:\d{3})+$)/g, marks.thousands),
      ),
    (text) => text.replace(dialled, byDigits),
    (text) => text.replace(flight, (code) => [...code.replace(' ', '')].join(' ')),
    (text) => text.replace(called, byDigits),
    (text) =>
      text.replace(/(?<![\p{L}\p{N}.])v?\d{1,4}(?:\.\d{1,4}){2,6}(?![\p{L}\p{N}])/gu, (number) =>
        marks.thousands === '.' && isGrouped(number)
          ? number
          : number.replace('v', '').replaceAll('.', ` ${dot} `),
      ),
    (text) => text.replace(bare, `0${marks.decimal}`),
  ];
}

/** "1.000.000", but not the network address "192.168.100.200". */
function isGrouped(number: string): boolean {
  const groups = number.split('.');
  const isAddress = groups.length === 4 && groups.every((group) => Number(group) <= 255);
  return /^\d{1,3}(?:\.\d{3})+$/.test(number) && !isAddress;
}
