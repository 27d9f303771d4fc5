import type { NameRule } from '../turn/turn.ts';
import type { Clock } from './clock.ts';
import type { ResponseDone, ServerEvent, WakeChange, WakeMode } from './listen-events.ts';

/** It listens on for so long without its name being said: after a wake word, an answer (longer when it was a question), and its name alone. */
const awakeMs = { word: 7_000, answered: 7_000, asked: 12_000, called: 7_000 } as const;
/** Speech that begins so long after a wake word was heard is the one with the word: its sound comes from before the word, all at once. */
const wordCountsMs = 2_000;
/** Somebody may still be speaking when the time is over. */
const lookAgainMs = 200;
/** A television may answer for ever. People say the name again after so many sentences without it. */
const maxUnnamed = 4;
/** Sentences that were none: noise, echo, what another satellite answers. Then nobody is talking with it any more. */
const maxUnmeant = 2;
/** While the recognition is away nobody knows who is meant. It is said, but not to every sentence of a television. */
const explainEveryMs = 600_000;

interface AttentionOptions {
  clock: Clock;
  /** Left out: every sentence is answered. */
  mode: () => WakeMode | undefined;
  /** The names of the household. */
  names: () => readonly string[];
  /** What wakes it in the modes with wake words, as people say it. */
  phrases: () => readonly string[];
  send: (event: ServerEvent) => void;
  /** It speaks, or a timer rings: both may be told to stop. */
  isHeard: () => boolean;
  /** Somebody speaks, or has spoken and is not answered yet. */
  isBusy: () => boolean;
  /** It was called by its name, and now waits for the request. */
  onCalled: () => void;
}

/** `unheard`: no wake word was heard, so nobody looks at its words. */
export type SpeechRule = NameRule | 'unheard';

/** Whether speech needs the assistant's name or a wake word, and what the assistant is called by; left out: the names of the household. */
export interface CallRule {
  nameRule: SpeechRule;
  calledBy?: readonly string[];
}

/** A wake word in the sound. */
export interface HeardWord {
  phrase: string;
  certainty: 'sure' | 'perhaps';
}

/** A sentence that is answered. */
interface Answered {
  turnId: string;
  isNamed: boolean;
  /** It ends the conversation: "thank you", "never mind", "stop". */
  isLast: boolean;
}

export type Attention = ReturnType<typeof createAttention>;

