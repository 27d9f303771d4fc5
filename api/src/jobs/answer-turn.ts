import { AppError } from '../errors.ts';
import type { ContextLine } from '../respond/llm/prompt.ts';
import { type Answer, type AskedTurn, firstAnswer, type Responder } from '../respond/responder.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { SentenceSplitter } from '../speech-text/sentence-splitter.ts';
import type { ConversationStore, History } from '../turn/conversation-store.ts';
import type { Exchange, Turn } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import type { NextStages } from './chain.ts';
import { createSentenceVoice, createWordTeller } from './reply-stream.ts';

interface AnswerTurnOptions {
  turns: TurnStore;
  conversations: ConversationStore;
  next: NextStages;
  /** The settings that a turn began under. */
  settingsOf: (turn: Pick<Turn, 'revision'>) => Promise<Pipeline>;
  /** The turn as the person means it: after a yes to "Did you say ...?", with the words that were asked about. */
  meant: (turn: AskedTurn, exchanges: readonly Exchange[]) => Promise<AskedTurn>;
  /** Cuts one reply into pieces to speak. */
  openSplitter: () => SentenceSplitter;
  /** A piece of a reply as a voice says it; '': there is nothing to say. */
  speakable: (piece: string) => string;
  contextLine: ContextLine;
}

/** News from outside for a running stage. */
export interface StageSignals {
  /** Fires when the turn is cancelled or its deadline has come. */
  signal: AbortSignal;
  /** Resolves when the turn is certain. Rejects with the signal. */
  certain: () => Promise<void>;
}

export type AnswerTurn = ReturnType<typeof createAnswerTurn>;

/**
 * Has responders answer a turn. They get the conversation before it; their words are told as they come, and sentences are sent to be spoken while
 * the rest is still being written. Once the reply is whole it is kept, in one step. False: none of them accepts.
 */
export function createAnswerTurn(options: AnswerTurnOptions) {
  const { turns, conversations, next, settingsOf, meant, openSplitter, speakable, contextLine } = options;

  const historyOf = async ({ conversation, history = [] }: Turn): Promise<History> =>
    conversation === null ? { exchanges: [...history], from: 0 } : await conversations.read(conversation);

  return async (turn: Turn, responders: readonly Responder[], signals: StageSignals): Promise<boolean> => {
    const history = await historyOf(turn);
    const asked = await meant({ ...turn, text: turn.text ?? '' }, history.exchanges);
    const line = `${contextLine(turn)} `;
    const wordsFrom = line.length;
    const message = `${line}${asked.text}`;
    // Only a live reply can be talked over. The conversation then keeps this question.
    if (turn.source === 'listen')
      await turns.noteQuestion(turn, { message, wordsFrom, promptFrom: history.from });

    const tell = turn.streams ? createWordTeller(turns, turn) : null;
    const voice = turn.speaks
      ? createSentenceVoice({ next, turn, splitter: openSplitter(), speakable })
      : null;
    const { exchanges } = history;
    const question = { turn: asked, message, settings: await settingsOf(turn), exchanges, ...signals };
    const answer = await firstAnswer(responders, question, (words, via) => {
      tell?.(words, via);
      voice?.say(words);
    });
    if (!answer) return false;

    const said = await voice?.end(answer.text);
    const isKept = await turns.finish(turn, {
      reply: replyOf(turn, answer, said),
      exchange: answer.isUnkept
        ? null
        : {
            user: `${line}${answer.heard ?? asked.text}`,
            wordsFrom,
            ...(answer.kept ?? { assistant: answer.text }),
          },
      promptFrom: history.from + answer.dropped,
    });
    if (!isKept) throw new AppError('turn_cancelled');
    return true;
  };
}

function replyOf(turn: Turn, answer: Answer & { via: string }, said: readonly string[] | undefined) {
  const { text, via, finish, usage, timings, steps } = answer;
  return {
    text: said ? said.join(' ') : text,
    heard: turn.source === 'voice' || turn.source === 'listen' ? (answer.heard ?? turn.text) : null,
    via,
    finish,
    usage,
    timings,
    ...(steps && { steps }),
    sentences: said?.length ?? 0,
  };
}
