import type { Word } from '../../../language/grammar/words.ts';
import { fill } from '../../../language/phrase.ts';
import type { HomeWords } from './home-words.ts';
import { said } from './rephrasings.ts';
import type { Spoken } from './spoken.ts';

/**
 * Placeholders for the speaker's room and for the room whose heating heats it. They are filled only when a
 * command is sent.
 */
const [room, heated] = ['{room}', '{heated}'];

/** Rephrases commands for Home Assistant, and for other rooms. */
export function createRewording(data: HomeWords) {
  const nameOf = ({ text, at, target }: Spoken, part: 'device' | 'name'): string | null => {
    const span = target?.[part];
    return span ? said(text, at.slice(span.from, span.to)) : null;
  };
  const wordsOf = ({ text, at }: Spoken): string => said(text, at);

  /** "Turn on the lights in the {area}", made from "turn on the kitchen lights". */
  const moved = (spoken: Spoken, sent: string): string | null => {
    const device = nameOf(spoken, 'device');
    return device === null ? null : sent.replace(wordsOf(spoken), () => fill(data.moved, { device }));
  };

  const isHeat = ({ at, target }: Spoken): boolean =>
    target === undefined ? at.length === 0 : target.kinds.includes('climate') && !target.isNamed;
  /** Whether a command only sets its target to a value. */
  const onlySets = (words: readonly Word[], spoken: Spoken): boolean => {
    const { at, value, valueAt } = spoken;
    const others = words.filter((word) => !at.includes(word) && !valueAt.includes(word));
    const hasUnit = data.units.some((unit) => value.toLowerCase().endsWith(unit));
    const isFine = (word: string) =>
      data.set_with.includes(word) ||
      (hasUnit && data.set_toward.includes(word)) ||
      (isHeat(spoken) && word === data.temperature);
    return others.every(({ word }) => isFine(word));
  };

  /** The command to send: unchanged, or in Home Assistant's words with the place at the expected position. */
  const resaid = (intent: string, words: readonly Word[], spoken: Spoken): string => {
    const { text, at, area, value, canResay } = spoken;
    const target = wordsOf(spoken);
    const hasVerb = words[0] !== at[0];
    if (!hasVerb && value !== '' && onlySets(words, spoken)) return fill(data.set_to, { target, value });
    const plain = canResay ? data.as_plain[intent] : undefined;
    const isKnown = words.every((word) => at.includes(word) || data.plain.includes(word.word));
    // "Turn the lights in the kitchen off".
    const isSplit = area !== '' && target.endsWith(area) && words.at(-1) !== at.at(-1);
    const isPlain = hasVerb && isKnown && !isSplit;
    return plain === undefined || isPlain ? said(text, words) : fill(plain, { target });
  };

  /** Other words for the target with its place; by default the speaker's room. */
  const otherWords = (spoken: Spoken): string[] => {
    const [name, device] = [nameOf(spoken, 'name'), nameOf(spoken, 'device')];
    const { target, area, isEverywhere } = spoken;
    if (name !== null) return area === '' ? [name, fill(data.in_area, { target: name, area: room })] : [];
    if (device === null) return [];
    if (isEverywhere) return [fill(data.all_of, { device })];
    const place = area === '' ? room : area;
    const inPlace = fill(data.moved, { device, area: place });
    // "The ceiling light" of the kitchen may be called Kitchen ceiling.
    return target?.isSpecial ? [inPlace, fill(data.of_area, { device, area: place })] : [inPlace];
  };

  const setTo = (spoken: Spoken, targets: readonly string[]): string[] => {
    const { area, value } = spoken;
    const heat = isHeat(spoken) ? [fill(data.set_temperature, { area: area || heated, value })] : [];
    return [...heat, ...targets.map((target) => fill(data.set_to, { target, value }))];
  };

  /** All phrasings of a command, the original first. */
  const ways = (intent: string, sent: string, words: readonly Word[], spoken: Spoken): string[] => {
    const others = otherWords(spoken);
    const placed = others.map((other) => sent.replace(wordsOf(spoken), () => other));
    const sets = intent === 'set' && onlySets(words, spoken) ? setTo(spoken, others) : [];
    // Home Assistant starts machines; it does not turn them on.
    const isStart =
      ['on', 'start'].includes(intent) && spoken.target?.kinds.every((kind) => kind === 'machine');
    const starts = isStart ? [wordsOf(spoken), ...others].map((target) => fill(data.start, { target })) : [];
    return [...new Set([sent, ...placed, ...sets, ...starts])];
  };

  return { deviceOf: (spoken: Spoken) => nameOf(spoken, 'device'), isHeat, moved, resaid, ways };
}
