import type { SlotType } from '../../language/grammar/walk.ts';
import { textOf, type Word } from '../../language/grammar/words.ts';
import type { Read } from '../../language/numbers/number-reader.ts';

type Reader<T> = (words: readonly Word[], from: number) => Read<T> | null;

/** A slot of a sentence, and how to read its words. */
export interface Slot<T> {
  /** Its names in the sentences, where they are not its own. The words of several are read in a row. */
  names?: readonly string[];
  /** The type of that name in the sentences, where the slot is the one that has it. */
  type?: SlotType;
  /** Null: the words mean nothing of the kind. */
  read(words: readonly Word[], text: string): T | null;
}

/** The slots of a skill. They are declared once; every intent is given their values. */
export type Slots = Readonly<Record<string, Slot<unknown>>>;

/** The values of the slots; null where a slot was left out. */
export type SaidIn<S extends Slots> = {
  readonly [Name in keyof S]: S[Name] extends Slot<infer T> ? T | null : never;
};

/** The words of a sentence, by the names of its slots. */
export type SlotWords = ReadonlyMap<string, readonly Word[]>;

/** A type for words that a reader reads to their end. */
export function typeOf(read: Reader<unknown>): SlotType {
  return {
    ends(words, from) {
      const found = read(words, from);
      return found ? [found.end] : [];
    },
  };
}

/** A slot for words that a reader reads, under names that have their types elsewhere. */
export function readBy<T>(read: Reader<T>, ...names: readonly string[]): Slot<T> {
  return { ...namedBy(names), read: (words) => read(words, 0)?.value ?? null };
}

/** The same, and the type in the sentences too. */
export function slotOf<T>(read: Reader<T>): Slot<T> {
  return { ...readBy(read), type: typeOf(read) };
}

/** The words as they are. */
export function wordsIn(...names: readonly string[]): Slot<readonly Word[]> {
  return { ...namedBy(names), read: (words) => words };
}

/** The words as they were said. */
export function textIn(...names: readonly string[]): Slot<string> {
  return { ...namedBy(names), read: (words, text) => textOf(text, words) };
}

function namedBy(names: readonly string[]): { names?: readonly string[] } {
  return names.length > 0 ? { names } : {};
}

export function readSlots<S extends Slots>(slots: S, filled: SlotWords, text: string): SaidIn<S> {
  // The compiler cannot follow through a list which value belongs to which name; the slots tell it.
  const said: unknown[][] = Object.entries(slots).map(([name, { names = [name], read }]) => {
    const words = names.flatMap((each) => filled.get(each) ?? []);
    return [name, words.length === 0 ? null : read(words, text)];
  });
  return Object.fromEntries(said);
}

/** The types that slots bring with them, by their names in the sentences. */
export function typesIn(slots: Slots): Record<string, SlotType> {
  return Object.fromEntries(
    Object.entries(slots).flatMap(([name, { type }]) => (type ? [[name, type]] : [])),
  );
}
