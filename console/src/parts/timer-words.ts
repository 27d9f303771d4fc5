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
  return `${new Date(shownMs).toLocaleDateString('en', { ...options, timeZone })} ${time}`;
}

const weekday = { weekday: 'short' } as const;
const date = { month: 'short', day: 'numeric' } as const;

/** Round, because the page adds the remaining time to its own clock: 7:00 may become 6:59:59. */
const nearestMinute = (ms: number): number => Math.round(ms / minuteMs) * minuteMs;

function timeOfDay(ms: number, timeZone?: string): string {
  return new Date(nearestMinute(ms)).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit', timeZone });
}

const dayNames: Record<string, string> = {
  MO: 'Mondays',
  TU: 'Tuesdays',
  WE: 'Wednesdays',
  TH: 'Thursdays',
  FR: 'Fridays',
  SA: 'Saturdays',
  SU: 'Sundays',
};
const units: Record<string, string> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' };

/** A recurrence rule in a few words: "weekdays", "Mondays", "every 2 weeks", "every day until Nov 27". */
export function repeatWords(rule: string): string {
  const parts = new Map(rule.split(';').map((part) => pairOf(part)));
  const last = parts.get('UNTIL');
  return last === undefined ? oftenWords(parts) : `${oftenWords(parts)} until ${dayWords(last)}`;
}

/** "20261127T235959Z", in local time, as "Nov 27". */
function dayWords(last: string): string {
  const day = last.slice(0, 8).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en', { ...date, timeZone: 'UTC' });
}

function oftenWords(parts: ReadonlyMap<string, string>): string {
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const unit = units[parts.get('FREQ') ?? ''] ?? 'time';
  const every = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`;
  const days = parts.get('BYDAY');
  if (unit !== 'week' || days === undefined) return every;
  const names = daysWords(days);
  return interval === 1 ? names : `${names}, ${every}`;
}

function pairOf(part: string): [string, string] {
  const [key = '', value = ''] = part.split('=');
  return [key, value];
}

function daysWords(days: string): string {
  if (days === 'MO,TU,WE,TH,FR') return 'weekdays';
  if (days === 'SA,SU') return 'weekends';
  if (days.split(',').length === 7) return 'every day';
  return days
    .split(',')
    .map((day, _at, all) => (all.length > 2 ? dayNames[day]?.slice(0, 3) : dayNames[day]) ?? day)
    .join(', ');
}