/** Whether sentences without the name or a wake word are answered: for a while after an answer they are, so that a conversation can go on. */
export function createAttention(options: AttentionOptions) {
  const { clock, mode, names, phrases, send, isHeard, isBusy, onCalled } = options;
  const isOn = () => (mode() ?? 'open') !== 'open';
  const isByWord = () => mode() === 'word' || mode() === 'word+name';
  /** Speech that begins up to here needs no name. */
  let untilMs: number | null = null;
  let isAwake = false;
  let answering: Answered | null = null;
  let answered: { turnId: string; reason: keyof typeof awakeMs } | null = null;
  let word: (HeardWord & { untilMs: number }) | null = null;
  let unnamed = 0;
  let unmeant = 0;
  let explainedAtMs = Number.NEGATIVE_INFINITY;
  let callOff = (): void => undefined;

  const tell = (awake: boolean, reason: WakeChange['reason'], for_ms: number | null): void => {
    if (awake || isAwake) send({ type: 'wake.changed', turn_id: null, awake, reason, for_ms });
    isAwake = awake;
  };
  const sleep = (reason: WakeChange['reason']): void => {
    callOff();
    untilMs = null;
    tell(false, reason, null);
  };
  const timeIsOver = (): void => {
    // Speech that began in time is found a little later, so `untilMs` stays.
    if (isBusy()) callOff = clock.after(lookAgainMs, timeIsOver);
    else tell(false, 'time', null);
  };
  const wake = (reason: keyof typeof awakeMs): void => {
    callOff();
    unmeant = 0;
    untilMs = clock.nowMs() + awakeMs[reason];
    callOff = clock.after(awakeMs[reason], timeIsOver);
    tell(true, reason, awakeMs[reason]);
  };

  const isWordFresh = () => word !== null && clock.nowMs() <= word.untilMs;
  /** The rule of the speech with the wake word that was heard last; null: there is none. Once. */
  const takeWord = (): CallRule | null => {
    const heard = isWordFresh() ? word : null;
    word = null;
    return heard && { nameRule: heard.certainty === 'sure' ? 'said' : 'near', calledBy: [heard.phrase] };
  };
  const calledBy = () => (mode() === 'word' ? phrases() : [...names(), ...phrases()]);
  const withWords = (nameRule: NameRule): CallRule =>
    isByWord() ? { nameRule, calledBy: calledBy() } : { nameRule };

  return {
    /** What speech that began then, by the clock, needs; undefined: names and words mean nothing here. */
    ruleAt(fromMs: number): CallRule | undefined {
      if (!isOn()) return undefined;
      const behindWord = takeWord();
      if (behindWord) return behindWord;
      if (untilMs !== null && fromMs <= untilMs) return withWords('not_needed');
      if (isHeard()) return withWords('needed_or_stop');
      return mode() === 'word' ? { nameRule: 'unheard' } : withWords('needed');
    },
    takeWord,
    /** A wake word is in the sound. A sure one opens the microphone at once. */
    heard(hit: HeardWord): void {
      if (!isByWord()) return;
      const isSure = hit.certainty === 'sure' || (word?.certainty === 'sure' && isWordFresh());
      word = { ...hit, certainty: isSure ? 'sure' : 'perhaps', untilMs: clock.nowMs() + wordCountsMs };
      if (hit.certainty !== 'sure') return;
      // Whatever is being answered, this is what counts now.
      [answering, answered, unnamed] = [null, null, 0];
      wake('word');
    },
    /** Whether sound is wanted: a word was just heard, or none is needed at the moment. */
    isListening: (): boolean => isWordFresh() || (untilMs !== null && clock.nowMs() <= untilMs + lookAgainMs),
    /** The assistant was called by its name, and asked nothing. */
    called(): void {
      if (!isOn()) return;
      unnamed = 0;
      wake('called');
      onCalled();
    },
    /** A sentence is answered. Until it is, others need the name. */
    answers(sentence: Answered): void {
      if (!isOn()) return;
      callOff();
      unnamed = sentence.isNamed ? 0 : unnamed + 1;
      [answering, answered, untilMs] = [sentence, null, null];
    },
    /** An answer is over. */
    done({ turn_id, status, reply }: Pick<ResponseDone, 'turn_id' | 'status' | 'reply'>): void {
      if (!isOn() || answering?.turnId !== turn_id) return;
      const { isLast } = answering;
      answering = null;
      const end = isLast ? 'ended' : unnamed >= maxUnnamed ? 'unnamed' : 'cancelled';
      if (end !== 'cancelled' || status === 'cancelled') {
        sleep(end);
        return;
      }
      const reason = reply.trimEnd().endsWith('?') ? 'asked' : 'answered';
      answered = { turnId: turn_id, reason };
      wake(reason);
    },
    /** The satellite has played an answer to its end: from now on the time counts. */
    played(turnId: string): void {
      if (isOn() && isAwake && answered?.turnId === turnId) wake(answered.reason);
    },
    /** Another satellite heard the wake word better, and answers. */
    elsewhere(): void {
      sleep('elsewhere');
    },
    /** What began like a sentence was none. */
    unmeant(): void {
      unmeant += 1;
      if (isAwake && unmeant >= maxUnmeant) sleep('unmeant');
    },
    /** Whether to say that the recognition is away to somebody who may not have meant it. */
    mayExplain(): boolean {
      if (clock.nowMs() - explainedAtMs < explainEveryMs) return false;
      explainedAtMs = clock.nowMs();
      return true;
    },
    /** The satellite has gone, or listens otherwise. */
    stop(): void {
      callOff();
      [untilMs, answering, answered, word] = [null, null, null, null];
      if (isAwake) tell(false, 'ended', null);
    },
  };
}
