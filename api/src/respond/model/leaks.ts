import type { Exchange } from '../../conversations/exchange.ts';
import { isRecord } from '../../json.ts';
import { maxOwnWords, ownWords } from '../unsupported/own-words.ts';
import type { PlainSchema } from './plain-schema.ts';

/** A longer number may encode words. */
const maxDigits = 6;

const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Invisible characters. */
const hidden = /[^\P{C}\n\t]/u;

/** Whether a text may contain outside text: a pasted mail, a document, a web page. */
export function hasOthersWords(text: string): boolean {
  return ownWords(text) !== text.trim() || wordsIn(text).length > maxOwnWords;
}

/**
 * Whether the model still sees outside text in a conversation. Its author may have meant it for a later turn.
 */
export function remembersOthersWords(exchanges: readonly Pick<Exchange, 'user' | 'wordsFrom'>[]): boolean {
  return exchanges.some(({ user, wordsFrom }) => hasOthersWords(user.slice(wordsFrom ?? 0)));
}

/**
 * Whether a call could reveal more than the person's last words. It does if a text is neither made of these
 * words nor one of the tool's choices.
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
