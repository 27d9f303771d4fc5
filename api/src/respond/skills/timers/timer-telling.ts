import { numberOf } from '../../../language/calendar/day.ts';
import type { createClock } from '../../../language/calendar/time-zones.ts';
import { withCapital } from '../../../language/capitals.ts';
import { fill, joined } from '../../../language/phrase.ts';
import type { LanguageRules } from '../../../language/rules.ts';
import type { Repetition } from '../../../timers/repetition.ts';
import { remainingMs, type Timer } from '../../../timers/timer.ts';
import type { createDateWords } from '../clock/clock-language.ts';
import { createRepeatTeller } from './repeat-telling.ts';
import type { TimerTelling } from './timers-shape.ts';

const unitMs = { day: 24 * 3_600_000, hour: 3_600_000, minute: 60_000, second: 1_000 } as const;
const unitNames = ['day', 'hour', 'minute', 'second'] as const;

/** A larger number does not count hours. */
const maxHours = 24;
/** For longer times, seconds are left out. */
const secondsMatterMs = 10 * 60_000;
/** Further away, a weekday alone is ambiguous. */
const weekdayDays = 6;

interface TellingOptions {
  words: TimerTelling;
  dates: ReturnType<typeof createDateWords>;
  formOf: LanguageRules['formOf'];
  clock: ReturnType<typeof createClock>;
  timeZone: string;
}

/** Durations in words: "an hour and five minutes", and "five minute" before a noun. */
function createDurationTeller(words: TimerTelling, formOf: LanguageRules['formOf']) {
  const number = (n: number) => words.numbers[n] ?? String(n);
  const amount = (n: number, unit: string) => fill(words.amount, { n: number(n), unit });
  const count = ({ count: n, unit }: Part, counted: TimerTelling['counted']): string => {
    const [one, several] = words.said[unit];
    if (!counted) return amount(n, formOf(n) === 'one' ? one : several);
    const [justOne, many] = counted[unit];
    return formOf(n) === 'one' ? justOne : amount(n, many);
  };
  const duration = (ms: number, counted = words.counted): string => {
    const parts = partsOf(ms).map((part) => count(part, counted));
    return parts.length === 0 ? amount(0, words.said.second[1]) : joined(parts, words);
  };
  return {
    number,
    counted: (n: number, unit: Part['unit']) => count({ count: n, unit }, words.counted),
    duration: (ms: number) => duration(ms),
    /** "ten minutes", as in "in ten minutes". */
    durationAfter: (ms: number) => duration(ms, words.counted_after ?? words.counted),
    /** "five minute", as in "the five minute timer". */
    durationBefore: (ms: number): string =>
      words.counted
        ? duration(ms)
        : partsOf(ms)
            .map(({ count, unit }) => amount(count, words.said[unit][2]))
            .join(' '),
  };
}

interface Part {
  count: number;
  unit: (typeof unitNames)[number];
}

/** Days, hours, minutes and seconds, without those that are zero. */
function partsOf(ms: number): Part[] {
  let left = Math.round(ms / 1_000) * 1_000;
  return unitNames.flatMap((unit) => {
    const count = Math.floor(left / unitMs[unit]);
    left -= count * unitMs[unit];
    return count === 0 ? [] : [{ count, unit }];
  });
}

/** Rounds the remaining time for speech. As long as seconds are spoken, it rounds them up. */
function toldMs(ms: number): number {
  const exact = Math.ceil(ms / 1_000) * 1_000;
  return exact < secondsMatterMs ? exact : Math.round(exact / 60_000) * 60_000;
}

/** Moments and repetitions in words: "tomorrow at seven", "every Monday at seven". */
function createMomentTeller({ words, dates, clock, timeZone }: Omit<TellingOptions, 'formOf'>) {
  const when = (at: number, now: number): string => {
    const [shown, today] = [clock(at, timeZone), clock(now, timeZone)];
    // Midnight is spoken as the end of a day.
    const there = shown.hour === 0 && shown.minute === 0 ? clock(at - 60_000, timeZone) : shown;
    const days = numberOf(there) - numberOf(today);
    const values = { time: dates.time(shown), weekday: dates.weekday(there), date: dates.date(there, today) };
    if (days === 0) return fill(words.when.today, values);
    if (days === 1) return fill(words.when.tomorrow, values);
    return fill(days > 0 && days <= weekdayDays ? words.when.weekday : words.when.date, values);
  };
  const repeat = createRepeatTeller({ words, dates });
  /** When it rings, and how often. */
  const due = ({ dueAt, repeats }: Timer, now: number): string =>
    repeats ? repeat(repeats) : when(dueAt, now);
  /** The same plus its next time. */
  const dueNext = (timer: Timer, now: number): string => {
    const next = when(timer.dueAt, now);
    if (!timer.repeats) return next;
    return fill(words.repeats.next, { often: repeat(timer.repeats), when: next });
  };
  /** The repetition, and the day of the first time. */
  const repeatFrom = (
    repeats: Repetition,
    { dueAt, now, isCounted }: { dueAt: number; now: number; isCounted: boolean },
  ): string => {
    const date = dates.date(clock(dueAt, timeZone), clock(now, timeZone));
    return fill(words.repeats[isCounted ? 'counted' : 'first'], { often: repeat(repeats), date });
  };
  const time = (at: number): string => dates.time(clock(at, timeZone));
  return { time, when, repeat, repeatFrom, due, dueNext };
}

type NamedTimer = Pick<Timer, 'kind' | 'label' | 'durationMs' | 'dueAt'>;

