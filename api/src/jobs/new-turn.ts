import type { Pcm } from '../audio/pcm.ts';
import type { Reply, Timings, Turn } from '../turn/turn.ts';
import type { Listeners } from './follow-turn.ts';
import type { Played } from './turn-notes.ts';

/** A question as it is handed to the chain. */
export interface NewTurn extends Pick<Turn, 'id' | 'source' | 'conversation' | 'room'>, Listeners {
  /** Words, or a recording at 16 kHz that is transcribed first. */
  question: { text: string } | { sound: Pcm };
  /** The reply is spoken, sentence by sentence. */
  speaks?: boolean;
  /** The person may go on speaking: nothing is done and nothing kept before `confirm`. */
  isTentative?: boolean;
  /** Of the settings; the newest where it is left out. */
  revision?: number;
  /** It only shows whether everything works: it is not counted among the turns of people. */
  isCheck?: boolean;
}

/** A question in hand. */
export interface PendingTurn {
  /** The whole words, and until when they took. Rejects with an AppError. */
  reply: Promise<Reply>;
  /** Resolves when every sentence has been handed to `onSpeech`. Rejects with an AppError. */
  spoken: Promise<Timings>;
  /**
   * Ends the work everywhere: nobody wants the answer any more. `reply` and `spoken` reject with `turn_cancelled`. With what was heard of the
   * reply until then, the conversation keeps that.
   */
  cancel(playedText?: string): void;
  /** A tentative turn has become certain. */
  confirm(): Promise<void>;
  /** The answer of a tentative turn has been heard, or as much of it as there was. */
  played(played: Played): void;
}

interface TurnCircumstances extends Pick<Turn, 'replyTo' | 'revision'> {
  turnDeadlineMs: number;
}

/** The record that it begins with. */
export function newTurn(asked: NewTurn, { replyTo, turnDeadlineMs, revision }: TurnCircumstances) {
  const { id, source, conversation, room, question, onWords, speaks = false, isTentative = false } = asked;
  const createdAt = Date.now();
  const turn: Turn = {
    id,
    source,
    text: 'text' in question ? question.text : null,
    isSure: true,
    conversation,
    room,
    createdAt,
    deadlineAt: createdAt + turnDeadlineMs,
    replyTo,
    streams: onWords !== undefined,
    speaks,
    isTentative,
    revision,
  };
  return turn;
}
