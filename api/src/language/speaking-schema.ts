import { z } from 'zod';

const words = z.string().min(1);
const table = z.record(words, words);
const oneAndMany = z.record(words, z.tuple([words, words]));
const abbreviations = z.record(
  z.string().regex(/^[^\p{Lu}]*[^\p{Lu}.]$/u, 'is written in lower case, without its last full stop'),
  words,
);

/** How words are cut into sentences and said aloud in a language: `languages/<language>/speaking.yaml`. */
export const speakingSchema = z.strictObject({
  espeak_voice: words,
  abbreviations: z.strictObject({
    never_last: abbreviations,
    before_numbers: abbreviations,
    sometimes_last: abbreviations,
  }),
  phrase_openers: z.array(z.string().regex(/^\p{Ll}+$/u, 'is one word in lower case')),
  said_as: table,
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
  units: oneAndMany,
  close_units: oneAndMany,
  apart_units: oneAndMany,
  currencies: z.record(words, z.union([z.tuple([words, words]), z.tuple([words, words, words, words])])),
  magnitudes: table,
  fractions: z.record(z.string().regex(/^\d+\/\d+$/), z.tuple([words, words, words])),
  corrections: table,
  months: z.array(words).length(12),
  date: words,
  month_first: z.boolean(),
  o_clock: words,
  afternoon: words,
  midnight: words,
  dial: z.array(words),
  year_parts: words,
  year_parts_oh: words,
  minute_oh: words,
  pronounced: table,
});

export type SpeakingData = z.infer<typeof speakingSchema>;
