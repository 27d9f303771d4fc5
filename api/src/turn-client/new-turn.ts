import type { Pcm } from '../audio/pcm.ts';
import type { Exchange } from '../conversations/exchange.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import type { ShownPictures } from '../turn/shown-pictures.ts';
import type { AnswerFormat, ModelOnly, NameRule, Reply, Timings, Turn } from '../turn/turn.ts';
import type { Listeners } from './follow-turn.ts';
import type { Played } from './turn-notes.ts';

/** A question for the turn client. */
export interface NewTurn extends Pick<Turn, 'id' | 'source' | 'conversation' | 'room'>, Listeners {
  /** Words, or a recording at 16 kHz to transcribe first. */
  question: { text: string } | { sound: Pcm };
  /** The reply is spoken, sentence by sentence. */
  speaks?: boolean;
  /** The person may continue speaking: nothing is done or kept before `confirm`. */
  isTentative?: boolean;
  /** The tag of the question's language. */
  language?: string | undefined;
  /** The settings revision. Default: the latest. */
  revision?: number;
  /** Whether it needs the assistant's name. Default: it is always answered. */
  nameRule?: NameRule | undefined;
  /** The assistant's names for this turn. Default: the names of the household. */
  calledBy?: readonly string[] | undefined;
  /** Format of the data that a client wants instead of sentences. */
  answerFormat?: AnswerFormat | undefined;
  /** Only the language model answers, and nothing is done. */
  modelOnly?: ModelOnly | undefined;
  /** Pictures shown with a written question. */
  pictures?: ShownPictures | undefined;
  /** Earlier exchanges, oldest first, if no conversation keeps them. */
  history?: readonly Exchange[];
  /** Key of the idempotency record of its request, if repeated requests must get the same answer. */
  recordKey?: string;
  /** A health check, which does not count as a turn of a person. */
  isCheck?: boolean;
}

/** A running question. */
export interface PendingTurn {
  /** The complete reply with its timings. Rejects with an AppError. */
  reply: Promise<Reply>;
  /** Resolves when every sentence was passed to `onSpeech`. Rejects with an AppError. */
  spoken: Promise<Timings>;
  /**
   * Cancels the turn in all processes. `reply` and `spoken` reject with `turn_cancelled`. The conversation
   * keeps `playedText`, the played part of the reply. Undefined: it keeps nothing.
   */
  cancel(playedText?: string): void;
  /** Confirms a tentative turn. */
  confirm(): Promise<void>;
  /** Reports that playback of a tentative turn's answer is over. */
  played(played: Played): void;
}

interface TurnCircumstances extends Pick<Turn, 'replyTo' | 'revision'> {
  turnDeadlineMs: number;
  clock: HouseholdClock;
}

/** Builds the first record of a turn. */
export function newTurn(request: NewTurn, circumstances: TurnCircumstances) {
  const { replyTo, turnDeadlineMs, revision, clock } = circumstances;
  const { id, source, conversation, room, question, onWords, speaks = false, isTentative = false } = request;
  const turn: Turn = {
    id,
    source,
    text: 'text' in question ? question.text : null,
    isSure: true,
    conversation,
    room,
    createdAt: Math.round(clock.now()),
    deadlineAt: Math.round(clock.steady() + turnDeadlineMs),
    replyTo,
    streams: onWords !== undefined,
    speaks,
    isTentative,
    revision,
    ...(request.language !== undefined && { language: request.language }),
    ...(request.nameRule && { nameRule: request.nameRule }),
    ...(request.calledBy && { calledBy: request.calledBy }),
    ...(request.answerFormat && { answerFormat: request.answerFormat }),
    ...(request.modelOnly && { modelOnly: request.modelOnly }),
    ...(request.pictures && { pictures: request.pictures.when }),
    ...(request.history?.length && { history: request.history }),
  };
  return turn;
}
