import type { Match } from '../grammar/matcher.ts';
import type { Word } from '../grammar/words.ts';
import { fill } from '../phrase.ts';
import { said } from './asked-as.ts';
import type { HomeWords } from './home-words.ts';
import type { Span } from './target-reader.ts';

/** What a sentence is said again of. */
interface Resaid {
  /** The sentence without what is only polite. */
  words: readonly Word[];
  at: readonly Word[];
  there: string | null;
  canResay: boolean;
  /** What it is to be set to. */
  value: string;
}

/** Says commands as Home Assistant understands them, and of other rooms. */
export function createRewording(
  data: Pick<HomeWords, 'as_plain' | 'in_area' | 'moved' | 'on_floor' | 'plain' | 'set_to'>,
) {
  /** "The heating in the bedroom" of "turn the heating off in the bedroom"; null where no place was said apart from the thing. */
  const apart = (text: string, { slots }: Match, at: readonly Word[]): string | null => {
    const target = said(text, at);
    const [area, floor] = [said(text, slots.get('area')), said(text, slots.get('floor'))];
    if (area !== '') return fill(data.in_area, { target, area });
    return floor === '' ? null : fill(data.on_floor, { target, floor });
  };

  /** "Turn on the lights in the {area}" of "turn on the kitchen lights". */
  const moved = (
    text: string,
    sent: string,
    { at, device, there }: { at: readonly Word[]; device: Span | null; there: string | null },
  ) =>
    device === null
      ? null
      : sent.replace(there ?? said(text, at), () =>
          fill(data.moved, { device: said(text, at.slice(device.from, device.to)) }),
        );

  /** What is sent: what was said, or the same in words that Home Assistant knows, with the place where it expects it. */
  const resaid = (text: string, intent: string, { words, at, there, canResay, value }: Resaid): string => {
    const target = there ?? said(text, at);
    const hasVerb = words[0] !== at[0];
    if (!hasVerb && value !== '') return fill(data.set_to, { target, value });
    const plain = canResay ? data.as_plain[intent] : undefined;
    const isKnown = words.every((word) => at.includes(word) || data.plain.includes(word.word));
    const isPlain = there === null && hasVerb && isKnown;
    return plain === undefined || isPlain ? said(text, words) : fill(plain, { target });
  };

  return { apart, moved, resaid };
}
