import { z } from 'zod';
import { momentWordsSchema } from '../../../language/calendar/moment-reader.ts';
import { timeWordsSchema } from '../../../language/calendar/time-reader.ts';
import { durationWordsSchema } from '../../../language/durations/duration-reader.ts';
import { neverSchema } from '../../../language/grammar/slot-shape.ts';
import { phraseSchema } from '../../../language/phrase.ts';
import { freeTextWordsSchema } from './free-text.ts';
import { repeatTellingSchema } from './repeat-telling.ts';
import { repeatWordsSchema } from './repeat-words.ts';
import { severalWordsSchema } from './several-words.ts';
import { sunWordsSchema } from './sun-reader.ts';
import { timerNameWordsSchema } from './timer-names.ts';
import { roomWordsSchema } from './timer-rooms.ts';
import { windowWordsSchema } from './timer-span.ts';

const texts = z.array(z.string());
const unit = z.tuple([z.string(), z.string(), z.string()]);
const oneAndMany = z.tuple([z.string(), z.string()]);

const countedSchema = z.strictObject({
  day: oneAndMany,
  hour: oneAndMany,
  minute: oneAndMany,
  second: oneAndMany,
});

/** Phrases for timers and their times. */
const tellingSchema = z.strictObject({
  between: z.string(),
  last: z.string(),
  or: z.string(),
  called: z.strictObject({
    timer: phraseSchema(['label']),
    timer_plain: phraseSchema([]),
    timer_for: phraseSchema(['duration']),
    alarm: phraseSchema(['label']),
    alarm_plain: phraseSchema([]),
    alarm_at: phraseSchema(['time']),
    reminder: phraseSchema(['label']),
    reminder_plain: phraseSchema([]),
    reminder_at: phraseSchema(['time']),
    command: phraseSchema(['label']),
    command_plain: phraseSchema([]),
    command_at: phraseSchema(['time']),
    the: phraseSchema(['name']),
    none: phraseSchema(['label', 'noun']),
    none_behind: phraseSchema(['name', 'behind']),
  }),
  standing: z.strictObject({
    left: phraseSchema(['timer', 'left']),
    at: phraseSchema(['timer', 'when']),
    ringing: phraseSchema(['timer']),
    paused: phraseSchema(['timer', 'left']),
  }),
  when: z.strictObject({
    after: phraseSchema(['duration']),
    today: phraseSchema(['time']),
    tomorrow: phraseSchema(['time']),
    weekday: phraseSchema(['weekday', 'time']),
    date: phraseSchema(['date', 'time']),
  }),
  /** The room in which it rings. */
  in_room: phraseSchema(['when', 'room']),
  length_in_room: phraseSchema(['when', 'room']),
  whose: z.string().min(1),
  repeats: repeatTellingSchema,
  numbers: texts,
  amount: phraseSchema(['n', 'unit']),
  /** The singular, the plural, and the form before a noun. */
  said: z.strictObject({ day: unit, hour: unit, minute: unit, second: unit }),
  /** The singular with its number, and the plural, if they depend on the gender: "einen Tag", "Tage". */
  counted: countedSchema.optional(),
  /** The same after the word for "in", if that differs: "in einem Tag", "in zwei Tagen". */
  counted_after: countedSchema.optional(),
  to_you: z.record(z.string(), z.string()),
  /** The same for a reminder of somebody else: "THEIR teeth" is "your teeth". */
  to_person: z.record(z.string(), z.string()).default({}),
});

export type TimerTelling = z.infer<typeof tellingSchema>;

const [none, timers, timer] = [[], ['timers'], ['timer']];

export const limitWordsSchema = z.strictObject({
  /** Ways in which a timer should ring: "a SILENT alarm", "wake me QUIETLY". */
  ringing: z.strictObject({ adjectives: texts, adverbs: texts }),
  condition: z.strictObject({
    /** Phrases that begin like a condition and are none: "s'il te plaît". */
    polite: z.array(z.string()).prefault([]),
    /** "UNLESS it rains" */
    signs: texts,
    /** Conditions that a smart home could check. Others may belong to the text of a reminder. */
    weather: texts,
    /** Conditions that a phone could check: "when I GET HOME". */
    places: texts,
    /** After these, the sign begins a question: "ASK Anna if it rains". */
    asking: texts,
    /** End of a condition at the start: "if it rains WAKE me at six". */
    commands: texts,
  }),
});

