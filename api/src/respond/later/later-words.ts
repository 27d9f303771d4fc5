import { z } from 'zod';
import type { SaidMoment } from '../../language/calendar/moment-reader.ts';
import type { Duration, DurationReader } from '../../language/durations/duration-reader.ts';
import type { Grammar } from '../../language/grammar/grammar.ts';
import type { SlotType } from '../../language/grammar/walk.ts';
import { joinedWords, textOf, type Word } from '../../language/grammar/words.ts';
import { phraseSchema } from '../../language/phrase.ts';
import type { SentencesOf } from '../core/skill-language.ts';
import { typeOf } from '../core/slot.ts';
import type { SaidSun } from '../skills/timers/sun-reader.ts';
import type { TimerWords } from '../skills/timers/timer-words.ts';

/** Maximum length of a command to a house. */
const maxCharacters = 400;

/** The contents of `skills/later.yaml`. */
export const laterShape = {
  replies: {
    planned: ['what', 'when'],
    for_a_while: ['done', 'what', 'when'],
    shall_open: ['what', 'when'],
    cannot_ask: [],
    recurring: [],
    which_command: ['commands'],
    past: [],
    failed: ['what', 'why'],
    too_late: [],
    not_agreed: [],
    not_understood: [],
    no_house: [],
    unknown_end: [],
  },
  words: z.strictObject({ opposites: z.record(z.string(), phraseSchema(['target'])) }),
} as const;

const laterIntents = ['timed', 'recurring', 'untimed', 'lasting', 'unwanted', 'not_that'] as const;

/** A sentence without its time. */
export interface SentenceWithTime {
  text: string;
  moment: SaidMoment;
}

/** A sentence without its time of the sun and the day of it. */
interface SentenceWithSun {
  text: string;
  sun: SaidSun;
  moment: SaidMoment | null;
}

/** A command with a duration. */
interface Lasting {
  text: string;
  length: Duration;
}

interface LaterWordsOptions {
  grammar: Grammar;
  durations: DurationReader;
  moments: Pick<TimerWords['moments'], 'read' | 'readBare'>;
  readRepeat: TimerWords['readRepeat'];
  readSun: TimerWords['readSun'];
  sentencesOf: SentencesOf;
}

export type LaterWords = ReturnType<typeof createLaterWords>;

/** Reads commands with a time, and cancellations. The house decides whether the rest is a command. */
export function createLaterWords(options: LaterWordsOptions) {
  const { grammar, durations, moments, readRepeat, readSun, sentencesOf } = options;
  const sentences = sentencesOf(laterIntents);
  const slotTypes: Record<string, SlotType> = {
    text: { isOpen: true, costPerWord: 2 },
    // The words after a time in the middle: "mach das Licht in zehn Minuten AUS".
    rest: { isOpen: true, costPerWord: 2 },
    moment: typeOf(moments.read),
    every: typeOf(readRepeat),
    sun: typeOf(readSun),
    bare: typeOf(moments.readBare),
    length: typeOf(durations.read),
  };
  const readerOf = (intent: (typeof laterIntents)[number]) => {
    const known = (sentences[intent] ?? []).map((text) => ({ text, place: `skills/later.yaml: ${intent}` }));
    const matcher = grammar.matcher({ sentences: known, slotTypes });
    return (text: string) =>
      text.length > maxCharacters ? null : (matcher.match(grammar.readWords(text))?.slots ?? null);
  };
  const [timed, recurring, untimed] = [readerOf('timed'), readerOf('recurring'), readerOf('untimed')];
  const lasting = readerOf('lasting');
  const [unwanted, notThat] = [readerOf('unwanted'), readerOf('not_that')];

  return {
    /** "Turn off the lights in ten minutes." */
    timed(text: string): SentenceWithTime | null {
      const slots = untimed(text) ? null : timed(text);
      if (!slots || slots.has('sun')) return null;
      const moment = moments.read(slots.get('moment') ?? [], 0)?.value;
      return moment ? { text: wordsLeft(text, slots), moment } : null;
    },
    /** "Turn on the lights half an hour before sunset." */
    atSun(text: string): SentenceWithSun | null {
      const slots = timed(text);
      if (!slots) return null;
      // "Tomorrow at sunset" may also be read as one moment.
      const said = [...(slots.get('moment') ?? []), ...(slots.get('sun') ?? [])];
      const at = said.findIndex((_, from) => readSun(said, from)?.end === said.length);
      const sun = readSun(said, at)?.value;
      if (at < 0 || !sun) return null;
      const moment = moments.read(said.slice(0, at), 0)?.value ?? null;
      return { text: wordsLeft(text, slots), sun, moment };
    },
    /** The command without its repetition: "turn on the lights every evening at eight". */
    recurring(text: string): string | null {
      const slots = recurring(text);
      return slots && wordsLeft(text, slots);
    },
    /** "Turn on the lights for ten minutes." */
    lasting(text: string): Lasting | null {
      const slots = lasting(text);
      const length = slots && durations.read(slots.get('length') ?? [], 0)?.value;
      return length && length.ms > 0 ? { text: wordsLeft(text, slots), length } : null;
    },
    /** The command to cancel: "don't turn off the lights". */
    unwanted(text: string): string | null {
      const slots = unwanted(text);
      return slots && textOf(text, slots.get('text') ?? []);
    },
    /** "Cancel that." */
    isNotThat: (text: string): boolean => notThat(text) !== null,
    /** Normalises a text, to compare two commands. */
    plain: (text: string): string => joinedWords(grammar.readWords(text)),
  };
}

/** The text without its time. */
function wordsLeft(text: string, slots: ReadonlyMap<string, readonly Word[]>): string {
  return ['text', 'rest']
    .map((slot) => textOf(text, slots.get(slot) ?? []))
    .filter((each) => each !== '')
    .join(' ');
}
