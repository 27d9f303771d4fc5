import type { GeneratorValue } from 'fast-check';
import type { DateTime } from 'luxon';
import {
  after,
  ahead,
  coming,
  eachOf,
  type IsOn,
  inNextWeek,
  isEach,
  onDate,
  onDayOfMonth,
  weekdayIn,
} from './calendar-days.ts';
import {
  isHeads,
  oneOf,
  type Phrases,
  type SpokenLength,
  type SpokenTime,
  type SpokenWhen,
  whole,
} from './said-time.ts';

/** Drawn by chance for the words of a day, of a repetition or of a length. */
export interface Drawn {
  /** A weekday from 1 for Monday, its name, and the name of another one. */
  weekday: number;
  weekdayName: string;
  otherWeekday: number;
  otherWeekdayName: string;
  day: number;
  month: number;
  monthName: string;
  /** From two to nine, as a figure or a word. */
  count: number;
  counted: string;
}

/** Phrases for one meaning each; a language leaves out the meanings for which it has none. */
type Words<Meaning extends string> = (drawn: Drawn) => Partial<Record<Meaning, readonly string[]>>;

/** A time of day in words. Without `isExact`, one before 13:00 may be meant twelve hours later. */
export interface ClockWords {
  bare: string;
  isExact: boolean;
  /** "Tuesday at three in the night" may be meant for the night after Tuesday. */
  isNight?: boolean;
}

/** An hour and a minute to be put into words. */
export interface Clock {
  hour: number;
  minute: number;
  /** From one to twelve: this hour and the next one. */
  short: number;
  next: number;
  /** "07:05" is the time with both digits. */
  digits: string;
  /** A number up to twelve as a word, or as a figure. */
  say: (number: number) => string;
  /** The part of the day that people say with this hour; null for an hour between two parts. */
  part: string | null;
}

/** A request with what it says. */
export type Asked = readonly [text: string, label: string];

type Task = readonly [string, string];

export interface PhraseTable {
  /** From zero to twelve; and the same for hours, if they differ. */
  numbers: readonly string[];
  hours?: readonly string[];
  weekdays: readonly string[];
  months: readonly string[];
  /** First and last hour of each part of the day, and its words. Hours between two parts are left out. */
  parts: readonly (readonly [first: number, last: number, ...words: string[]])[];
  /** Null: nobody says this time that way. */
  times: (clock: Clock) => readonly (ClockWords | null)[];
  /** A time of day with its preposition. */
  at: (bare: string) => string;
  days: Words<keyof typeof dayMeanings>;
  lengths: Words<keyof typeof lengthMeanings>;
  oftens: Words<keyof typeof oftenMeanings>;
  /** The texts of reminders: as a verb and as a noun, or the verb with and without its preposition. */
  tasks: readonly Task[];
  reminders: (when: string, task: Task) => readonly Asked[];
  /** Alarms for a time of day, with or without a day, and for a length. */
  alarms: (time: { words: string; bare: string }, day: string | null) => readonly string[];
  lengthAlarms: (length: string) => readonly string[];
}

const dayMeanings = {
  today: () => (now: DateTime) => [after(now, 0)],
  tomorrow: () => (now: DateTime) => [after(now, 1)],
  afterTomorrow: () => (now: DateTime) => [after(now, 2)],
  todayInAWeek: () => (now: DateTime) => [after(now, 7)],
  inDays:
    ({ count }: Drawn) =>
    (now: DateTime) => [after(now, count)],
  inWeeks:
    ({ count }: Drawn) =>
    (now: DateTime) => [after(now, 7 * count)],
  weekday:
    ({ weekday }: Drawn) =>
    (now: DateTime) =>
      coming(now, weekday),
  /** "next Friday" is the coming one or the one after it, and never today. */
  nextWeekday:
    ({ weekday }: Drawn) =>
    (now: DateTime) => {
      const days = coming(now, weekday);
      return [...days, ...days.map((day) => day.plus({ weeks: 1 }))].filter(
        (day) => !day.hasSame(now, 'day'),
      );
    },
  weekdayInAWeek:
    ({ weekday }: Drawn) =>
    (now: DateTime) =>
      coming(now, weekday).map((day) => day.plus({ weeks: 1 })),
  weekdayInNextWeek:
    ({ weekday }: Drawn) =>
    (now: DateTime) =>
      inNextWeek(now, weekday),
  dayOfMonth:
    ({ day }: Drawn) =>
    (now: DateTime) =>
      onDayOfMonth(now, day),
  date: (drawn: Drawn) => (now: DateTime) => onDate(now, drawn),
  lastDayOfMonth: () => (now: DateTime) =>
    ahead(
      now,
      eachOf(now, 'months', (month) => month.endOf('month').startOf('day')),
    ),
  christmasEve: () => (now: DateTime) => onDate(now, { month: 12, day: 24 }),
};

const lengthMeanings = {
  minutes: ({ count }: Drawn) => ({ minutes: count }),
  hours: ({ count }: Drawn) => ({ hours: count }),
  days: ({ count }: Drawn) => ({ days: count }),
  months: ({ count }: Drawn) => ({ months: count }),
  quarterHour: () => ({ minutes: 15 }),
  halfHour: () => ({ minutes: 30 }),
  threeQuarters: () => ({ minutes: 45 }),
  hour: () => ({ hours: 1 }),
  hourAndHalf: () => ({ minutes: 90 }),
  hoursAndHalf: ({ count }: Drawn) => ({ hours: count, minutes: 30 }),
  hoursAndMinutes: ({ count, day }: Drawn) => ({ hours: count, minutes: day + 1 }),
} satisfies Record<string, (drawn: Drawn) => SpokenLength['after']>;