/** The words and replies of the timer skill, with the placeholders of each reply. */
export const timersShape = {
  replies: {
    set: ['name', 'duration'],
    set_in_room: ['timers', 'room'],
    no_room: ['room'],
    rings_elsewhere: ['text', 'room'],
    nothing_rings: ['text'],
    several_timers: ['count', 'whens'],
    none_of_them: ['text'],
    several_alarms: ['count', 'whens'],
    set_until: ['name', 'when'],
    wake: ['when'],
    alarm: ['name', 'when'],
    remind: ['when'],
    remind_to: ['when', 'what'],
    remind_about: ['when', 'what'],
    remind_of: ['when', 'what'],
    remind_that: ['when', 'what'],
    how_long: none,
    hours_and_minutes: none,
    which_unit: ['one', 'other'],
    when_again: none,
    not_set: none,
    for_when: none,
    when_remind: none,
    what_and_when: none,
    remind_of_what: none,
    all_at_once: none,
    set_nothing: none,
    not_understood: none,
    not_ringing: none,
    one_day: none,
    no_pause: timers,
    no_pause_for: none,
    paused: ['timer', 'left'],
    paused_all: timers,
    resumed: ['timer', 'left'],
    resumed_all: timers,
    changed_paused: ['name', 'left'],
    no_repeats: none,
    how_often: none,
    move_to: none,
    one_reminder: none,
    no_condition: none,
    rings_alike: none,
    repeat_when: none,
    no_sun_repeats: none,
    no_time_left: none,
    once_or_all: ['when', 'often'],
    skipped: ['when', 'next'],
    change_repeats: ['timer', 'often'],
    too_short: none,
    too_long: ['most'],
    too_far: none,
    past: none,
    no_sun: none,
    no_sun_time: none,
    no_day: none,
    which_day: none,
    which_time: none,
    in_minutes: none,
    in_hours: none,
    for_minutes: none,
    for_hours: none,
    too_long_label: none,
    not_words: none,
    full: ['most'],
    none: ['noun', 'nouns'],
    none_but: ['noun', 'nouns', 'timers'],
    no_restart: timers,
    left: ['left', 'timer'],
    running_for: ['passed', 'left'],
    rings_now: timer,
    in_length: ['told', 'left'],
    until: ['left', 'when'],
    when_alarm: ['when'],
    when_reminder: ['when'],
    one: ['noun', 'timers'],
    several: ['count', 'nouns', 'timers'],
    did: timers,
    coming: ['timers'],
    nothing_coming: [],
    did_not: ['noun', 'nouns'],
    did_other: timers,
    changed: ['name', 'left'],
    changed_at: ['name', 'when'],
    renamed: ['timer', 'name'],
    gone: timer,
    cancelled: timers,
    cancel_others: timers,
    pause_others: timers,
    cancel_everything: timers,
    which: ['noun', 'timers'],
    quiet: none,
    snoozed: ['left'],
    did_set: timers,
    did_change: ['before', 'after'],
    did_pause: timers,
    did_resume: timers,
    did_cancel: timers,
    undid_set: timers,
    undid_change: timers,
    undid_pause: timers,
    undid_resume: timers,
    undid_cancel: timers,
  },
  words: tellingSchema.extend({
    ...timerNameWordsSchema.shape,
    ...roomWordsSchema.shape,
    ...limitWordsSchema.shape,
    /** Words before the time of an existing timer: "the alarm FOR seven". */
    span_from: texts,
    window: windowWordsSchema,
    /** Without it, a language does not support sunrise and sunset. */
    sun: sunWordsSchema.optional(),
    joining: texts,
    /** First words of a statement about an event: "MY train leaves at 6:40". */
    statements: texts.default([]),
    free_text: freeTextWordsSchema,
    pointing: texts,
    /** Words that turn an answer to "What shall I remind you of?" into a whole request. */
    subject_leads: texts,
    /** Verbs of the alarm itself: "an alarm to GO OFF". */
    sounding: texts.default([]),
    /** Not the subject of "remind me I need gas": "remind me WHAT I said". */
    never_subject: neverSchema.prefault({}),
    /** Not the start of a subject right behind a time: "tomorrow WEEK", "at 20 PAST". */
    never_behind_time: texts.default([]),
    polite: texts,
    ...repeatWordsSchema.shape,
    several: severalWordsSchema,
    durations: durationWordsSchema,
    times: timeWordsSchema,
    moments: momentWordsSchema,
  }),
} as const;

export type TimerReply = keyof (typeof timersShape)['replies'];
