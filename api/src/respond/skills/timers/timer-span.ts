import { z } from 'zod';
import { exactHour } from '../../../language/calendar/moment.ts';
import {
  type DayPart,
  type MomentReader,
  noMoment,
  type SaidMoment,
} from '../../../language/calendar/moment-reader.ts';
import type { SaidTime, TimeReader } from '../../../language/calendar/time-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../../../language/grammar/phrase-at.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { Read } from '../../../language/numbers/number-reader.ts';

const texts = z.array(z.string());

/** Words for the times between which something rings. */
export const windowWordsSchema = z.strictObject({
  /** "BETWEEN six and nine" */
  between: texts,
  /** "between six AND nine" */
  and: texts,
  after: texts,
  before: texts,
  /** "the morning HOURS between six and nine" */
  hours: texts,
});

/** Two times of day; null: open at that end. */
export interface SaidWindow {
  from: SaidTime | null;
  to: SaidTime | null;
}

/** The spoken time of an existing timer: a day, a time, a part of the day, or between two times. */
interface SaidSpan extends SaidMoment {
  window?: SaidWindow;
}

interface SpanOptions {
  words: { span_from: readonly string[]; window: z.infer<typeof windowWordsSchema> };
  times: TimeReader;
  moments: MomentReader;
}

/** "Half past seven pm" */
const maxTimeWords = 5;

/** Reads "for tomorrow morning", "at ten", "between six and nine", "tomorrow after five". */
export function createSpanReader({ words, times, moments }: SpanOptions) {
  const { between, and, after, before, hours } = words.window;
  const oneWord = words.span_from.filter((lead) => !lead.includes(' '));
  const timeBehind = (phrases: readonly string[], said: readonly Word[], from: number) => {
    const at = longestPhraseEnd(phrases, said, from);
    return at === null ? null : times.read(said, at);
  };

  /** "From six to nine" is only a span, but "six to nine" is also a time. */
  const bothTimes = (said: readonly Word[], from: number): Read<SaidWindow> | null => {
    const at = longestPhraseEnd(between, said, from);
    if (at === null) return null;
    for (let joint = at + 1; joint <= at + maxTimeWords; joint += 1) {
      const second = timeBehind(and, said, joint);
      const first = second && times.read(said.slice(0, joint), at);
      if (second && first?.end === joint)
        return { value: { from: first.value, to: second.value }, end: second.end };
    }
    return null;
  };

  const readWindow = (said: readonly Word[], from: number): Read<SaidWindow> | null => {
    const both = bothTimes(said, from);
    if (both) return both;
    const earliest = timeBehind(after, said, from);
    if (earliest) return { value: { from: earliest.value, to: null }, end: earliest.end };
    const latest = timeBehind(before, said, from);
    return latest && { value: { from: null, to: latest.value }, end: latest.end };
  };

  /** "For the week", "for the 30th": the article belongs to the lead or to the moment. */
  const momentAt = (said: readonly Word[], from: number): Read<SaidMoment> | null => {
    const leads = [skipPhrase(words.span_from, said, from), skipPhrase(oneWord, said, from)];
    const found = leads.map((at) => moments.readBare(said, at)).filter((each) => each !== null);
    const longest = found.toSorted((one, other) => other.end - one.end)[0];
    // "Before bedtime", "in a bit": the time stays open.
    return longest?.value.isOwnTime || longest?.value.soon ? null : (longest ?? null);
  };

  /** A day or part of it, without a time. */
  const dayAt = (said: readonly Word[], from: number): Read<SaidMoment> | null => {
    const found = momentAt(said, from);
    return found?.value.after === null && found.value.time === null ? found : null;
  };

  return (said: readonly Word[], from: number): Read<SaidSpan> | null => {
    const day = dayAt(said, from);
    const window = readWindow(said, day ? skipPhrase(hours, said, day.end) : from) ?? readWindow(said, from);
    if (!window) {
      const found = momentAt(said, from);
      return found?.value.after === null ? found : null;
    }
    const known = day ?? dayAt(said, window.end);
    const end = Math.max(window.end, known?.end ?? 0);
    return { value: { ...noMoment, ...known?.value, window: window.value }, end };
  };
}

const dayMinutes = 24 * 60;
const halfMinutes = dayMinutes / 2;

/** Whether a time of day lies between these, inclusive. Without a.m. or p.m., either half may match. */
export function isInWindow(window: SaidWindow, minuteOfDay: number, part: DayPart | null): boolean {
  const { from, to } = halved(window);
  const [starts, ends] = [minutesOf(from, part) ?? [0], minutesOf(to, part) ?? [dayMinutes]];
  return starts.some((start, at) => {
    const end = ends[Math.min(at, ends.length - 1)] ?? dayMinutes;
    const last = end < start && to !== null ? end + dayMinutes : end;
    return [minuteOfDay, minuteOfDay + dayMinutes].some((minute) => start <= minute && minute <= last);
  });
}

/** "Between six and nine AM" applies AM to both. */
function halved({ from, to }: SaidWindow): SaidWindow {
  if (!from || !to || to.half === null || from.half !== null) return { from, to };
  const isEarlier = from.hour % 12 < to.hour % 12;
  return { from: { ...from, half: isEarlier ? to.half : 'am' }, to };
}

/** The minutes of the day that a time may mean. */
function minutesOf(time: SaidTime | null, part: DayPart | null): number[] | null {
  if (time === null) return null;
  const isOpen = time.half === null && time.hour >= 1 && time.hour <= 12;
  if (!isOpen) return [exactHour(time) * 60 + time.minute];
  const morning = (time.hour % 12) * 60 + time.minute;
  if (part === 'morning') return [morning];
  return part === null ? [morning, morning + halfMinutes] : [morning + halfMinutes];
}
