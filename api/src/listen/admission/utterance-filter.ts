import type { Clock } from '../../clock.ts';
import type { CancelReason } from '../events/listen-events.ts';
import type { RecentSentences } from '../playback/echo.ts';
import { type ClaimUtterance, isDuplicate } from './duplicates.ts';

/**
 * Redis answers within a few ms, on a busy machine within this. Afterwards, continue without it: answering
 * twice is better than not at all.
 */
const maxClaimMs = 1_000;
/** How long to wait for a satellite with better sound, whose transcript may turn out to be different. */
const maxRivalMs = 1_000;
const recheckDelayMs = 50;

/** `answer`, or the reason for no answer. */
type FilterResult = 'answer' | Extract<CancelReason, 'nothing_heard' | 'echo' | 'duplicate'>;

interface TranscribedUtterance {
  transcript: string;
  conversation: string;
  room: string | null;
  /** Clock times of the speech. */
  fromMs: number;
  untilMs: number;
  /** Without words, it needs no answer. */
  maySilentlyPass: boolean;
  /** Clarity of the voice, in dB above the background. */
  clarity: number;
  /** Its wake word. The satellite that heard the wake word best answers, whatever the words. */
  wakeWord: string | null;
}

/** The fields of an utterance that other satellites may have heard, too. */
type Located = Pick<TranscribedUtterance, 'conversation' | 'room' | 'fromMs' | 'clarity' | 'wakeWord'>;

/** Compares utterances with the satellites of all processes. Each call may fail. */
export interface Rivals {
  enter(rival: { places: readonly string[]; owner: string; clarity: number; agoMs: number }): Promise<void>;
  hasBetter(rival: { places: readonly string[]; owner: string; clarity: number }): Promise<boolean>;
  leave(rival: { places: readonly string[]; owner: string }): Promise<void>;
}

interface UtteranceFilterOptions {
  sessionId: string;
  /** The room of the satellite, where the assistant's voice may echo. */
  place: () => string;
  saying: RecentSentences;
  claim: ClaimUtterance;
  rivals: Rivals;
  clock: Clock;
}

export type UtteranceFilter = ReturnType<typeof createUtteranceFilter>;

/** Decides whether an utterance is a request. */
export function createUtteranceFilter(options: UtteranceFilterOptions) {
  const { sessionId, place, saying, claim, rivals, clock } = options;
  const inTime = (claimed: Promise<boolean>): Promise<boolean> => {
    const late = Promise.withResolvers<boolean>();
    const cancelTimeout = clock.after(maxClaimMs, () => late.resolve(false));
    return Promise.race([claimed.catch(() => false), late.promise]).finally(cancelTimeout);
  };
  const rivalOf = (located: Located) => ({
    places: placesOf(located),
    owner: sessionId,
    clarity: located.clarity,
  });
  const hasBetter = (located: Located) => inTime(rivals.hasBetter(rivalOf(located)));
  const pause = () => new Promise<void>((resolve) => clock.after(recheckDelayMs, resolve));

  /**
   * Whether another satellite heard the same wake word better. Without a wake word, it only waits for better
   * satellites.
   */
  const yields = async (utterance: Located): Promise<boolean> => {
    const untilMs = clock.nowMs() + maxRivalMs;
    while (await hasBetter(utterance)) {
      if (utterance.wakeWord !== null) return true;
      if (clock.nowMs() >= untilMs) return false;
      await pause();
    }
    return false;
  };
  const isTaken = async (utterance: TranscribedUtterance): Promise<boolean> => {
    const { fromMs } = utterance;
    if (await yields(utterance)) return true;
    return inTime(isDuplicate(claim, sessionId, { ...utterance, begunAgoMs: clock.nowMs() - fromMs }));
  };
  const leave = (located: Located): void => void rivals.leave(rivalOf(located)).catch(() => undefined);

  return {
    /** Registers an utterance before its words are known. */
    enter(located: Located): void {
      const agoMs = clock.nowMs() - located.fromMs;
      rivals.enter({ ...rivalOf(located), agoMs }).catch(() => undefined);
    },
    /** Whether another satellite answers the same wake word. */
    yields,
    /** Withdraws the utterance: it is not a request, whatever other satellites heard. */
    leave,
    async judge(utterance: TranscribedUtterance): Promise<FilterResult> {
      const { transcript, fromMs, untilMs } = utterance;
      if (transcript === '') return utterance.maySilentlyPass ? 'nothing_heard' : 'answer';
      if (saying.isEcho(place(), { text: transcript, fromMs, untilMs })) return 'echo';
      const isAnothers = await isTaken(utterance);
      // After a wake word, keep the entry: satellites with worse sound may still check it.
      if (utterance.wakeWord === null) leave(utterance);
      return isAnothers ? 'duplicate' : 'answer';
    },
  };
}

/** A wake word is also audible in the next room. */
function placesOf({ conversation, room, wakeWord }: Located): string[] {
  if (wakeWord !== null) return [`word:${wakeWord}`];
  return [...(room === null ? [] : [`room:${room}`]), `conversation:${conversation}`];
}
