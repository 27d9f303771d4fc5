import { z } from 'zod';
import type { NumberMarks } from './numbers/marks.ts';
import { patternSchema } from './pattern.ts';
import { phraseSchema } from './phrase.ts';
import type { LanguageRules } from './rules.ts';

const words = z.string().min(1);
const table = z.record(words, words);
const oneAndMany = z.record(words, z.tuple([words, words]));
const abbreviations = z.record(
  z.string().regex(/^[^\p{Lu}]*[^\p{Lu}.]$/u, 'is written in lower case, without its last full stop'),
  words,
);

/** How to split text into sentences and read it aloud: `languages/<language>/speaking.yaml`. */
export const speakingSchema = z.strictObject({
  espeak_voice: words,
  abbreviations: z.strictObject({
    never_last: abbreviations,
    before_numbers: abbreviations,
    sometimes_last: abbreviations,
    no_initials: z.array(words),
    /** Whether a full stop after a number makes it an ordinal: "am 3. Mai". */
    ordinals: z.boolean().default(false),
  }),
  phrase_openers: z.array(z.string().regex(/^\p{Ll}+$/u, 'is one word in lower case')),
  said_as: table,
  optional_endings: z.array(words),
  code: words,
  link: words,
  dot: words,
  at: words,
  or: words,
  per: words,
  per_words: z.array(words),
  symbols: table,
  before_numbers: table,
  between_numbers: table,
  in_sums: table,
  amount: phraseSchema(['n', 'unit']),
  units: oneAndMany,
  inches: z.tuple([words, words]).optional(),
  close_units: oneAndMany,
  /** Words before a number and a letter that are no amount: "SEAT 12C". */
  labelled: z.array(words).default([]),
  apart_units: oneAndMany,
  currencies: z.record(words, z.union([z.tuple([words, words]), z.tuple([words, words, words, words])])),
  magnitudes: table,
  /** Patterns of the words after a shortened number, "10k STEPS". Without any, only money is shortened. */
  shortened: z.array(patternSchema).default([]),
  /** Patterns of the words after which a sign of a unit means a number: "3m PEOPLE". */
  in_millions: z.array(patternSchema).default([]),
  fractions: z.record(z.string().regex(/^\d+\/\d+$/), z.tuple([words, words, words])),
  corrections: table,
  months: z.array(words).length(12),
  days: z.array(words).length(7).optional(),
  date: words,
  day: words,
  day_after: z.array(words),
  /** The first day of a month, if it is no plain number: "le PREMIER mai". */
  first_day: words.optional(),
  month_first: z.boolean(),
  hours: z.union([z.literal(12), z.literal(24)]),
  o_clock: words,
  /** The word after a written time, and the spoken form of such a time: "7:30 UHR". */
  behind_time: z.strictObject({ word: words, said: phraseSchema(['hour', 'minute']) }).optional(),
  /** A written time without a word after it, and the spoken unit of its hours: "15 HEURES 20". */
  clock_time: z
    .strictObject({
      /** The sign between hours and minutes besides the colon: "18H05". */
      mark: patternSchema.optional(),
      /** Words after which a stop separates hours and minutes: "ALLE 18.05". */
      after: z.array(words).optional(),
      unit: z.tuple([words, words]).optional(),
      said: phraseSchema(['hour', 'unit', 'minute']),
    })
    .optional(),
  afternoon: words,
  midnight: words,
  half_days: z.array(words),
  /** Words before Roman numerals: "chapter", and before a ruler's number: "Henry". */
  roman: z.strictObject({
    numbered: z.array(words),
    rulers: z.array(words),
    /** Words after a Roman ordinal: "the XXI CENTURY". */
    in_order: z.array(words).default([]),
    goes_on: z.array(words),
    ordinal: phraseSchema(['n', 'ending']),
    ordinal_endings: z.strictObject({ one: words, two: words, few: words, other: words }),
  }),
  dial: z.array(words),
  flights: z.array(words),
  telephone_numbers: z.array(patternSchema),
  years: z.strictObject({ from: z.int().min(1000), to: z.int().max(9999) }),
  year_endings: z.array(words),
  year_parts: words,
  year_parts_oh: words,
  minute_oh: words,
  pronounced: table,
});

export type SpeakingData = z.infer<typeof speakingSchema>;

/** The same plus the language's number data. */
export interface Speaking extends SpeakingData {
  marks: NumberMarks;
  formOf: LanguageRules['formOf'];
  ordinalOf: LanguageRules['ordinalOf'];
}
