import type { Outlook, Silences } from '../audio/endpointer.ts';

/** How long the household lets people think in the middle of a sentence. */
export type Patience = 'quick' | 'normal' | 'patient';

/** Every silence is multiplied by this. */
const byPatience: Readonly<Record<Patience, number>> = { quick: 0.75, normal: 1, patient: 1.5 };

/**
 * The silence that ends what was said, in ms at normal patience. What is ended early can still go on: then it is changed, and an answer that
 * had begun stops. The rest waits as long as the household or the satellite has chosen.
 *
 * | The words so far                       | for example                       | ends after | is called  |
 * | -------------------------------------- | --------------------------------- | ---------- | ---------- |
 * | a whole command that can be undone     | "Set a timer for five minutes."   | 320        | whole      |
 * | a question that asks only for words    | "What is the capital of France?"  | 320        | asked      |
 * | a statement that stands alone          | "My name is Anna."                | 450        | stated     |
 * | a list, or words that may go on        | "Add eggs"                        | as chosen  | ordinary   |
 * | words that are not surely heard        | more than anybody can say so soon | as chosen  | ordinary   |
 * | anything else                          | "Brighter than yesterday."        | as chosen  | ordinary   |
 * | a sentence that plainly goes on        | "Add eggs and"                    | 1,500      | unfinished |
 *
 * Below 320 nothing is won: an answer is ready by then, and hardly sooner. Decision 22 has what other values cost.
 */
const atNormalPatience = { whole: 320, asked: 320, stated: 450, unfinished: 1_500 };

/** A transcript as the skills see it, which answer at once, and as its grammar looks. */
export interface Judgement {
  /** A skill accepts it as it stands. */
  isWhole: boolean;
  /** The command can be taken back. */
  isUndoable: boolean;
  /** It ends in words of the person's own, to which more may come: "add eggs". */
  mayGetLonger: boolean;
  /** It asks for nothing but words: "why is the sky blue". */
  asks: boolean;
  /** It is a statement that stands alone: "my name is Anna". */
  states: boolean;
  /** It begins like a sentence of its own, not like more of the one before: "what is the". */
  beginsAnew: boolean;
  /** It ends the conversation: "thank you", "never mind", "stop". */
  isLast: boolean;
  /** The sentence plainly goes on: "set a timer for". */
  goesOn: boolean;
}

interface OutlookOptions {
  /** The words were surely heard as they stand. */
  isSure: boolean;
  /** Whether the household wants early and late ends. */
  endsEarly: boolean;
  waitsForMore: boolean;
}

/** The row of the table above for a transcript. */
export function outlookOf(
  { isWhole, isUndoable, mayGetLonger, asks, states, goesOn }: Omit<Judgement, 'isLast' | 'beginsAnew'>,
  { isSure, endsEarly, waitsForMore }: OutlookOptions,
): Outlook {
  if (goesOn && !(isWhole && isUndoable)) return waitsForMore ? 'unfinished' : 'ordinary';
  if (!endsEarly || !isSure || mayGetLonger) return 'ordinary';
  if (isWhole) return isUndoable ? 'whole' : 'ordinary';
  if (asks) return 'asked';
  return states ? 'stated' : 'ordinary';
}

/** What is known of how somebody speaks. */
export interface PauseHabit {
  /** They seldom pause for longer than this inside a sentence, in ms. */
  pauseMs: number;
  /** Enough sentences were heard to answer sooner than the household has chosen. */
  isKnown: boolean;
}

/** On top of the pauses that somebody is known to make. */
const spareMs = { early: 150, ordinary: 250 };
/** However briskly or slowly somebody speaks, the ordinary silence stays within these. */
const leastOrdinaryMs = 400;
const maxOrdinaryMs = 1_500;

interface SilencesOptions {
  /** What the household or the satellite has chosen, in ms, for a sentence that may or may not go on. */
  chosenMs: number;
  patience: Patience;
  /** Null: nothing is known yet. */
  habit: PauseHabit | null;
}

/** What a household with this patience makes of the silence that it has set, in ms. */
export function patientMs(silenceMs: number, patience: Patience): number {
  return Math.round(silenceMs * byPatience[patience]);
}

/** How long to wait for more, by how the words so far look. */
export function silencesFor({ chosenMs, patience, habit }: SilencesOptions): Silences {
  const ordinary = ordinaryMs(chosenMs, habit);
  const early = (ms: number) =>
    Math.min(ordinary, Math.max(patientMs(ms, patience), habit === null ? 0 : habit.pauseMs + spareMs.early));
  return {
    whole: early(atNormalPatience.whole),
    asked: early(atNormalPatience.asked),
    stated: early(atNormalPatience.stated),
    ordinary,
    unfinished: Math.max(ordinary, patientMs(atNormalPatience.unfinished, patience)),
  };
}

/** Those who pause longer than was chosen are waited for; those who never do are answered sooner. */
function ordinaryMs(chosenMs: number, habit: PauseHabit | null): number {
  if (habit === null) return chosenMs;
  const neededMs = habit.pauseMs + spareMs.ordinary;
  if (neededMs > chosenMs) return Math.max(chosenMs, Math.min(neededMs, maxOrdinaryMs));
  return habit.isKnown ? Math.min(chosenMs, Math.max(neededMs, leastOrdinaryMs)) : chosenMs;
}
