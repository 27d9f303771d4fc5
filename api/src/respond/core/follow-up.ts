import type { Exchange } from '../../conversations/exchange.ts';
import type { Grammar } from '../../language/grammar/grammar.ts';
import { joinedWords, textOf, type Word } from '../../language/grammar/words.ts';
import type { SlotWords } from './slot.ts';

/** A longer text is a separate sentence, not a follow-up. */
const maxWords = 6;
/** Maximum number of follow-ups in a row: "and in Rome?", "and in Oslo?" */
const maxFollowUps = 5;

interface FollowUpOptions<Found> {
  grammar: Grammar;
  find: (text: string) => Found | null;
}

/** The full sentence that a follow-up abbreviates. */
interface Whole<Found> {
  text: string;
  found: Found;
}

/**
 * Reads "and in Rome?" after "what time is it in Oslo?" as the same question with another slot. It accepts
 * only questions that the rules answered, because a command must be complete.
 */
export function createFollowUps<
  Found extends { skill: string; name: string; intent: { effect: string }; slots: SlotWords },
>({ grammar, find }: FollowUpOptions<Found>) {
  const question = (exchanges: readonly Exchange[], left: number): Whole<Found> | null => {
    const last = exchanges.at(-1);
    if (!last || left === 0 || last.understood?.via !== 'skills') return null;
    const text = last.user.slice(last.wordsFrom ?? 0);
    const found = find(text);
    return found ? { text, found } : wholeOf(text, exchanges.slice(0, -1), left - 1);
  };

  /** Puts the words into this slot of the question. Null: they do not fit. */
  const replaced = ({ text, found }: Whole<Found>, slot: string, said: string): Whole<Found> | null => {
    const words = found.slots.get(slot) ?? [];
    const [from, to] = [words[0]?.start ?? 0, words.at(-1)?.end ?? 0];
    const other = `${text.slice(0, from)}${said}${text.slice(to)}`;
    const again = find(other);
    const isSame = again?.skill === found.skill && again.name === found.name;
    const filled = joinedWords(again?.slots.get(slot) ?? []);
    return isSame && filled === joinedWords(grammar.readWords(said)) ? { text: other, found: again } : null;
  };

  /** Puts the rest of a follow-up into this slot of the question. */
  const withOther = (
    before: Whole<Found>,
    [slot, filled]: readonly [string, readonly Word[]],
    { text, rest }: { text: string; rest: readonly Word[] },
  ): Whole<Found> | null => {
    const words = grammar.readWords(before.text);
    const at = words.findIndex(({ start }) => start === filled[0]?.start);
    if (at < 0) return null;
    const value = textOf(text, withoutRepeated(rest, words.slice(0, at)));
    const whole = replaced(before, slot, value);
    if (whole || filled.length !== 2 || rest.length !== 1) return whole;
    // "And ten" after "five miles".
    return replaced(before, slot, `${value} ${textOf(before.text, filled.slice(1))}`);
  };

  /** Expands "plus six" to "12 times 12 plus six", if the last slot accepts it. */
  const longer = (text: string, exchanges: readonly Exchange[], left: number): Whole<Found> | null => {
    const before = question(exchanges, left);
    const [slot, filled] = [...(before?.found.slots ?? [])].at(-1) ?? [];
    if (before?.found.intent.effect !== 'none' || slot === undefined || !filled) return null;
    const other = `${textOf(before.text, filled)} ${text}`;
    return replaced(before, slot, other);
  };

  const wholeOf = (text: string, exchanges: readonly Exchange[], left: number): Whole<Found> | null => {
    const said = grammar.readWords(text);
    if (grammar.lengthens(said) && said.length <= maxWords) return longer(text, exchanges, left);
    const rest = grammar.followUp(said);
    if (rest.length === 0 || rest.length > maxWords || grammar.asks(rest)) return null;
    const before = question(exchanges, left);
    if (before?.found.intent.effect !== 'none') return null;
    for (const filled of [...before.found.slots].reverse()) {
      const whole = withOther(before, filled, { text, rest });
      if (whole) return whole;
    }
    return null;
  };

  /** Returns the full question. Null: the words are not a follow-up. */
  return (text: string, exchanges: readonly Exchange[]): Whole<Found> | null =>
    exchanges.length === 0 ? null : wholeOf(text, exchanges, maxFollowUps);
}

/** Drops "until" from "until New Year" if the slot already follows an "until". */
function withoutRepeated(rest: readonly Word[], before: readonly Word[]): readonly Word[] {
  const isRepeated = (count: number) =>
    joinedWords(rest.slice(0, count)) === joinedWords(before.slice(-count));
  const count = [3, 2, 1].find((each) => each < rest.length && each <= before.length && isRepeated(each));
  return rest.slice(count ?? 0);
}
