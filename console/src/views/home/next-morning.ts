const minuteMs = 60_000;
/** Offsets of time zones are multiples of this. */
const stepMs = 15 * minuteMs;
/** The longest day, when clocks go back. */
const maxSteps = 25 * 4;
const morning = '07:00';

/** The next 7:00 in the morning of a time zone, as Unix time in ms. Without a zone: the device's. */
export function nextMorning(nowMs: number, timeZone: string | undefined): number {
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone },
  });
  const firstMs = Math.floor(nowMs / stepMs + 1) * stepMs;
  const all = Array.from({ length: maxSteps }, (_, n) => firstMs + n * stepMs);
  return all.find((ms) => clock.format(ms) === morning) ?? firstMs;
}
