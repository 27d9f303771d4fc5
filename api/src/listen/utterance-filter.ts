import type { Clock } from './clock.ts';
import { type ClaimUtterance, isDuplicate } from './duplicates.ts';
import type { Saying } from './echo.ts';
import type { CancelReason } from './listen-events.ts';

/** Redis answers within a few ms; whoever waits longer for it would rather answer twice than not at all. */
const mostClaimMs = 200;

/** `answer`, or why there is nothing to answer. */
export type FilterResult = 'answer' | Extract<CancelReason, 'nothing_heard' | 'echo' | 'duplicate'>;

export interface TranscribedUtterance {
  transcript: string;
  conversation: string;
  room: string | null;
  /** When it was spoken, by the clock. */
  fromMs: number;
  untilMs: number;
  /** A burst without words need not be answered. */
  maySilentlyPass: boolean;
}

interface UtteranceFilterOptions {
  sessionId: string;
  /** Where the satellite stands, for what is said and heard there. */
  place: () => string;
  saying: Saying;
  claim: ClaimUtterance;
  clock: Clock;
}

/** Decides whether what was heard is a request. */
export function createUtteranceFilter({ sessionId, place, saying, claim, clock }: UtteranceFilterOptions) {
  const inTime = (claimed: Promise<boolean>): Promise<boolean> => {
    const late = Promise.withResolvers<boolean>();
    const callOff = clock.after(mostClaimMs, () => late.resolve(false));
    return Promise.race([claimed.catch(() => false), late.promise]).finally(callOff);
  };

  return async (utterance: TranscribedUtterance): Promise<FilterResult> => {
    const { transcript, fromMs, untilMs } = utterance;
    if (transcript === '') return utterance.maySilentlyPass ? 'nothing_heard' : 'answer';
    if (saying.isEcho(place(), { text: transcript, fromMs, untilMs })) return 'echo';
    return (await inTime(isDuplicate(claim, sessionId, utterance))) ? 'duplicate' : 'answer';
  };
}
