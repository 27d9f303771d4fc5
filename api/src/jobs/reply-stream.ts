import { AppError } from '../errors.ts';
import type { SentenceSplitter } from '../speech-text/sentence-splitter.ts';
import type { Turn } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import type { NextStages } from './chain.ts';

interface SentenceVoiceOptions {
  next: Pick<NextStages, 'speak'>;
  turn: Turn;
  /** Cuts one reply. */
  splitter: SentenceSplitter;
  /** A piece of a reply as a voice says it; '': there is nothing to say. */
  speakable: (piece: string) => string;
}

/** Cuts words into sentences as they come and has each spoken. */
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
      adding.catch(() => undefined); // told by `end`
    }
  };

  return {
    say(words: string): void {
      streamed += words;
      speak(splitter.push(words));
    },
    /** The whole answer is known. Returns its sentences as they are spoken. Throws AppError if there is nothing to say. */
    async end(whole: string): Promise<readonly string[]> {
      // An answer that was never streamed, like that of a skill, comes at the end.
      speak(splitter.push(whole.startsWith(streamed) ? whole.slice(streamed.length) : ''));
      speak(splitter.end());
      await adding;
      if (said.length === 0) throw new AppError('llm_bad_answer', 'There is nothing to say in the answer.');
      return said;
    },
  };
}

/**
 * Passes words on as they come: the first at once, and all that come while these are on their way to Redis together after them. So a fast engine
 * never fills a queue. Words may be lost: the end of the turn brings the whole reply.
 */
export function createWordTeller(turns: TurnStore, turn: Turn): (words: string, via: string) => void {
  let seq = 0;
  let waiting = '';
  let isSending = false;

  const send = async (via: string) => {
    isSending = true;
    while (waiting !== '') {
      const text = waiting;
      waiting = '';
      await turns.tellDelta(turn, { seq, text, via }).catch(() => undefined);
      seq += 1;
    }
    isSending = false;
  };

  return (words, via) => {
    waiting += words;
    if (!isSending) void send(via);
  };
}
