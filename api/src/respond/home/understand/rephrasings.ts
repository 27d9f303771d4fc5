import type { Match } from '../../../language/grammar/matcher.ts';
import { textOf, type Word } from '../../../language/grammar/words.ts';
import { fill, type PhraseValues } from '../../../language/phrase.ts';
import type { HomeWords } from './home-words.ts';

/** The spoken words of a slot; '' if empty. */
export function said(text: string, words: readonly Word[] = []): string {
  return words.length === 0 ? '' : textOf(text, words);
}

/** The state or measure in a question. */
export function valuesOf({ slots }: Match, text: string, { temperature, done }: HomeWords) {
  const deed = slots.get('done')?.map(({ word }) => word);
  // "How warm is it" also asks for the temperature.
  return {
    state: deed ? (done[deed.join(' ')] ?? '') : said(text, slots.get('state')),
    measure: said(text, slots.get('measure')) || temperature,
  };
}

/** A question to rephrase. */
interface Asked {
  intent: string;
  words: readonly Word[];
  at: readonly Word[];
  isNamed: boolean;
  values: PhraseValues;
}

/** Rephrasings of a question, for a Home Assistant that does not understand the first. */
export function rephrasings(
  data: HomeWords,
  { intent, words, at, isNamed, values }: Asked,
): readonly string[] {
  const isOfPlace = (phrase: readonly string[]) => isPlacing(phrase) === (values['area'] !== '');
  const phrases = () => {
    if (intent === 'which') return values['device'] ? data.ask_as.which.filter(isOfPlace) : [];
    if (intent === 'level' || intent === 'measure' || intent === 'weather') return data.ask_as[intent];
    if (intent !== 'state') return [];
    if (isNamed) return data.ask_as.state;
    // A person who asks whether the doors are locked wants to hear about the one that is not.
    const isAny =
      words.some(({ word }) => data.any_with.includes(word)) ||
      at.some(({ word }) => data.any.includes(word));
    const ofMany = isAny ? data.ask_as.state_of_any : data.ask_as.state_of_all;
    return ofMany.filter(isOfPlace);
  };
  // Without a room, "what is the kitchen temperature" has a gap.
  return phrases().map((phrase) => fill(phrase, values).replace(/ +/g, ' '));
}

const isPlacing = (phrase: readonly string[]) => phrase.some((text) => text.includes('{area}'));
