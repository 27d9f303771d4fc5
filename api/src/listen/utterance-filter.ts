import type { Clock } from './clock.ts';
import { type ClaimUtterance, isDuplicate } from './duplicates.ts';
import type { Saying } from './echo.ts';
import type { CancelReason } from './listen-events.ts';

/** Redis answers within a few ms. After this the satellite goes on without it: answering twice is better than not at all. */
const maxClaimMs = 200;
/** A satellite that heard the same better is waited for so long: it may turn out to have heard something else. */
const maxRivalMs = 1_000;
const lookAgainMs = 50;

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
  /** How well it was heard. */
  clarity: number;
  /** The wake word in it: whoever heard it better answers, whatever the words. */
  wakeWord: string | null;
}

/** An utterance as other satellites may have heard it, too. */
export type Located = Pick<TranscribedUtterance, 'conversation' | 'room' | 'fromMs' | 'clarity' | 'wakeWord'>;

/** What satellites of all processes have heard. Each may fail. */
export interface Rivals {
  enter(rival: { places: readonly string[]; owner: string; clarity: number; agoMs: number }): Promise<void>;
  hasBetter(rival: { places: readonly string[]; owner: string; clarity: number }): Promise<boolean>;
  leave(rival: { places: readonly string[]; owner: string }): Promise<void>;
}

interface UtteranceFilterOptions {
  sessionId: string;
  /** The room of the satellite, where the assistant speaks and is heard. */
  place: () => string;
  saying: Saying;
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
    const callOff = clock.after(maxClaimMs, () => late.resolve(false));
    return Promise.race([claimed.catch(() => false), late.promise]).finally(callOff);
  };
  const rivalOf = (located: Located) => ({
    places: placesOf(located),
    owner: sessionId,
    clarity: located.clarity,
  });
  const hasBetter = (located: Located) => inTime(rivals.hasBetter(rivalOf(located)));
  const pause = () => new Promise<void>((resolve) => clock.after(lookAgainMs, resolve));

  /** True: another satellite heard the same wake word, better. Otherwise one that heard better has its say first. */
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
    /** It has been heard; nobody knows yet what it is. */
    enter(located: Located): void {
      const agoMs = clock.nowMs() - located.fromMs;
      rivals.enter({ ...rivalOf(located), agoMs }).catch(() => undefined);
    },
    /** Whether another satellite answers what both have heard. */
    yields,
    /** It is none, whatever others heard. */
    leave,
    async judge(utterance: TranscribedUtterance): Promise<FilterResult> {
      const { transcript, fromMs, untilMs } = utterance;
      if (transcript === '') return utterance.maySilentlyPass ? 'nothing_heard' : 'answer';
      if (saying.isEcho(place(), { text: transcript, fromMs, untilMs })) return 'echo';
      const isAnothers = await isTaken(utterance);
      // Behind a wake word all that heard it worse stay quiet for as long as they might ask.
      if (utterance.wakeWord === null) leave(utterance);
      return isAnothers ? 'duplicate' : 'answer';
    },
  };
}

/** A wake word is heard in the next room too. */
function placesOf({ conversation, room, wakeWord }: Located): string[] {
  if (wakeWord !== null) return [`word:${wakeWord}`];
  return [...(room === null ? [] : [`room:${room}`]), `conversation:${conversation}`];
}
