import { z } from 'zod';

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
    /** Before the verb, besides the usual words: "I HAVE to add". */
    leads: lines,
    /** "TOMORROW'S meeting": the days that these stand for. */
    days_of: z.record(z.string(), z.string()),
    /** Words that no name has: what is said is more than a name then. */
    never: lines,
    /** They begin a wish for an appointment, without a verb. */
    wishes: lines,
    removes: lines,
    moves: lines,
    /** A calendar, wherever it is named. */
    calendars: lines,
    /** Before a calendar. */
    onto: lines,
    articles: lines,
    whole_day: lines,
    from: lines,
    to: lines,
    lasting: lines,
    shift_by: lines,
    earlier: lines,
    /** Before a moment. */
    before_moment: lines,
    /** Things of this kind last whole days. */
    day_things: lines,
    /** Things of this kind are in the evening, or in the morning, where the half of the day is not said. */
    evening_things: lines,
    morning_things: lines,
    /** They begin a further part of a title. */
    joins: lines,
    /** Before a name: "an event CALLED lunch". */
    called: lines,
    /** Entries in general: no name. */
    nouns: lines,
    /** "the family ONE" */
    ones: lines,
    /** Words that point at something said before. */
    pointing: lines,
    /** At the beginning or the end of a title, without being a part of it. */
    edges: lines,
    /** A sentence with these asks for more than an entry. */
    foreign: lines,
    repeats: lines,
    all: lines,
    next: lines,
    rooms: lines,
    /** "WHEN IS the dentist" */
    asks_when: lines,
    /** Behind the name in such a question. */
    asked_edges: lines,
    between: z.string(),
    or: z.string(),
  }),
} as const;

export type CalendarWords = z.infer<(typeof calendarShape)['words']>;
