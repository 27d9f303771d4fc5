import { pageLocale, t } from '../language/translate.ts';
import { clockWords } from './words.ts';

interface Pending {
  dueAtMs: number;
  /** Remaining time while it is paused; null while it runs. */
  pausedMs: number | null;
  /** A recurrence rule of RFC 5545; null if it rings once. */
  repeats: string | null;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A countdown below one hour, otherwise the time of day: "4:59", "7:00 AM, weekdays", "Mon 8:00 AM". */
export function whenWords({ dueAtMs, pausedMs, repeats }: Pending, nowMs: number, timeZone?: string): string {
  if (pausedMs !== null) return clockWords(pausedMs);
  if (repeats !== null) return `${timeOfDay(dueAtMs, timeZone)}, ${repeatWords(repeats)}`;
  return dueAtMs - nowMs < hourMs ? clockWords(dueAtMs - nowMs) : dueWords(dueAtMs, nowMs, timeZone);
}

/** The time of day, with the weekday or the date unless it is today. */
export function dueWords(dueAtMs: number, nowMs: number, timeZone?: string): string {
  const time = timeOfDay(dueAtMs, timeZone);
  const day = (ms: number): string => new Date(ms).toLocaleDateString('en', { timeZone });
  const shownMs = nearestMinute(dueAtMs);
  if (day(shownMs) === day(nowMs)) return time;
  const options = dueAtMs - nowMs < 6 * dayMs ? weekday : date;
  return `${new Date(shownMs).toLocaleDateString(pageLocale(), { ...options, timeZone })} ${time}`;
}

const weekday = { weekday: 'short' } as const;
const date = { month: 'short', day: 'numeric' } as const;

/** Round, because the page adds the remaining time to its own clock: 7:00 may become 6:59:59. */
const nearestMinute = (ms: number): number => Math.round(ms / minuteMs) * minuteMs;

function timeOfDay(ms: number, timeZone?: string): string {
  const options = { hour: 'numeric', minute: '2-digit', timeZone } as const;
  return new Date(nearestMinute(ms)).toLocaleTimeString(pageLocale(), options);
}

const dayNames: Readonly<Record<string, () => string>> = {
  MO: () => t('Mondays'),
  TU: () => t('Tuesdays'),
  WE: () => t('Wednesdays'),
  TH: () => t('Thursdays'),
  FR: () => t('Fridays'),
  SA: () => t('Saturdays'),
  SU: () => t('Sundays'),
};
const frequencies: Readonly<Record<string, (n: number) => string>> = {
  DAILY: (n) => (n === 1 ? t('every day') : t('every {n} days', { n })),
  WEEKLY: (n) => (n === 1 ? t('every week') : t('every {n} weeks', { n })),
  MONTHLY: (n) => (n === 1 ? t('every month') : t('every {n} months', { n })),
  YEARLY: (n) => (n === 1 ? t('every year') : t('every {n} years', { n })),
};
const unknownFrequency = (n: number): string => (n === 1 ? t('every time') : t('every {n} times', { n }));

/** A recurrence rule in a few words: "weekdays", "Mondays", "every 2 weeks", "every day until Nov 27". */
export function repeatWords(rule: string): string {
  const parts = new Map(rule.split(';').map((part) => pairOf(part)));
  const last = parts.get('UNTIL');
  const often = oftenWords(parts);
  return last === undefined ? often : t('{often} until {day}', { often, day: dayWords(last) });
}

/** "20261127T235959Z", in local time, as "Nov 27". */
function dayWords(last: string): string {
  const day = last.slice(0, 8).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(pageLocale(), { ...date, timeZone: 'UTC' });
}

function oftenWords(parts: ReadonlyMap<string, string>): string {
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const frequency = parts.get('FREQ') ?? '';
  const every = (frequencies[frequency] ?? unknownFrequency)(interval);
  const days = parts.get('BYDAY');
  if (frequency !== 'WEEKLY' || days === undefined) return every;
  const names = daysWords(days);
  return interval === 1 ? names : `${names}, ${every}`;
}

function pairOf(part: string): [string, string] {
  const [key = '', value = ''] = part.split('=');
  return [key, value];
}

function daysWords(days: string): string {
  if (days === 'MO,TU,WE,TH,FR') return t('weekdays');
  if (days === 'SA,SU') return t('weekends');
  const each = days.split(',');
  if (each.length === 7) return t('every day');
  const words = each.length > 2 ? shortDayWords : (day: string) => dayNames[day]?.() ?? day;
  return each.map(words).join(', ');
}

/** A Monday; the days of a recurrence rule are in this order. */
const mondayMs = Date.UTC(2026, 0, 5);
const dayCodes = Object.keys(dayNames);

function shortDayWords(day: string): string {
  const at = dayCodes.indexOf(day);
  if (at < 0) return day;
  return new Date(mondayMs + at * dayMs).toLocaleDateString(pageLocale(), { ...weekday, timeZone: 'UTC' });
}
