import type { SentenceOutlook, Silences } from '../../audio/endpointer.ts';

/** How much time the household gives people to think in the middle of a sentence. */
export type Patience = 'quick' | 'normal' | 'patient';

/** Factor for every silence. */
const byPatience: Readonly<Record<Patience, number>> = { quick: 0.75, normal: 1, patient: 1.5 };

/**
 * Silence that ends an utterance, in ms at normal patience. If the person continues after an early end, the
 * turn is revised and its answer stops. "As chosen": by the household or the satellite.
 *
 * | The words so far                       | for example                       | ends after | is called  |
 * | -------------------------------------- | --------------------------------- | ---------- | ---------- |
 * | a short answer to the assistant        | "Yes.", "Ten minutes."            | 256        | answered   |
 * | a whole command that can be undone     | "Set a timer for five minutes."   | 320        | whole      |
 * | on or off for devices of a named room  | "Turn off the bedroom lights."    | 320        | whole      |
 * | a question that asks only for words    | "What is the capital of France?"  | 320        | asked      |
 * | a statement that stands alone          | "My name is Anna."                | 450        | stated     |
 * | a backchannel                          | "Mm-hm."                          | 450        | stated     |
 * | an uncertain transcript                | words of a noisy sentence         | as chosen  | ordinary   |
 * | anything else                          | "Brighter than yesterday."        | as chosen  | ordinary   |
 * | words that may continue                | "Add eggs", "What is the capital" | 900        | open       |
 * | words that break off                   | "What timers are r..."            | 900        | open       |
 * | words that the recognition completed   | more words than fit into the time | 900        | open       |
 * | an incomplete sentence                 | "Add eggs and"                    | 1,500      | unfinished |
 *
 * Values below 320 gain nothing, because the answer is rarely ready sooner. The reply to a short answer is.
 * Decision 22 lists the cost of other values.
 */
const atNormalPatience = { answered: 256, whole: 320, asked: 320, stated: 450, open: 900, unfinished: 1_500 };

/** How the skills (which answer at once) and the grammar classify a transcript. */
export interface TranscriptClassification {
  /** A skill accepts the transcript unchanged. */
  isWhole: boolean;
  /** The command can be undone. */
  isUndoable: boolean;
  /** It ends in free text that may continue: "add eggs". */
  mayGetLonger: boolean;
  /** A question that asks only for information: "why is the sky blue". */
  asks: boolean;
  /** A statement that stands alone: "my name is Anna". */
  states: boolean;
  /** It only switches devices of a named room, which can be undone: "turn off the bedroom lights". */
  switchesRoom: boolean;
  /** It begins a new sentence instead of continuing the one before: "what is the". */
  beginsAnew: boolean;
  /** It begins like the rest of a sentence: "and eggs", "in Tokyo". */
  joins: boolean;
  /** A skill accepts it only as a reply to its question: "ten minutes". */
  isReply: boolean;
  /** It ends the conversation: "thank you", "never mind", "stop". */
  isLast: boolean;
  /** A backchannel, which only shows that the person listens: "mm-hm", "yeah". */
  isBackchannel: boolean;
  /** The sentence is clearly incomplete: "set a timer for". */
  goesOn: boolean;
  /** The sentence may be incomplete: "add milk", "what is the capital". */
  mayGoOn: boolean;
}

interface OutlookOptions {
  /** The recognition is certain of the words. */
  isSure: boolean;
  /** The transcript looks unfinished, or completed by the recognition. */
  seemsCut: boolean;
  /** It answers a question of the assistant in a few words. */
  isAnswer: boolean;
  /** Whether the household allows early and late ends. */
  endsEarly: boolean;
  waitsForMore: boolean;
}

/** Returns the row of the table above for a transcript. */
export function outlookOf(
  judgement: Omit<TranscriptClassification, 'isLast' | 'beginsAnew' | 'joins' | 'isReply'>,
  { isSure, seemsCut, isAnswer, endsEarly, waitsForMore }: OutlookOptions,
): SentenceOutlook {
  const is = isAnswer ? 'answered' : kindOf(judgement, seemsCut);
  if (is === 'unfinished' || is === 'open') return waitsForMore ? is : 'ordinary';
  return endsEarly && isSure ? is : 'ordinary';
}

function kindOf(
  {
    isWhole,
    isUndoable,
    mayGetLonger,
    asks,
    states,
    switchesRoom,
    isBackchannel,
    goesOn,
    mayGoOn,
  }: Omit<TranscriptClassification, 'isLast' | 'beginsAnew' | 'joins' | 'isReply'>,
  seemsCut: boolean,
): SentenceOutlook {
  if (goesOn && !(isWhole && isUndoable)) return 'unfinished';
  if (isBackchannel) return 'stated';
  if (seemsCut || mayGetLonger) return 'open';
  if (isWhole) return isUndoable ? 'whole' : 'ordinary';
  if (switchesRoom) return 'whole';
  if (asks) return 'asked';
  if (states) return 'stated';
  return mayGoOn ? 'open' : 'ordinary';
}

/** How a person pauses while speaking. */
export interface PauseHabit {
  /** Pauses inside a sentence are rarely longer than this, in ms. */
  pauseMs: number;
  /** Whether enough sentences are known to end sooner than the chosen silence. */
  isKnown: boolean;
}

/** Margin on top of a person's usual pauses. */
const spareMs = { early: 150, ordinary: 250 };
/** Bounds of the ordinary silence, however fast or slowly a person speaks. */
const minOrdinaryMs = 400;
const maxOrdinaryMs = 1_500;

interface SilencesOptions {
  /** Silence chosen by the household or the satellite, in ms, for a sentence that may or may not continue. */
  chosenMs: number;
  patience: Patience;
  /** Null: not known yet. */
  habit: PauseHabit | null;
}

/** Applies the household's patience to a silence in ms. */
export function patientMs(silenceMs: number, patience: Patience): number {
  return Math.round(silenceMs * byPatience[patience]);
}

/** Returns the silences that end an utterance, for each kind of transcript. */
export function silencesFor({ chosenMs, patience, habit }: SilencesOptions): Silences {
  const ordinary = ordinaryMs(chosenMs, habit);
  const early = (ms: number) =>
    Math.min(ordinary, Math.max(patientMs(ms, patience), habit === null ? 0 : habit.pauseMs + spareMs.early));
  return {
    answered: early(atNormalPatience.answered),
    whole: early(atNormalPatience.whole),
    asked: early(atNormalPatience.asked),
    stated: early(atNormalPatience.stated),
    ordinary,
    open: Math.max(ordinary, patientMs(atNormalPatience.open, patience)),
    unfinished: Math.max(ordinary, patientMs(atNormalPatience.unfinished, patience)),
  };
}

/** Waits longer for people who pause longer, and ends sooner for people who never do. */
function ordinaryMs(chosenMs: number, habit: PauseHabit | null): number {
  if (habit === null) return chosenMs;
  const neededMs = habit.pauseMs + spareMs.ordinary;
  if (neededMs > chosenMs) return Math.max(chosenMs, Math.min(neededMs, maxOrdinaryMs));
  return habit.isKnown ? Math.min(chosenMs, Math.max(neededMs, minOrdinaryMs)) : chosenMs;
}
