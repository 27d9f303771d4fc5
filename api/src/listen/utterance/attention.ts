import type { Clock } from '../../clock.ts';
import type { NameRule } from '../../turn/turn.ts';
import type { ResponseDone, ServerEvent, WakeChange, WakeMode } from '../events/listen-events.ts';

/**
 * How long the next sentence needs no name, by the event before it. A question leaves more time for an
 * answer.
 */
const awakeMs = { word: 7_000, answered: 7_000, asked: 12_000, called: 7_000 } as const;
/**
 * Speech that begins within this time after a wake word belongs to it. The sound before the word arrives at
 * once.
 */
const wordCountsMs = 2_000;
/** Delay before checking again when someone still speaks at the end of the awake time. */
const recheckDelayMs = 200;
/**
 * After this many sentences, people must say the name again. Otherwise the assistant could answer a
 * television forever.
 */
const maxUnnamed = 4;
/** After this many inputs that were no requests (remarks, noise, echo), the conversation is over. */
const maxUnmeant = 2;
/**
 * Without recognition we cannot tell who is meant. Explain the failure only this often, because of
 * televisions.
 */
const explainEveryMs = 600_000;

interface AttentionOptions {
  clock: Clock;
  /** Undefined counts as `open`: every sentence is answered. */
  mode: () => WakeMode | undefined;
  /** The assistant's names in this household. */
  names: () => readonly string[];
  /** The wake words as people say them, in the modes with wake words. */
  phrases: () => readonly string[];
  send: (event: ServerEvent) => void;
  /** Whether the assistant is speaking or a timer is ringing: people may say "stop". */
  isAudible: () => boolean;
  /** Someone is speaking, or is still waiting for an answer. */
  isBusy: () => boolean;
  /** Called when someone said only the name, so the request comes next. */
  onCalled: () => void;
  /** Called after an answer, when the next sentence needs no name. */
  onGoOn: () => void;
}

/** `unheard`: no wake word was detected, so the speech is ignored without a transcript. */
type SpeechRule = NameRule | 'unheard';

/**
 * Whether speech needs a name or wake word, and which ones. Without `calledBy`, the household's names count.
 */
export interface CallRule {
  nameRule: SpeechRule;
  calledBy?: readonly string[];
}

/** A wake word that was detected in the sound. */
export interface DetectedWakeWord {
  phrase: string;
  certainty: 'sure' | 'perhaps';
}

/** A sentence that is being answered. */
interface Answered {
  turnId: string;
  isNamed: boolean;
  /** The sentence ends the conversation: "thank you", "never mind", "stop". */
  isLast: boolean;
}

/** Why people need no name now. After a plain answer, remarks need it: a television makes many. */
interface Awakening {
  reason: keyof typeof awakeMs;
  rule: 'not_needed' | 'request';
}

export type Attention = ReturnType<typeof createAttention>;

/**
 * Decides which sentences are answered. After an answer, the next ones need no name or wake word for a while.
 */
