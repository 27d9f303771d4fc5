import { type AppError, toAppError } from '../errors.ts';
import type { Chain, NewTurn, PendingTurn, Played } from '../jobs/chain.ts';
import type { Speech } from '../turn/playout.ts';
import type { Reply } from '../turn/turn.ts';

/** Who takes the answer of a speculation, from the moment at which it may be heard. */
export interface Taker {
  speak(speech: Speech): void;
  complete(reply: Reply): void;
  fail(error: AppError): void;
}

interface SpeculativeTurnOptions {
  chain: Pick<Chain, 'startTurn'>;
  asked: Pick<NewTurn, 'id' | 'question' | 'conversation' | 'room' | 'revision'>;
  /** What was said; or why nobody can tell. Once, unless the speculation is dropped before. */
  onTranscript: (transcript: string) => void;
  onFailure: (error: AppError) => void;
}

export type SpeculativeTurn = ReturnType<typeof startSpeculativeTurn>;

/**
 * An answer that is being made while the person may still go on speaking. Nothing of it gets out before `handTo`, and nothing of it is
 * done or kept before `confirm`. However late the chain answers, a speculation that was dropped says nothing any more.
 */
export function startSpeculativeTurn({ chain, asked, onTranscript, onFailure }: SpeculativeTurnOptions) {
  const waiting: ((taker: Taker) => void)[] = [];
  let taker: Taker | null = null;
  let turn: PendingTurn | null = null;
  let isDropped = false;
  let isConfirmed = false;
  let playedUntilDrop: string | undefined;

  const tell = (news: (taker: Taker) => void) => {
    if (isDropped) return;
    if (taker) news(taker);
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

  chain
    .startTurn({
      ...asked,
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
    id: asked.id,
    /** The end is certain, and this is what is to be answered. */
    confirm(): void {
      if (isConfirmed || isDropped) return;
      isConfirmed = true;
      turn?.confirm().catch(fail);
    },
    /** What there is of the answer and what comes of it goes to the taker. */
    handTo(next: Taker): void {
      taker = next;
      for (const news of waiting.splice(0)) {
        if (!isDropped) news(next);
      }
    },
    /** The answer has been heard, or as much of it as there was. */
    played: (played: Played) => turn?.played(played),
    /** Ends the work everywhere. The conversation keeps what was heard of the reply; undefined: as if nothing had been asked. */
    drop(playedText?: string): void {
      if (isDropped && playedText === playedUntilDrop) return;
      isDropped = true;
      waiting.length = 0;
      playedUntilDrop = playedText;
      turn?.cancel(playedText);
    },
  };
}
