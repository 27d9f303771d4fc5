import type { Pcm } from '../audio/pcm.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import type { ShownPictures } from '../turn/shown-pictures.ts';
import type { AnswerFormat, Exchange, ModelOnly, NameRule, Reply, Timings, Turn } from '../turn/turn.ts';
import type { Listeners } from './follow-turn.ts';
import type { Played } from './turn-notes.ts';

/** A question for the chain. */
export interface NewTurn extends Pick<Turn, 'id' | 'source' | 'conversation' | 'room'>, Listeners {
  /** Words, or a recording at 16 kHz that is transcribed first. */
  question: { text: string } | { sound: Pcm };
  /** The reply is spoken, sentence by sentence. */
  speaks?: boolean;
  /** The person may go on speaking: nothing is done and nothing kept before `confirm`. */
  isTentative?: boolean;
  /** The revision of the settings; left out: the newest. */
  revision?: number;
  /** Whether it needs the assistant's name; left out: it is answered as it stands. */
  nameRule?: NameRule | undefined;
  /** What the assistant is called by; left out: the names of the household. */
  calledBy?: readonly string[] | undefined;
  /** Data that a program wants instead of sentences. */
  answerFormat?: AnswerFormat | undefined;
  /** Nothing is to be done: only the language model answers. */
  modelOnly?: ModelOnly | undefined;
  /** What is shown with a question in words. */
  pictures?: ShownPictures | undefined;
  /** What was said before, oldest first, where no conversation keeps it. */
  history?: readonly Exchange[];
  /** The claim to its request, if a repeated one is to get the same answer. */
  claim?: string;
  /** It only checks that everything works, and does not count among the turns of people. */
  isCheck?: boolean;
}

/** A question in hand. */
export interface PendingTurn {
  /** The words of the reply, once they are whole, with their times. Rejects with an AppError. */
  reply: Promise<Reply>;
  /** Resolves when every sentence has been handed to `onSpeech`. Rejects with an AppError. */
  spoken: Promise<Timings>;
  /**
   * Nobody wants the answer any more: ends the work everywhere. `reply` and `spoken` reject with `turn_cancelled`. The conversation keeps
   * `playedText`, the part of the reply that was heard; undefined: nothing.
   */
  cancel(playedText?: string): void;
  /** A tentative turn has become certain. */
  confirm(): Promise<void>;
  /** The answer of a tentative turn has been heard, as far as there was anything to hear. */
  played(played: Played): void;
}

interface TurnCircumstances extends Pick<Turn, 'replyTo' | 'revision'> {
  turnDeadlineMs: number;
  clock: HouseholdClock;
}

/** The first record of a turn. */
export function newTurn(asked: NewTurn, circumstances: TurnCircumstances) {
  const { replyTo, turnDeadlineMs, revision, clock } = circumstances;
  const { id, source, conversation, room, question, onWords, speaks = false, isTentative = false } = asked;
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
    ...(asked.nameRule && { nameRule: asked.nameRule }),
    ...(asked.calledBy && { calledBy: asked.calledBy }),
    ...(asked.answerFormat && { answerFormat: asked.answerFormat }),
    ...(asked.modelOnly && { modelOnly: asked.modelOnly }),
    ...(asked.pictures && { pictures: asked.pictures.when }),
    ...(asked.history?.length && { history: asked.history }),
  };
  return turn;
}