/** Names of timers in words. */
function createNameTeller(
  words: TimerTelling,
  { durationBefore, time }: { durationBefore: (ms: number) => string; time: (at: number) => string },
) {
  /** "pasta timer", "five minute timer", "7 AM alarm": without an article. */
  const name = ({ kind, label, durationMs, dueAt }: NamedTimer): string => {
    if (label !== null) return fill(words.called[kind], { label });
    if (kind !== 'timer') return fill(words.called[`${kind}_at`], { time: time(dueAt) });
    if (durationMs === null) return fill(words.called.timer_plain);
    return fill(words.called.timer_for, { duration: durationBefore(durationMs) });
  };
  /** "the pasta timer" */
  const called = (timer: NamedTimer): string => fill(words.called.the, { name: name(timer) });
  return {
    called,
    /** Its name before its time, which it does not repeat: "the alarm", but "the five minute timer". */
    calledBefore: (timer: NamedTimer): string =>
      timer.label === null && timer.kind !== 'timer'
        ? fill(words.called.the, { name: fill(words.called[`${timer.kind}_plain`]) })
        : called(timer),
  };
}

export type TimerTeller = ReturnType<typeof createTimerTeller>;

/** Timers, durations and moments in the language's words. */
export function createTimerTeller(options: TellingOptions) {
  const { words } = options;
  const { number, counted, duration, durationAfter, durationBefore } = createDurationTeller(
    words,
    options.formOf,
  );
  const { time, when, repeat, repeatFrom, due, dueNext } = createMomentTeller(options);

  /** The time left. */
  const left = (timer: Pick<Timer, 'dueAt' | 'leftMs'>, now: number): string =>
    duration(toldMs(remainingMs(timer, now)));

  /** "in ten minutes" */
  const after = (ms: number): string => fill(words.when.after, { duration: durationAfter(ms) });
  /** "the bedroom", "Anna's room" */
  const room = (name: string): string =>
    name.includes(words.whose) ? name : fill(words.called.the, { name });

  const { called, calledBefore } = createNameTeller(words, { durationBefore, time });

  /** "the pasta timer with six minutes left", "the alarm tomorrow at seven" */
  const standing = (timer: Timer, now: number, said = calledBefore(timer)): string => {
    const values = { timer: said, left: left(timer, now), when: due(timer, now) };
    if (timer.state === 'paused') return fill(words.standing.paused, values);
    if (timer.state !== 'running') return fill(words.standing.ringing, values);
    return fill(timer.kind === 'timer' ? words.standing.left : words.standing.at, values);
  };

  return {
    /** A number of minutes or hours. If a day has fewer hours, it is a number of minutes or seconds. */
    bothLengths: (count: number) => ({
      one: withCapital(counted(count, 'minute')),
      other: counted(count, count > maxHours ? 'second' : 'hour'),
    }),
    number,
    /** When they are due: the time left for timers, the time of day for all others. */
    allDue: (timers: readonly Timer[], now: number) =>
      timers
        .map((timer) => (timer.kind === 'timer' ? left(timer, now) : due(timer, now)))
        .join(words.between),
    duration,
    /** How long something has taken, as in "for ten minutes". */
    passed: (ms: number): string => durationAfter(toldMs(ms)),
    left,
    when,
    repeat,
    repeatFrom,
    due,
    dueNext,
    after,
    room,
    /** "at seven in the bedroom", and "ten minutes, in the bedroom". */
    inRoom: (when: string, name: string, isLength: boolean): string =>
      fill(words[isLength ? 'length_in_room' : 'in_room'], { when, room: room(name) }),
    time,
    called,
    standing,
    /** The name of a new one: "pasta timer", or just "timer". */
    newName: ({ kind, label }: Pick<Timer, 'kind' | 'label'>): string =>
      withCapital(label === null ? fill(words.called[`${kind}_plain`]) : fill(words.called[kind], { label })),
    /** "egg timer", for a missing one. */
    none: (label: string, noun: string) => fill(words.called.none, { label, noun }),
    noneBehind: (name: string, behind: string) => fill(words.called.none_behind, { name, behind }),
    all: (timers: readonly Timer[]) => joined(timers.map(called), words),
    allStanding: (timers: readonly Timer[], now: number) =>
      joined(
        timers.map((timer) => standing(timer, now)),
        words,
      ),
    /** The same after their noun: for reminders only the subject, and without names only the times. */
    allListed: (timers: readonly Timer[], now: number) => {
      const areReminders = timers.every(({ kind, label }) => kind === 'reminder' && label !== null);
      const areTimes = timers.every(
        ({ kind, label, state }) => kind !== 'timer' && label === null && state === 'running',
      );
      const listed = (timer: Timer) =>
        areTimes
          ? due(timer, now)
          : standing(timer, now, areReminders ? (timer.label ?? undefined) : undefined);
      return joined(timers.map(listed), words);
    },
    /** The options: "the pasta timer or the egg timer". Equal names are distinguished by their times. */
    choice(timers: readonly Timer[], now: number): string {
      const names = timers.map(called);
      const isClear = new Set(names).size === names.length;
      const shown = isClear ? names : timers.map((timer) => standing(timer, now));
      return joined(shown, { ...words, last: words.or });
    },
    /** Turns the speaker's words around: "call my mum" becomes "call your mum". "8 am" stays. */
    toYou: (text: string): string =>
      text.replaceAll(
        /(?<!\p{N}\s*|\p{L})[\p{L}’']+/gu,
        (word) => words.to_you[word.toLowerCase().replaceAll('’', "'")] ?? word,
      ),
  };
}
