import { calendarFeatures, type HomeCalendar, type NewCalendarEntry } from '../../engines/home-calendars.ts';
import { withCapital } from '../../language/capitals.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { Ask } from '../core/skill.ts';
import type { OpenEntry } from './calendar-records.ts';
import { type createCalendarRequests, mergedTimes, type SaidEntry } from './calendar-request.ts';
import type { CalendarAnswer } from './calendar-shape.ts';
import type { createCalendarTimes } from './calendar-times.ts';
import {
  type CalendarChanging,
  calendarsNamed,
  isCalendarAnswer,
  keptCalendar,
  listedCalendars,
  plainly,
  seenIn,
} from './calendar-writer.ts';

/** The entry's name; empty if it has none. */
const nameOf = ({ isPointing, title, noun }: SaidEntry): string =>
  isPointing ? '' : title || withCapital(noun);

export interface CalendarAddingOptions extends CalendarChanging {
  requests: ReturnType<typeof createCalendarRequests>;
  times: ReturnType<typeof createCalendarTimes>;
  readWords: (text: string) => readonly Word[];
}

/** Adds calendar entries, and asks for missing details. */
export function createCalendarAdding(options: CalendarAddingOptions) {
  const { client, words, say, requests, times, telling, pendingQuestions, note, readWords } = options;

  const writable = async (signal: AbortSignal) =>
    (await client.knownCalendars(signal)).filter(
      ({ features }) => (features & calendarFeatures.create) !== 0,
    );

  const askBack = async (ask: Ask, question: OpenEntry, calendars: readonly HomeCalendar[]) => {
    await pendingQuestions.note(ask.turn, question);
    if (question.need === 'when') return plainly(say('ask_when', {}, ask.turn));
    if (question.need === 'time') return plainly(say('ask_time', {}, ask.turn));
    return plainly(say('ask_calendar', { calendars: listedCalendars(calendars, words) }, ask.turn));
  };

  const write = async (
    ask: Ask,
    entry: NewCalendarEntry,
    calendar: HomeCalendar,
  ): Promise<CalendarAnswer> => {
    const { turn, signal } = ask;
    // The entry already exists: a repeated request, or a retry of this turn.
    if (await seenIn(client, calendar, entry, signal)) return plainly(telling.added(entry, calendar, ask));
    await ask.beginActing();
    await client.addEntry(calendar.id, entry, signal);
    const seen = await seenIn(client, calendar, entry, signal);
    await note({ calendar: keptCalendar(calendar), before: null, after: seen ?? entry }, ask);
    if (!seen) return plainly(say('not_seen', { calendar: calendar.name }, turn));
    return plainly(telling.added(entry, calendar, ask));
  };

  /** The calendars that fit, or why there is none. */
  const fitting = async (ask: Ask, name: string): Promise<readonly HomeCalendar[] | CalendarAnswer> => {
    const all = await writable(ask.signal);
    if (all.length === 0) return plainly(say('no_writable', {}, ask.turn));
    const found = calendarsNamed(all, name, words);
    if (found.length > 0) return found;
    return plainly(say('no_calendar', { name, calendars: listedCalendars(all, words) }, ask.turn));
  };

  const add = async (ask: Ask, entry: SaidEntry, open: OpenEntry): Promise<CalendarAnswer> => {
    const { turn } = ask;
    const title = nameOf(entry);
    if (title === '') return plainly(say('unclear', {}, turn));
    const calendars = await fitting(ask, open.calendar ?? entry.calendar);
    if ('text' in calendars) return calendars;
    const found = times(entry, title, turn.createdAt);
    if (found === 'when' || found === 'time') return askBack(ask, { ...open, need: found }, calendars);
    if (typeof found === 'string') return plainly(say(found, {}, turn));
    const [calendar, ...others] = calendars;
    if (!calendar || others.length > 0) return askBack(ask, { ...open, need: 'calendar' }, calendars);
    return write(ask, { summary: title, ...found }, calendar);
  };

  /** Merges the answers so far into one request. Null: an answer does not fit. */
  const again = (said: readonly string[]): SaidEntry | null => {
    const [first = '', ...answers] = said;
    const request = requests.read(readWords(first), first);
    if (request === null || typeof request === 'string' || request.verb !== 'add') return null;
    let { entry } = request;
    for (const answer of answers) {
      const more = requests.timesOf(readWords(answer));
      const merged = more && mergedTimes(entry, more);
      if (!merged) return null;
      entry = { ...entry, ...merged };
    }
    return entry;
  };

  return {
    add: (entry: SaidEntry, ask: Ask): Promise<CalendarAnswer> =>
      add(ask, entry, { kind: 'calendar.add', need: 'when', said: [ask.turn.text], calendar: null }),

    /** Reads the answer to our question. Null: it is not an answer. */
    async answer(question: OpenEntry, ask: Ask): Promise<CalendarAnswer | null> {
      const { text } = ask.turn;
      if (question.need !== 'calendar') {
        const said = [...question.said, text];
        const entry = again(said);
        return entry && (await add(ask, entry, { ...question, said }));
      }
      const entry = again(question.said);
      const all = entry ? await writable(ask.signal) : [];
      const [calendar, ...others] = all.filter(({ name }) => isCalendarAnswer(text, name, words));
      if (!entry || !calendar || others.length > 0) return null;
      return add(ask, entry, { ...question, calendar: calendar.name });
    },
  };
}
