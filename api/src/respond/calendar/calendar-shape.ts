import { z } from 'zod';
import type { SayReply } from '../core/skill-language.ts';

const lines = z.array(z.string().trim().min(1));

/** The contents of `skills/calendar.yaml`. */
export const calendarShape = {
  replies: {
    added: ['event', 'calendar', 'when', 'time'],
    added_span: ['event', 'calendar', 'when', 'time', 'end'],
    added_day: ['event', 'calendar', 'when'],
    added_days: ['event', 'calendar', 'when', 'until'],
    moved: ['event', 'calendar', 'when', 'time'],
    moved_day: ['event', 'calendar', 'when'],
    shall_remove: ['event', 'when', 'time'],
    shall_remove_day: ['event', 'when'],
    removed: ['calendar'],
    ask_when: [],
    ask_time: [],
    ask_calendar: ['calendars'],
    no_writable: [],
    no_calendar: ['name', 'calendars'],
    cannot_remove: ['calendar'],
    cannot_move: ['calendar'],
    not_seen: ['calendar'],
    still_there: [],
    past: [],
    no_day: [],
    unclear: [],
    repeats: [],
    repeats_there: [],
    one_by_one: [],
    rooms: [],
    none_found: ['name'],
    nothing_found: [],
    several_found: ['events'],
    found: ['event', 'when', 'time'],
    found_day: ['event', 'when'],
    named_at: ['event', 'when', 'time'],
    named_day: ['event', 'when'],
    not_named: ['name'],
    changed_it: [],
    asked_it: [],
    did_add: ['event', 'calendar'],
    did_change: ['calendar'],
    did_remove: ['calendar'],
    undone_add: ['calendar'],
    undone_change: ['calendar'],
    undone_remove: ['calendar'],
    cannot_undo: ['calendar'],
  },
  words: z.strictObject({
    adds: lines,
    /** Phrases before the verb, besides the usual ones: "I HAVE to add". */
    leads: lines,
    /** "TOMORROW'S meeting": maps the possessive to its day. */
    days_of: z.record(z.string(), z.string()),
    /** Words that no name contains; with them the sentence means more than a name. */
    never: lines,
    /** Openings of a request for an appointment, without a verb. */
    wishes: lines,
    removes: lines,
    moves: lines,
    /** Words for a calendar, anywhere. */
    calendars: lines,
    /** Prepositions before a calendar. */
    onto: lines,
    articles: lines,
    whole_day: lines,
    from: lines,
    to: lines,
    lasting: lines,
    shift_by: lines,
    earlier: lines,
    /** Prepositions before a moment. */
    before_moment: lines,
    /** Kinds of entries that last whole days. */
    day_things: lines,
    /** Kinds of entries that default to the evening or the morning, if the half of the day is missing. */
    evening_things: lines,
    morning_things: lines,
    /** Words that start another part of a title. */
    joins: lines,
    /** Words before a name: "an event CALLED lunch". */
    called: lines,
    /** Generic words for entries, not names. */
    nouns: lines,
    /** "the family ONE" */
    ones: lines,
    /** Words that refer to an earlier entry. */
    pointing: lines,
    /** Words at either end of a title that do not belong to it. */
    edges: lines,
    /** Words that show a sentence asks for more than an entry. */
    foreign: lines,
    repeats: lines,
    all: lines,
    next: lines,
    rooms: lines,
    /** "WHEN IS the dentist" */
    asks_when: lines,
    /** Words after the name in such a question. */
    asked_edges: lines,
    between: z.string(),
    or: z.string(),
  }),
} as const;

export type CalendarWords = z.infer<(typeof calendarShape)['words']>;

export type SayCalendar = SayReply<keyof (typeof calendarShape)['replies']>;

/** An answer. If it contains text from outside, `kept` is the version the conversation stores. */
export interface CalendarAnswer {
  text: string;
  kept: string | null;
}
