import type { Match } from '../grammar/matcher.ts';
import { textOf, type Word } from '../grammar/words.ts';
import { fill, type PhraseValues } from '../phrase.ts';
import type { HomeWords } from './home-words.ts';

/** The words in a slot as they were said; '' where it was left out. */
export function said(text: string, words: readonly Word[] = []): string {
  return words.length === 0 ? '' : textOf(text, words);
}

/** What a question asks for: the state that a thing may be in, or what is measured. */
export function valuesOf({ slots }: Match, text: string, { temperature, done }: HomeWords) {
  const deed = slots.get('done')?.map(({ word }) => word);
  // "How warm is it" asks for the temperature too.
  return {
    state: deed ? (done[deed.join(' ')] ?? '') : said(text, slots.get('state')),
    measure: said(text, slots.get('measure')) || temperature,
  };
}

/** The same question in other words, for a Home Assistant that does not understand the first. */
export function askedAs({ ask_as }: HomeWords, intent: string, values: PhraseValues): readonly string[] {
  const phrases =
    intent === 'state' || intent === 'which' || intent === 'level' || intent === 'measure'
      ? ask_as[intent]
      : [];
  // Without a room "what is the kitchen temperature" has a gap.
  return phrases.map((phrase) => fill(phrase, values).replace(/ +/g, ' '));
}
