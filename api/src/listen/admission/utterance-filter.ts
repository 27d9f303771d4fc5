import type { Clock } from '../../clock.ts';
import type { CancelReason } from '../events/listen-events.ts';
import type { RecentSentences } from '../playback/echo.ts';
import type { CallClaims } from './call-claims.ts';
import { type ClaimUtterance, isDuplicate } from './duplicates.ts';

/**
 * Redis answers within a few ms, on a busy machine within this. Afterwards, continue without it: answering
 * twice is better than not at all.
 */
const maxClaimMs = 1_000;
/** How long to wait for a satellite with better sound, whose transcript may turn out to be different. */
const maxRivalMs = 1_000;
const recheckDelayMs = 50;
/** How long to wait for another satellite whose person seems to be still speaking. */
const maxUnfinishedMs = 300;

/** `answer`, or the reason for no answer. */
type FilterResult = 'answer' | Extract<CancelReason, 'nothing_heard' | 'echo' | 'duplicate'>;

interface TranscribedUtterance {
  transcript: string;
  conversation: string;
  room: string | null;
  /** Clock times of the speech. */
  fromMs: number;
  untilMs: number;
  /** The previous answer was a question. */
  answersQuestion: boolean;
  /** Without words, it needs no answer. */
  maySilentlyPass: boolean;
  /** Clarity of the voice, in dB above the background. */
  clarity: number;
  /**
   * Whether the person called the assistant, which is also heard in other rooms. The satellite that heard it
   * best answers, whatever the words. `maybe`: only the transcript can tell. Null: it needed no call.
   */
  call: 'sure' | 'maybe' | null;
}

/** The fields of an utterance that other satellites may have heard, too. */
type Located = Pick<TranscribedUtterance, 'conversation' | 'room' | 'fromMs' | 'clarity' | 'call'>;

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
  calls: CallClaims;
  clock: Clock;
}

export type UtteranceFilter = ReturnType<typeof createUtteranceFilter>;

/** Decides whether an utterance is a request. */
export function createUtteranceFilter(options: UtteranceFilterOptions) {
  const { sessionId, place, saying, claim, rivals, calls, clock } = options;
  const inTime = <Result>(claimed: Promise<Result>, otherwise: Result): Promise<Result> => {
    const late = Promise.withResolvers<Result>();
    const cancelTimeout = clock.after(maxClaimMs, () => late.resolve(otherwise));
    return Promise.race([claimed.catch(() => otherwise), late.promise]).finally(cancelTimeout);
  };
  const rivalOf = (located: Located) => ({
    places: placesOf(located),
    owner: sessionId,
    clarity: located.clarity,
  });
  const hasBetter = (located: Located) => inTime(rivals.hasBetter(rivalOf(located)), false);
  const pause = () => new Promise<void>((resolve) => clock.after(recheckDelayMs, resolve));

  const callOf = ({ clarity, fromMs, call }: Located) => ({
    owner: sessionId,
    clarity,
    agoMs: clock.nowMs() - fromMs,
    isSure: call === 'sure',
  });
  const unheard = (told: Promise<unknown>): void => void told.catch(() => undefined);

  /** Waits for satellites with better sound in the same place, whose words may be the same. */
  const waitForBetter = async (utterance: Located): Promise<void> => {
    const untilMs = clock.nowMs() + maxRivalMs;
    while (clock.nowMs() < untilMs && (await hasBetter(utterance))) await pause();
  };
  /** Whether another satellite answers the person who called. */
  const isAnsweredElsewhere = async (utterance: Located): Promise<boolean> => {
    const beganMs = clock.nowMs();
    for (;;) {
      const waitedMs = clock.nowMs() - beganMs;
      const waitsFor = waitedMs < maxUnfinishedMs ? 'all' : waitedMs < maxRivalMs ? 'ended' : 'none';
      const claimed = await inTime(calls.claim(callOf(utterance), waitsFor), 'won');
      if (claimed === 'won' || claimed === 'lost') return claimed === 'lost';
      await pause();
    }
  };
  const isTaken = async (utterance: TranscribedUtterance): Promise<boolean> => {
    const { fromMs } = utterance;
    if (utterance.call !== 'sure') await waitForBetter(utterance);
    else if (await isAnsweredElsewhere(utterance)) return true;
    const begunAgoMs = clock.nowMs() - fromMs;
    return inTime(isDuplicate(claim, sessionId, { ...utterance, begunAgoMs }), false);
  };
  const leave = (located: Located): void => {
    unheard(rivals.leave(rivalOf(located)));
    if (located.call !== 'sure') unheard(calls.leave({ owner: sessionId }));
  };

  return {
    /** Registers speech that may call the assistant. `clarity` is null while the person speaks. */
    hears(located: Omit<Located, 'clarity'> & { clarity: number | null }): void {
      if (located.call !== null)
        unheard(calls.note({ ...callOf({ ...located, clarity: 0 }), clarity: located.clarity }));
    },
    /** Registers an utterance whose end is certain, before its words are known. */
    enter(located: Located): void {
      const agoMs = clock.nowMs() - located.fromMs;
      if (located.call !== null) unheard(calls.note(callOf(located)));
      if (located.call !== 'sure') unheard(rivals.enter({ ...rivalOf(located), agoMs }));
    },
    /** Whether another satellite answers the person who called. */
    isAnsweredElsewhere,
    /** Withdraws the utterance: it is not a request, whatever other satellites heard. */
    leave,
    async judge(utterance: TranscribedUtterance): Promise<FilterResult> {
      const { transcript } = utterance;
      if (transcript === '') return utterance.maySilentlyPass ? 'nothing_heard' : 'answer';
      if (saying.isEcho(place(), { ...utterance, text: transcript })) return 'echo';
      const isAnothers = await isTaken(utterance);
      leave(utterance);
      return isAnothers ? 'duplicate' : 'answer';
    },
  };
}

function placesOf({ conversation, room }: Located): string[] {
  return [...(room === null ? [] : [`room:${room}`]), `conversation:${conversation}`];
}
