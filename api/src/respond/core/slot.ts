import type { SlotType } from '../../language/grammar/walk.ts';
import { textOf, type Word } from '../../language/grammar/words.ts';
import type { Read } from '../../language/numbers/number-reader.ts';

type Reader<T> = (words: readonly Word[], from: number) => Read<T> | null;

/** A slot of a sentence, and how to read its words. */
export interface Slot<T> {
  /** Its names in the sentences, if they differ. The words of several are read in order. */
  names?: readonly string[];
  /** The type of the name in the sentences, if this slot defines it. */
  type?: SlotType;
  /** Null: the words have no such value. */
  read(words: readonly Word[], text: string): T | null;
}

/** The slots of a skill, declared once; every intent receives their values. */
export type Slots = Readonly<Record<string, Slot<unknown>>>;

/** The slot values; null for an empty slot. */
export type SlotValues<S extends Slots> = {
  readonly [Name in keyof S]: S[Name] extends Slot<infer T> ? T | null : never;
};

/** The words of a sentence, by slot name. */
export type SlotWords = ReadonlyMap<string, readonly Word[]>;

/** A type for words that a reader reads completely. */
export function typeOf(read: Reader<unknown>): SlotType {
  return {
    ends(words, from) {
      const found = read(words, from);
      return found ? [found.end] : [];
    },
  };
}

/** A slot with a reader, under names whose types are defined elsewhere. */
export function readBy<T>(read: Reader<T>, ...names: readonly string[]): Slot<T> {
  return { ...namedBy(names), read: (words) => read(words, 0)?.value ?? null };
}

/** The same, and defines the type in the sentences. */
export function slotOf<T>(read: Reader<T>): Slot<T> {
  return { ...readBy(read), type: typeOf(read) };
}

/** The words, unread. */
export function wordsIn(...names: readonly string[]): Slot<readonly Word[]> {
  return { ...namedBy(names), read: (words) => words };
}

/** The original text. */
export function textIn(...names: readonly string[]): Slot<string> {
  return { ...namedBy(names), read: (words, text) => textOf(text, words) };
}

function namedBy(names: readonly string[]): { names?: readonly string[] } {
  return names.length > 0 ? { names } : {};
}

export function readSlots<S extends Slots>(slots: S, filled: SlotWords, text: string): SlotValues<S> {
  // The compiler cannot track through a list which value belongs to which name; the slots restore it.
  const said: unknown[][] = Object.entries(slots).map(([name, { names = [name], read }]) => {
    const words = names.flatMap((each) => filled.get(each) ?? []);
    return [name, words.length === 0 ? null : read(words, text)];
  });
  return Object.fromEntries(said);
}

/** The types that slots define, by their names in the sentences. */
export function typesIn(slots: Slots): Record<string, SlotType> {
  return Object.fromEntries(
    Object.entries(slots).flatMap(([name, { type }]) => (type ? [[name, type]] : [])),
  );
}
