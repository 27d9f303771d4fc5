import type { Clock } from './clock.ts';
import { type ClaimUtterance, isDuplicate } from './duplicates.ts';
import type { Saying } from './echo.ts';
import type { CancelReason } from './listen-events.ts';

/** Redis answers within a few ms. After this the satellite goes on without it: answering twice is better than not at all. */
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
  /** If it has no words, it needs no answer. */
  maySilentlyPass: boolean;
}

interface UtteranceFilterOptions {
  sessionId: string;
  /** The room of the satellite, where the assistant speaks and is heard. */
  place: () => string;
  saying: Saying;
  claim: ClaimUtterance;
  clock: Clock;
}

/** Decides whether an utterance is a request. */
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
    return (await inTime(isDuplicate(claim, sessionId, { ...utterance, begunAgoMs: clock.nowMs() - fromMs })))
      ? 'duplicate'
      : 'answer';
  };
}
