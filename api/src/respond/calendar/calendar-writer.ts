import type { CalendarEntry, HomeCalendar, NewCalendarEntry } from '../../engines/home-calendars.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { Ask } from '../core/skill.ts';
import type { StoredCalendar, StoredEntry } from './calendar-records.ts';
import type { CalendarAnswer, CalendarWords, SayCalendar } from './calendar-shape.ts';
import type { CalendarTelling } from './calendar-telling.ts';
import { isOfDays } from './calendar-times.ts';

export interface CalendarWriter {
  calendars(signal: AbortSignal): Promise<string[]>;
  knownCalendars(signal: AbortSignal): Promise<HomeCalendar[]>;
  entries(id: string, span: { from: number; to: number }, signal: AbortSignal): Promise<CalendarEntry[]>;
  addEntry(id: string, entry: NewCalendarEntry, signal: AbortSignal): Promise<void>;
  removeEntry(id: string, uid: string, signal: AbortSignal): Promise<void>;
  changeEntry(id: string, uid: string, entry: NewCalendarEntry, signal: AbortSignal): Promise<void>;
}

export interface CalendarChange {
  calendar: StoredCalendar;
  before: StoredEntry | null;
  after: StoredEntry | null;
}

/** Dependencies of every calendar change. */
export interface CalendarChanging {
  client: CalendarWriter;
  words: CalendarWords;
  say: SayCalendar;
  telling: CalendarTelling;
  pendingQuestions: Pick<HouseholdQuestions, 'note'>;
  note: (change: CalendarChange, ask: Ask) => Promise<void>;
}

const dayMs = 24 * 3_600_000;

export const plainly = (text: string): CalendarAnswer => ({ text, kept: null });
export const keptCalendar = ({ id, name }: HomeCalendar): StoredCalendar => ({ id, name });

export const listedCalendars = (calendars: readonly HomeCalendar[], { or }: Pick<CalendarWords, 'or'>) =>
  calendars.map(({ name }) => name).join(or);

const nameWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

/** Whether a calendar's name contains all of these words. */
function isNameOf(said: string, name: string, calendars: readonly string[]): boolean {
  const wanted = nameWords(said).filter((word) => !calendars.includes(word));
  const there = nameWords(name);
  return wanted.every((word) => there.includes(word) || there.includes(word.replace(/'\p{L}$/u, '')));
}

/** The calendars with this name; all of them for an empty name. */
export const calendarsNamed = (calendars: readonly HomeCalendar[], name: string, words: CalendarWords) =>
  name === '' ? calendars : calendars.filter((each) => isNameOf(name, each.name, words.calendars));

/** "the family one": an answer to the question for the calendar. */
export function isCalendarAnswer(said: string, name: string, words: CalendarWords): boolean {
  const { articles, calendars, edges, onto, ones } = words;
  const left = new Set([...articles, ...calendars, ...edges, ...onto, ...ones]);
  const wanted = nameWords(said).filter((word) => !left.has(word));
  return wanted.length > 0 && isNameOf(wanted.join(' '), name, calendars);
}

/** The entry as the calendar holds it now. Null: it is missing. */
export async function seenIn(
  client: Pick<CalendarWriter, 'entries'>,
  { id }: StoredCalendar,
  { summary, start, end }: StoredEntry,
  signal: AbortSignal,
): Promise<CalendarEntry | null> {
  const span = { from: Date.parse(start) - dayMs, to: Date.parse(end) + dayMs };
  const found = await client.entries(id, span, signal);
  const isSame = (each: CalendarEntry) =>
    each.summary.trim() === summary.trim() &&
    isOfDays(each) === isOfDays({ start }) &&
    Date.parse(each.start) === Date.parse(start) &&
    Date.parse(each.end) === Date.parse(end);
  return found.find(isSame) ?? null;
}
