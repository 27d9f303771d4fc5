import { isRecord } from '../../json.ts';

/** Maximum characters of a value, and of all values, that a listener can follow. */
const maxSpoken = { value: 160, all: 320 };
/** Maximum characters that a person reads before a yes. */
const maxRead = 2_000;

/** A speakable name or value: letters, digits and simple punctuation. */
export function asSpoken(text: string): string {
  return plainSigns(text).slice(0, maxSpoken.value);
}

/**
 * The named arguments of a call, as the person hears or reads them before a yes. Null: they cannot be
 * shown completely, and a yes must not cover hidden ones.
 */
export function describeArgs(args: Readonly<Record<string, unknown>>, isSpoken: boolean): string | null {
  const described = entriesOf(args).map(([name, value]) =>
    isSpoken ? spokenArg(name, value) : read(name, value),
  );
  const all = described.join(', ');
  if (described.includes(null) || all.length > (isSpoken ? maxSpoken.all : maxRead)) return null;
  return all;
}

function spokenArg(name: string, value: string): string | null {
  const isWhole = [name, value].every((text) => text.length <= maxSpoken.value && isSpeakable(text));
  return isWhole ? `${plainSigns(name)} ${plainSigns(value)}`.trim() : null;
}

/** Escapes invisible characters, so that nothing hides between the letters. */
function read(name: string, value: string): string {
  return `${name} ${value}`.replaceAll(
    /\p{C}/gu,
    (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Flattens lists and objects to their values. */
function entriesOf(value: unknown, name = ''): [string, string][] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((each) => entriesOf(each, name));
  if (isRecord(value) && (name === '' || Object.keys(value).length > 0))
    return Object.entries(value).flatMap(([key, each]) => entriesOf(each, `${name} ${key}`.trim()));
  return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
}

function plainSigns(text: string): string {
  return text
    .replaceAll(/[_\s-]+/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,:'’&%+/@]/gu, '')
    .trim();
}

/** Speech loses only marks that end or frame a sentence. */
function isSpeakable(text: string): boolean {
  return !/[^\p{L}\p{M}\p{N}\s_.,:'’&%+/@!?"“”„…()-]/u.test(text);
}
