import { type AppError, toAppError } from '../../errors.ts';
import type { Speech } from '../../turn/playout.ts';
import type { Reply } from '../../turn/turn.ts';
import type {
  NewTurn,
  PendingTurn,
  Played,
  RecordingTranscript,
  TurnClient,
} from '../../turn-client/turn-client.ts';

/** Receives the answer of a speculative turn once it may be played. */
export interface AnswerSink {
  speak(speech: Speech): void;
  complete(reply: Reply): void;
  fail(error: AppError): void;
}

interface SpeculativeTurnOptions {
  turnClient: Pick<TurnClient, 'startTurn'>;
  newTurn: Pick<
    NewTurn,
    | 'id'
    | 'question'
    | 'conversation'
    | 'room'
    | 'language'
    | 'revision'
    | 'nameRule'
    | 'calledBy'
    | 'pictures'
  >;
  /** Called once with the transcript or the failure, unless the speculation is dropped first. */
  onTranscript: (transcript: RecordingTranscript) => void;
  onFailure: (error: AppError) => void;
}

export type SpeculativeTurn = ReturnType<typeof startSpeculativeTurn>;

/**
 * Starts work on an answer while the person may still continue. Nothing is played before `handTo`, and no
 * action runs before `confirm`. After `drop` it reports nothing, however late the turn client answers.
 */
export function startSpeculativeTurn({
  turnClient,
  newTurn,
  onTranscript,
  onFailure,
}: SpeculativeTurnOptions) {
  const waiting: ((sink: AnswerSink) => void)[] = [];
  let sink: AnswerSink | null = null;
  let turn: PendingTurn | null = null;
  let isDropped = false;
  let isConfirmed = false;
  let playedUntilDrop: string | undefined;

  const tell = (news: (sink: AnswerSink) => void) => {
    if (isDropped) return;
    if (sink) news(sink);
    else waiting.push(news);
  };
  const fail = (thrown: unknown) => {
    if (isDropped) return;
    const error = toAppError(thrown);
    onFailure(error);
    tell((each) => each.fail(error));
  };

  const begun = async (started: PendingTurn): Promise<void> => {
    turn = started;
    if (isDropped) return started.cancel(playedUntilDrop);
    if (isConfirmed) started.confirm().catch(fail);
    const [reply, timings] = await Promise.all([started.reply, started.spoken]);
    tell((each) => each.complete({ ...reply, timings }));
  };

  turnClient
    .startTurn({
      ...newTurn,
      source: 'listen',
      speaks: true,
      isTentative: true,
      onTranscript: (transcript) => {
        if (!isDropped) onTranscript(transcript);
      },
      onSpeech: (speech) => tell((each) => each.speak(speech)),
    })
    .then(begun)
    .catch(fail);

  return {
    id: newTurn.id,
    /** The end is certain, and this utterance is to be answered. */
    confirm(): void {
      if (isConfirmed || isDropped) return;
      isConfirmed = true;
      turn?.confirm().catch(fail);
    },
    /** Hands over the answer: what exists now, and the rest as it arrives. */
    handTo(next: AnswerSink): void {
      sink = next;
      for (const news of waiting.splice(0)) {
        if (!isDropped) news(next);
      }
    },
    /** Reports that playback of the answer is over. */
    played: (played: Played) => turn?.played(played),
    /**
     * Cancels the turn. The conversation keeps the played part of the reply. Undefined: it keeps nothing of
     * the turn.
     */
    drop(playedText?: string): void {
      if (isDropped && playedText === playedUntilDrop) return;
      isDropped = true;
      waiting.length = 0;
      playedUntilDrop = playedText;
      turn?.cancel(playedText);
    },
  };
}
