import { AppError } from '../errors.ts';
import type { SentenceSplitter } from '../speech-text/sentence-splitter.ts';
import type { Turn } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import type { NextStages } from './next-stages.ts';

interface SentenceVoiceOptions {
  next: Pick<NextStages, 'speak'>;
  turn: Turn;
  /** Splits this reply. */
  splitter: SentenceSplitter;
  /** Rewrites a piece of a reply for a voice. '': there is nothing to say. */
  speakable: (piece: string) => string;
}

/** Splits words into sentences as they come, and queues each to be spoken. */
export function createSentenceVoice({ next, turn, splitter, speakable }: SentenceVoiceOptions) {
  const said: string[] = [];
  let streamed = '';
  let adding: Promise<void> = Promise.resolve();

  const speak = (pieces: readonly string[]) => {
    for (const piece of pieces) {
      const text = speakable(piece);
      if (text === '') continue;
      const seq = said.push(text) - 1;
      adding = adding.then(() => next.speak(turn, seq, text));
      adding.catch(() => undefined); // `end` reports it
    }
  };

  return {
    say(words: string): void {
      streamed += words;
      speak(splitter.push(words));
    },
    /**
     * Call with the complete answer. Returns its spoken sentences. Throws AppError if there is nothing to
     * say.
     */
    async end(whole: string): Promise<readonly string[]> {
      // An answer that was not streamed, such as a skill's, arrives only here.
      speak(splitter.push(whole.startsWith(streamed) ? whole.slice(streamed.length) : ''));
      speak(splitter.end());
      await adding;
      if (said.length === 0) throw new AppError('llm_bad_answer', 'There is nothing to say in the answer.');
      return said;
    },
  };
}

/**
 * Publishes words as they come. Sends the first at once, and batches the words that arrive during a send. So
 * a fast engine never fills a queue. Words may be lost, because the end of the turn brings the whole reply.
 */
export function createWordPublisher(turns: TurnStore, turn: Turn): (words: string, via: string) => void {
  let seq = 0;
  let waiting = '';
  let isSending = false;

  const send = async (via: string) => {
    isSending = true;
    while (waiting !== '') {
      const text = waiting;
      waiting = '';
      await turns.publishDelta(turn, { seq, text, via }).catch(() => undefined);
      seq += 1;
    }
    isSending = false;
  };

  return (words, via) => {
    waiting += words;
    if (!isSending) void send(via);
  };
}
