import { isRecord } from '../../json.ts';
import type { Exchange } from '../../turn/turn.ts';
import { maxOwnWords, ownWords } from './own-words.ts';
import type { PlainSchema } from './plain-schema.ts';

/** A longer number may stand for words. */
const maxDigits = 6;

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Signs that nobody sees, hears or says. */
const hidden = /[^\P{C}\n\t]/u;

/** Whether a text may contain words of others: a mail that was pasted, a document, a page that was read out. */
export function hasOthersWords(text: string): boolean {
  return ownWords(text) !== text.trim() || wordsIn(text).length > maxOwnWords;
}

/** Whether a conversation still shows the model words of others. Their author may have waited for a later turn. */
export function remembersOthersWords(exchanges: readonly Pick<Exchange, 'user' | 'wordsFrom'>[]): boolean {
  return exchanges.some(({ user, wordsFrom }) => hasOthersWords(user.slice(wordsFrom ?? 0)));
}

/**
 * Whether a call could tell its receiver more than what the person has just said: a text that is not made of these words, and none of the
 * choices that the tool offers.
 */
export function tellsMore(args: unknown, schema: PlainSchema, question: string): boolean {
  const words = wordsIn(ownWords(question));
  const own = new Set(words.length > maxOwnWords ? [] : words);
  return textsIn(args, schema).some(
    (text) => hidden.test(text) || wordsIn(text).some((word) => !own.has(word)),
  );
}

function textsIn(value: unknown, schema: PlainSchema): string[] {
  if (schema.enum) return [];
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return String(value).length > maxDigits ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, schema.items ?? {}));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
    return known ? textsIn(each, known) : [name, ...textsIn(each, {})];
  });
}
