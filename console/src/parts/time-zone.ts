import { pageLocale } from '../language/translate.ts';
/** The time zone of this device, as an IANA name. */
export const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const halfYearMs = 182 * 24 * 3_600_000;

/** Whether clocks in two time zones show the same time, now and in half a year. */
export function isSameClock(a: string, b: string, nowMs: number): boolean {
  const shown = (zone: string) => [nowMs, nowMs + halfYearMs].map((ms) => wallWords(ms, zone)).join();
  return shown(a) === shown(b);
}

function wallWords(ms: number, timeZone: string): string {
  return new Date(ms).toLocaleString('en', { timeZone, dateStyle: 'short', timeStyle: 'short' });
}

/** The time of day in a time zone: "2:05 PM". */
export function zoneTimeWords(ms: number, timeZone: string): string {
  return new Date(ms).toLocaleTimeString(pageLocale(), { timeZone, hour: 'numeric', minute: '2-digit' });
}
