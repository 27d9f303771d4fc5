import type { Grammar, Sentence } from '../../language/grammar/grammar.ts';
import type { Routine } from '../../settings/routine.ts';
import type { SentencesOf } from '../core/skill-language.ts';
import { type RoutineIntent, routineIntents } from './routines-shape.ts';

/** Maximum length of a routine's sentence. */
const maxCharacters = 400;
const place = 'skills/routines.yaml';

export interface FoundRoutine {
  intent: RoutineIntent;
  /** Null: the sentence means all of them. */
  routine: Routine | null;
}

interface RoutineSentencesOptions {
  grammar: Grammar;
  sentencesOf: SentencesOf;
}

export type RoutineSentences = ReturnType<typeof createRoutineSentences>;

/** Finds the routine that a sentence starts or asks about. */
export function createRoutineSentences({ grammar, sentencesOf }: RoutineSentencesOptions) {
  const templates = sentencesOf(routineIntents);
  const listing = templates['list'] ?? [];

  /** Normalises a text for comparison and for use in a sentence. */
  const plain = (text: string): string =>
    grammar
      .readWords(text)
      .map(({ word }) => word)
      .filter((word) => /^[\p{L}\p{M}\p{N}']+$/u.test(word))
      .join(' ');

  const sentencesFor = (routine: Routine): (FoundRoutine & { text: string })[] => {
    const names = [...new Set([routine.name, ...routine.sentences].map(plain))].filter((text) => text !== '');
    const called = `(${names.join('|')})`;
    const about = (intent: RoutineIntent) =>
      (templates[intent] ?? []).map((each) => ({
        intent,
        routine,
        text: each.replaceAll('{routine}', called),
      }));
    const own = [...new Set(routine.sentences.map(plain))].filter((text) => text !== '');
    return [
      ...own.map((text) => ({ intent: 'start' as const, routine, text })),
      ...about('start'),
      ...about('tell'),
    ];
  };

  const matcherOf = (routines: readonly Routine[]) => {
    const all = [
      ...routines.flatMap(sentencesFor),
      ...listing.map((text) => ({ intent: 'list' as const, routine: null, text })),
    ];
    const sentences = all.map(({ text, intent }): Sentence => ({ text, place: `${place}: ${intent}` }));
    return { all, matcher: grammar.matcher({ sentences, slotTypes: {} }) };
  };

  let made: { routines: readonly Routine[]; known: ReturnType<typeof matcherOf> } | undefined;

  return {
    plain,
    /** Null: the sentence belongs to no routine. */
    find(text: string, routines: readonly Routine[]): FoundRoutine | null {
      if (text.length > maxCharacters) return null;
      // One settings revision is one object, shared by most turns.
      if (made?.routines !== routines) made = { routines, known: matcherOf(routines) };
      const { all, matcher } = made.known;
      const match = matcher.match(grammar.readWords(text));
      return (match && all[match.sentence]) ?? null;
    },
  };
}
