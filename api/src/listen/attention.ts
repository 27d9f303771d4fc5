import type { NameRule } from '../turn/turn.ts';
import type { Clock } from './clock.ts';
import type { ResponseDone, ServerEvent, WakeChange, WakeMode } from './listen-events.ts';

/** After an answer it listens on for so long without its name being said, longer when it has asked something, and after its name alone. */
const awakeMs = { answered: 7_000, asked: 12_000, called: 7_000 } as const;
/** Somebody may still be speaking when the time is over. */
const lookAgainMs = 200;
/** A television may answer for ever. People say the name again after so many sentences without it. */
const mostUnnamed = 4;
/** Sentences that were none: noise, echo, what another satellite answers. Then nobody is talking with it any more. */
const mostUnmeant = 2;
/** While the recognition is away nobody knows who is meant. It is said, but not to every sentence of a television. */
const explainEveryMs = 600_000;

interface AttentionOptions {
  clock: Clock;
  /** Left out: every sentence is answered. */
  mode: () => WakeMode | undefined;
  send: (event: ServerEvent) => void;
  /** It speaks, or a timer rings: both may be told to stop. */
  isHeard: () => boolean;
  /** Somebody speaks, or has spoken and is not answered yet. */
  isBusy: () => boolean;
  /** It was called by its name, and now waits for the request. */
  onCalled: () => void;
}

/** A sentence that is answered. */
interface Answered {
  turnId: string;
  isNamed: boolean;
  /** It ends the conversation: "thank you", "never mind", "stop". */
  isLast: boolean;
}

export type Attention = ReturnType<typeof createAttention>;

/** Whether sentences without the name are answered: for a while after an answer they are, so that a conversation can go on. */
export function createAttention(options: AttentionOptions) {
  const { clock, mode, send, isHeard, isBusy, onCalled } = options;
  const isByName = () => mode() === 'name';
  /** Speech that begins up to here needs no name. */
  let untilMs: number | null = null;
  let isAwake = false;
  let answering: Answered | null = null;
  let answered: { turnId: string; reason: keyof typeof awakeMs } | null = null;
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

  return {
    /** Whether speech that began then, by the clock, needs the name; undefined: names mean nothing here. */
    ruleAt(fromMs: number): NameRule | undefined {
      if (!isByName()) return undefined;
      if (untilMs !== null && fromMs <= untilMs) return 'not_needed';
      return isHeard() ? 'needed_or_stop' : 'needed';
    },
    /** The assistant was called by its name, and asked nothing. */
    called(): void {
      if (!isByName()) return;
      unnamed = 0;
      wake('called');
      onCalled();
    },
    /** A sentence is answered. Until it is, others need the name. */
    answers(sentence: Answered): void {
      if (!isByName()) return;
      callOff();
      unnamed = sentence.isNamed ? 0 : unnamed + 1;
      [answering, answered, untilMs] = [sentence, null, null];
    },
    /** An answer is over. */
    done({ turn_id, status, reply }: Pick<ResponseDone, 'turn_id' | 'status' | 'reply'>): void {
      if (!isByName() || answering?.turnId !== turn_id) return;
      const { isLast } = answering;
      answering = null;
      const end = isLast ? 'ended' : unnamed >= mostUnnamed ? 'unnamed' : 'cancelled';
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
      if (isByName() && isAwake && answered?.turnId === turnId) wake(answered.reason);
    },
    /** What began like a sentence was none. */
    unmeant(): void {
      unmeant += 1;
      if (isAwake && unmeant >= mostUnmeant) sleep('unmeant');
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
      [untilMs, answering, answered] = [null, null, null];
      if (isAwake) tell(false, 'ended', null);
    },
  };
}
