import { createPhraseFinder } from '../../language/grammar/phrase-finder.ts';
import { textOf, type Word, type WordReader } from '../../language/grammar/words.ts';
import type { QueryWords } from './query-shape.ts';

/** Longer texts are not spoken commands. */
const maxWords = 40;

/** A command that depends on a state: "turn on the heater if the bathroom is below 18". */
export interface ConditionalCommand {
  condition: string;
  /** "Is unlocked" in "it is unlocked": "it" may be the target of the command. Null: another subject. */
  ofTarget: string | null;
  command: string;
  /** "Unless" instead of "if". */
  isUnless: boolean;
  /** The command waits until the condition becomes true: "whenever I come home". */
  waits: boolean;
}

interface ReaderOptions {
  words: Pick<QueryWords, 'condition' | 'is' | 'determiners' | 'any' | 'also'>;
  readWords: WordReader;
  /** Whether a text states something that can be tested. */
  isCondition: (text: string) => boolean;
  /** Whether a text is a command that can run at once. */
  isCommand: (text: string) => boolean;
}

type Sign = 'if' | 'unless' | 'trigger';

/** Splits a sentence into a condition and a command. */
export function createConditionReader({ words: data, readWords, isCondition, isCommand }: ReaderOptions) {
  const { condition: said } = data;
  const signs = createPhraseFinder<Sign>(
    (['if', 'unless', 'trigger'] as const).flatMap((sign) =>
      said[sign].map((text) => ({ text, stands: sign })),
    ),
    readWords,
  );
  const sets = (lines: readonly string[]) => new Set(lines);
  const [lead, asking, then] = [sets(said.lead), sets(said.asking), sets(said.command_after)];
  const [pronouns, noSubject, any] = [sets(said.pronouns), sets(said.no_subject), sets(data.any)];
  const [verbs, persons] = [sets(data.is), sets(said.persons)];

  const joints = createPhraseFinder<null>(
    data.also.map((text) => ({ text, stands: null })),
    readWords,
  );

  /** The longest condition word that starts here. */
  const signAt = (words: readonly Word[], at: number) =>
    signs.at(words, at).toSorted((one, other) => other.end - one.end)[0];

  /** "The door" in "the door is open"; '' if the condition names no subject. */
  const subjectOf = (text: string, words: readonly Word[]): string => {
    const at = words.findIndex(({ word }) => verbs.has(word));
    const subject = words.slice(0, Math.max(0, at));
    const isNamed = subject.length > 0 && !noSubject.has(subject[0]?.word ?? '');
    if (!isNamed) return '';
    const isAny = any.has(subject[0]?.word ?? '');
    return isAny ? `${data.determiners[0]} ${textOf(text, subject.slice(1))}` : textOf(text, subject);
  };

  /** The command with the condition's subject in place of "it". */
  const withSubject = (text: string, words: readonly Word[], condition: readonly Word[]): string => {
    const at = words.findIndex(({ word }) => pronouns.has(word));
    const subject = at < 0 ? '' : subjectOf(text, condition);
    if (subject === '') return textOf(text, words);
    const parts = [textOf(text, words.slice(0, at)), subject, textOf(text, words.slice(at + 1))];
    return parts.filter((part) => part !== '').join(' ');
  };

  /** "If it is open and lock the back door" continues with a separate command. */
  const goesOn = (text: string, condition: readonly Word[]): boolean =>
    condition.some(
      (_, at) => joints.at(condition, at).length > 0 && isCommand(textOf(text, condition.slice(at + 1))),
    );

  const conditional = (
    text: string,
    sign: Sign,
    { condition, command }: { condition: readonly Word[]; command: readonly Word[] },
  ): ConditionalCommand | null => {
    const found = {
      condition: textOf(text, condition),
      ofTarget: pronouns.has(condition[0]?.word ?? '') ? textOf(text, condition.slice(1)) : null,
      command: withSubject(text, command, condition),
      isUnless: sign === 'unless',
      waits: sign === 'trigger',
    };
    const isWhole = condition.length > 0 && command.length > 0 && isCommand(found.command);
    return isWhole && !goesOn(text, condition) ? found : null;
  };

  /** Every possible end of the condition, those at a pause or "then" first. */
  const splits = (words: readonly Word[], from: number) => {
    const all = words.flatMap((word, at) => {
      if (at <= from) return [];
      const isThen = then.has(word.word);
      return [{ end: at, start: isThen ? at + 1 : at, isPause: isThen || word.gap !== '' }];
    });
    return all.toSorted((one, other) => Number(other.isPause) - Number(one.isPause));
  };

  const before = (text: string, words: readonly Word[], sign: Sign, from: number) => {
    for (const { end, start, isPause } of splits(words, from)) {
      const parts = { condition: words.slice(from, end), command: words.slice(start) };
      // "If I forget to turn off the lights" has no pause, and tests nothing.
      const isOfPerson = sign !== 'trigger' && persons.has(parts.condition[0]?.word ?? '');
      if (!isPause && isOfPerson && !isCondition(textOf(text, parts.condition))) continue;
      const found = conditional(text, sign, parts);
      if (found) return found;
    }
    return null;
  };

  const firstOf = (words: readonly Word[]): number => words.findIndex(({ word }) => !lead.has(word));

  const find = (text: string, words: readonly Word[]): ConditionalCommand | null => {
    const at = Math.max(0, firstOf(words));
    const first = signAt(words, at);
    // "When did you open the blinds" is a question.
    const asks = first?.found === 'trigger' && asking.has(words[first.end]?.word ?? '');
    if (first) return asks ? null : before(text, words, first.found, first.end);
    for (let behind = at + 1; behind < words.length; behind += 1) {
      const sign = signAt(words, behind);
      const parts = { condition: words.slice(sign?.end), command: words.slice(at, behind) };
      const found = sign && conditional(text, sign.found, parts);
      if (found) return found;
    }
    return null;
  };

  /** Null: the sentence has no condition. */
  return (text: string): ConditionalCommand | null => {
    const words = readWords(text);
    return words.length > maxWords ? null : find(text, words);
  };
}

/** Reads "if not, lock it", a command that depends on the answer to the last question. */
export function createIfAnswered({ condition }: Pick<QueryWords, 'condition'>, readWords: WordReader) {
  const signs = createPhraseFinder<'if_so' | 'if_not'>(
    (['if_so', 'if_not'] as const).flatMap((sign) => condition[sign].map((text) => ({ text, stands: sign }))),
    readWords,
  );
  const [lead, then] = [new Set(condition.lead), new Set(condition.command_after)];

  /** Null: the sentence has no condition. */
  return (text: string): Pick<ConditionalCommand, 'command' | 'isUnless'> | null => {
    const words = readWords(text);
    const at = words.findIndex(({ word }) => !lead.has(word));
    const sign = signs.at(words, at).toSorted((one, other) => other.end - one.end)[0];
    if (!sign || words.length > maxWords) return null;
    const from = then.has(words[sign.end]?.word ?? '') ? sign.end + 1 : sign.end;
    if (from >= words.length) return null;
    return { command: textOf(text, words.slice(from)), isUnless: sign.found === 'if_not' };
  };
}