export function createAttention(options: AttentionOptions) {
  const { clock, mode, names, phrases, send, isAudible, isBusy, onCalled, onGoOn } = options;
  const isOn = () => (mode() ?? 'open') !== 'open';
  const isByWord = () => mode() === 'word' || mode() === 'word+name';
  /** Speech that begins before this time needs no name. */
  let untilMs: number | null = null;
  let isAwake = false;
  let answering: Answered | null = null;
  let answered: ({ turnId: string } & Awakening) | null = null;
  let awakening: Awakening = { reason: 'word', rule: 'not_needed' };
  const word = createLatestWord(clock);
  let unnamed = 0;
  let unmeant = 0;
  let cancelTimeout = (): void => undefined;

  const tell = (awake: boolean, reason: WakeChange['reason'], for_ms: number | null): void => {
    if (awake || isAwake) send({ type: 'wake.changed', turn_id: null, awake, reason, for_ms });
    isAwake = awake;
  };
  const sleep = (reason: WakeChange['reason']): void => {
    cancelTimeout();
    untilMs = null;
    tell(false, reason, null);
  };
  const timeIsOver = (): void => {
    // Speech that began in time is detected a little later, so `untilMs` stays.
    if (isBusy()) cancelTimeout = clock.after(recheckDelayMs, timeIsOver);
    else tell(false, 'time', null);
  };
  const wake = (by: Awakening): void => {
    cancelTimeout();
    unmeant = 0;
    awakening = by;
    untilMs = clock.nowMs() + awakeMs[by.reason];
    cancelTimeout = clock.after(awakeMs[by.reason], timeIsOver);
    tell(true, by.reason, awakeMs[by.reason]);
  };

  const calledBy = () => (mode() === 'word' ? phrases() : [...names(), ...phrases()]);
  const withWords = (nameRule: NameRule): CallRule =>
    isByWord() ? { nameRule, calledBy: calledBy() } : { nameRule };

  return {
    /** The rule for speech that began at this clock time. Undefined in the mode `open`. */
    ruleAt(fromMs: number): CallRule | undefined {
      if (!isOn()) return undefined;
      const behindWord = word.take();
      if (behindWord) return behindWord;
      if (untilMs !== null && fromMs <= untilMs) return withWords(awakening.rule);
      if (isAudible()) return withWords('needed_or_stop');
      return mode() === 'word' ? { nameRule: 'unheard' } : withWords('needed');
    },
    takeWord: word.take,
    /** A wake word was detected. A certain one opens the microphone at once. */
    wakeWordDetected(hit: DetectedWakeWord): void {
      if (!isByWord()) return;
      word.note(hit);
      if (hit.certainty !== 'sure') return;
      // A wake word overrides any answer in progress.
      [answering, answered, unnamed] = [null, null, 0];
      wake({ reason: 'word', rule: 'not_needed' });
    },
    /** Whether the server needs sound: a wake word was just heard, or none is needed now. */
    isListening: (): boolean =>
      word.isFresh() || (untilMs !== null && clock.nowMs() <= untilMs + recheckDelayMs),
    /** Someone said only the assistant's name. */
    called(): void {
      if (!isOn()) return;
      unnamed = 0;
      wake({ reason: 'called', rule: 'not_needed' });
      onCalled();
    },
    /** A sentence is being answered. Until the answer is over, other sentences need the name. */
    answers(sentence: Answered): void {
      if (!isOn()) return;
      cancelTimeout();
      unnamed = sentence.isNamed ? 0 : unnamed + 1;
      [answering, answered, untilMs] = [sentence, null, null];
    },
    /** A response is done. */
    done({ turn_id, status, reply }: Pick<ResponseDone, 'turn_id' | 'status' | 'reply'>): void {
      if (!isOn() || answering?.turnId !== turn_id) return;
      const { isLast } = answering;
      answering = null;
      const end = isLast ? 'ended' : unnamed >= maxUnnamed ? 'unnamed' : 'cancelled';
      if (end !== 'cancelled' || status === 'cancelled') {
        sleep(end);
        return;
      }
      const by = awakeningBy(reply, status);
      answered = { turnId: turn_id, ...by };
      wake(by);
      onGoOn();
    },
    /** The satellite has finished playback of an answer: restart the awake time. */
    played(turnId: string): void {
      if (isOn() && isAwake && answered?.turnId === turnId) wake(answered);
    },
    /** Another satellite heard the wake word better and answers. */
    elsewhere: (): void => sleep('elsewhere'),
    /** An input turned out not to be a request. */
    unmeant(): void {
      unmeant += 1;
      if (isAwake && unmeant >= maxUnmeant) sleep('unmeant');
    },
    /** Whether to explain a recognition failure to someone who may not have meant the assistant. */
    mayExplain: createExplanationLimit(clock),
    /** The satellite has disconnected or changed its wake mode. */
    stop(): void {
      cancelTimeout();
      [untilMs, answering, answered] = [null, null, null];
      word.take();
      if (isAwake) tell(false, 'ended', null);
    },
  };
}

/** A remark may answer a question. After a failure, people say their sentence again. */
function awakeningBy(reply: string, status: ResponseDone['status']): Awakening {
  if (reply.trimEnd().endsWith('?')) return { reason: 'asked', rule: 'not_needed' };
  return { reason: 'answered', rule: status === 'completed' ? 'request' : 'not_needed' };
}

/** The latest wake word, for the speech that begins soon after it. */
function createLatestWord(clock: Clock) {
  let word: (DetectedWakeWord & { untilMs: number }) | null = null;
  const isFresh = () => word !== null && clock.nowMs() <= word.untilMs;

  return {
    isFresh,
    note(hit: DetectedWakeWord): void {
      const isSure = hit.certainty === 'sure' || (word?.certainty === 'sure' && isFresh());
      word = { ...hit, certainty: isSure ? 'sure' : 'perhaps', untilMs: clock.nowMs() + wordCountsMs };
    },
    /** Consumes the word and returns the rule for its speech. Null if there is none. */
    take(): CallRule | null {
      const hit = isFresh() ? word : null;
      word = null;
      return hit && { nameRule: hit.certainty === 'sure' ? 'said' : 'near', calledBy: [hit.phrase] };
    },
  };
}

/** Returns true at most once per `explainEveryMs`. */
function createExplanationLimit(clock: Clock) {
  let explainedAtMs = Number.NEGATIVE_INFINITY;
  return (): boolean => {
    if (clock.nowMs() - explainedAtMs < explainEveryMs) return false;
    explainedAtMs = clock.nowMs();
    return true;
  };
}