const oftenMeanings = {
  daily: () => () => true,
  weekly:
    ({ weekday }: Drawn) =>
    (day) =>
      day.weekday === weekday,
  onTwoWeekdays:
    ({ weekday, otherWeekday }: Drawn) =>
    (day) =>
      [weekday, otherWeekday].includes(day.weekday),
  onWorkdays: () => (day) => day.weekday <= 5,
  onWeekends: () => (day) => day.weekday >= 6,
  exceptSundays: () => (day) => day.weekday !== 7,
  everyTwoDays: () => isEach(2),
  everyDays: ({ count }: Drawn) => isEach(count),
  everyTwoWeeks:
    ({ weekday }: Drawn) =>
    (day, first) =>
      day.weekday === weekday && isEach(14)(day, first),
  monthly:
    ({ day: number }: Drawn) =>
    ({ day }) =>
      day === number,
  onFirstWeekday:
    ({ weekday }: Drawn) =>
    (day) =>
      day.hasSame(weekdayIn(day, weekday, 1), 'day'),
  onLastWeekday:
    ({ weekday }: Drawn) =>
    (day) =>
      day.hasSame(weekdayIn(day, weekday, -1), 'day'),
  onLastDay: () => (day) => day.day === day.daysInMonth,
  yearly:
    (drawn: Drawn) =>
    ({ day, month }) =>
      day === drawn.day && month === drawn.month,
} satisfies Record<string, (drawn: Drawn) => IsOn>;

/** Seven days are a week. */
const counts = [2, 3, 4, 5, 6, 8, 9];

function draw(g: GeneratorValue, { numbers, weekdays, months }: PhraseTable): Drawn {
  const [weekday, distance, month, count] = [
    whole(g, 1, 7),
    whole(g, 1, 6),
    whole(g, 1, 12),
    oneOf(g, counts),
  ];
  const otherWeekday = ((weekday - 1 + distance) % 7) + 1;
  return {
    weekday,
    weekdayName: weekdays[weekday - 1] ?? '',
    otherWeekday,
    otherWeekdayName: weekdays[otherWeekday - 1] ?? '',
    day: whole(g, 1, 28),
    month,
    monthName: months[month - 1] ?? '',
    count,
    counted: isHeads(g) ? (numbers[count] ?? '') : String(count),
  };
}

function timeFrom(g: GeneratorValue, table: PhraseTable): SpokenTime {
  const [hour, minute] = [whole(g, 1, 23), oneOf(g, [0, 0, 0, 5, 10, 15, 20, 30, 45])];
  const isInWords = isHeads(g);
  const hours = table.hours ?? table.numbers;
  const [, , ...words] = table.parts.find(([first, last]) => hour >= first && hour <= last) ?? [0, 0];
  const spoken = table.times({
    hour,
    minute,
    short: hour % 12 || 12,
    next: (hour + 1) % 12 || 12,
    digits: `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
    say: (number) => (isInWords ? (hours[number] ?? String(number)) : String(number)),
    part: words.length > 0 ? oneOf(g, words) : null,
  });
  const { bare, isExact, isNight } = oneOf(
    g,
    spoken.filter((form) => form !== null),
  );
  const isEither = !isExact && hour <= 12;
  const others = [...(isEither ? [(hour + 12) % 24] : []), ...(isNight === true ? [hour + 24] : [])];
  const at = [hour, ...others].map((each) => ({ hour: each, minute }));
  return { words: table.at(bare), bare, at };
}

/** One meaning of those that the language has words for, and its words. */
function meant<Meaning extends string, Result>(
  g: GeneratorValue,
  table: PhraseTable,
  words: Words<Meaning>,
  meanings: Readonly<Record<Meaning, (drawn: Drawn) => Result>>,
): { words: string; meaning: Result } {
  const drawn = draw(g, table);
  const phrases = words(drawn);
  const said = (Object.keys(meanings) as Meaning[]).filter((each) => phrases[each] !== undefined);
  const meaning = oneOf(g, said);
  return { words: oneOf(g, phrases[meaning] ?? []), meaning: meanings[meaning](drawn) };
}

function requestFrom(
  g: GeneratorValue,
  table: PhraseTable,
  when: SpokenWhen,
): ReturnType<Phrases['request']> {
  const isLength = 'length' in when;
  if (whole(g, 1, 3) === 1) {
    const day = isLength ? null : (when.day?.words ?? null);
    const texts = isLength ? table.lengthAlarms(when.length.words) : table.alarms(when.time, day);
    return { text: oneOf(g, texts), kind: 'alarm', label: null };
  }
  const parts = isLength ? [when.length] : [...(when.day ? [when.day] : []), when.time];
  const words = parts.map((part) => part.words).join(' ');
  const [text, label] = oneOf(g, table.reminders(words, oneOf(g, table.tasks)));
  return { text, kind: 'reminder', label };
}

/** The generator of a language's requests from its phrases. */
export function phrasesFrom(table: PhraseTable): Phrases {
  return {
    time: (g) => timeFrom(g, table),
    day: (g) => {
      const { words, meaning: on } = meant(g, table, table.days, dayMeanings);
      return { words, bare: words, on };
    },
    length: (g) => {
      const { words, meaning } = meant<keyof typeof lengthMeanings, SpokenLength['after']>(
        g,
        table,
        table.lengths,
        lengthMeanings,
      );
      return { words, bare: words, after: meaning };
    },
    often: (g) => {
      const { words, meaning: isOn } = meant<keyof typeof oftenMeanings, IsOn>(
        g,
        table,
        table.oftens,
        oftenMeanings,
      );
      return { words, bare: words, isOn };
    },
    request: (g, when) => requestFrom(g, table, when),
  };
}
