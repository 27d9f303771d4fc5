import type { ConversationStore, History } from '../conversations/conversation-store.ts';
import type { Exchange, Understanding } from '../conversations/exchange.ts';
import { AppError } from '../errors.ts';
import {
  type Answer,
  type Ask,
  firstAnswer,
  type Responder,
  type TextTurn,
} from '../respond/core/responder.ts';
import { exchangesBeyondLimit } from '../respond/model/history.ts';
import type { ContextLine } from '../respond/model/prompt.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { SentenceSplitter } from '../speech-text/sentence-splitter.ts';
import type { Turn } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import type { NextStages } from './next-stages.ts';
import { createSentenceVoice, createWordPublisher } from './reply-stream.ts';

interface AnswerTurnOptions {
  turns: TurnStore;
  conversations: ConversationStore;
  next: NextStages;
  /** The settings in effect when the turn began. */
  settingsOf: (turn: Pick<Turn, 'revision'>) => Promise<Pipeline>;
  /** Resolves a yes to "Did you say ...?" into the words that the question was about. */
  meant: (turn: TextTurn, exchanges: readonly Exchange[]) => Promise<TextTurn>;
  /** The rule that understood the words, and the names that it found in them. */
  explain: (words: string, via: string) => Promise<Pick<Understanding, 'rule' | 'names'>>;
  /** Opens a splitter that cuts one reply into pieces to speak. */
  openSplitter: () => SentenceSplitter;
  /** Rewrites a piece of a reply for a voice. '': there is nothing to say. */
  speakable: (piece: string) => string;
  contextLine: ContextLine;
}

/** Signals from outside for a running stage. */
export interface StageSignals {
  /** Fires when the turn is cancelled or its deadline has passed. */
  signal: AbortSignal;
  /** Resolves when the turn is confirmed. Rejects with the signal. */
  untilConfirmed: Ask['untilConfirmed'];
  /** Also records that the turn may have acted. */
  beginActing: Ask['beginActing'];
  /** The earlier conversation, if it was read together with the turn. */
  history?: Promise<History> | undefined;
}

export type OpenTurn = ReturnType<typeof createOpenTurn>;

/** Reads the earlier conversation once, and returns a function that lets responders answer the turn. */
export function createOpenTurn(options: AnswerTurnOptions) {
  const { turns, conversations, next, settingsOf, meant, explain, openSplitter, speakable, contextLine } =
    options;

  const historyOf = async ({ conversation, history = [] }: Turn): Promise<History> =>
    conversation === null ? { exchanges: [...history], from: 0 } : await conversations.read(conversation);

  const exchangeOf = async (
    answer: Answer & { via: string },
    { turn, asked: textTurn, line }: { turn: Turn; asked: TextTurn; line: string },
  ): Promise<Exchange> => {
    const { via, isOurs, heard: words = textTurn.text, kept = { assistant: answer.text } } = answer;
    const { readAs = words } = answer;
    return {
      user: `${line}${words}`,
      wordsFrom: line.length,
      ...kept,
      ...(isOurs && { isOurs }),
      understood: { via, ...(await explain(readAs, via)), ...transcriptOf(turn, words) },
    };
  };

  return async (turn: Turn, { history: reading, ...signals }: StageSignals) => {
    const history = await (reading ?? historyOf(turn));
    const textTurn = await meant({ ...turn, text: turn.text ?? '' }, history.exchanges);
    const line = `${contextLine(turn)} `;
    const wordsFrom = line.length;
    const message = `${line}${textTurn.text}`;
    // Only a live reply can be interrupted. The conversation then needs this question.
    const noted =
      turn.source === 'listen'
        ? turns.noteQuestion(turn, { message, wordsFrom, promptFrom: history.from })
        : Promise.resolve();
    noted.catch(() => undefined); // reported before the end
    let isNotedOurs = false;
    /** Runs before any of Hearth's own words is spoken. An interrupted reply is stored without its answer. */
    const noteOurs = () => {
      if (isNotedOurs || turn.source !== 'listen') return;
      isNotedOurs = true;
      turns.noteOurs(turn).catch(() => undefined); // the reply itself fails with Redis
    };
    const settings = await settingsOf(turn);

    const publishWords = turn.streams ? createWordPublisher(turns, turn) : null;
    const voice = turn.speaks
      ? createSentenceVoice({ next, turn, splitter: openSplitter(), speakable })
      : null;
    const { exchanges } = history;
    const question = { turn: textTurn, message, settings, exchanges, ...signals };

    /**
     * Publishes words as they arrive, and queues complete sentences for the voice. Saves the complete reply
     * in one step. False: no responder accepts the turn.
     */
    return async (responders: readonly Responder[]): Promise<boolean> => {
      const answer = await firstAnswer(responders, question, (words, { via, isOurs }) => {
        if (isOurs) noteOurs();
        publishWords?.(words, via);
        voice?.say(words);
      });
      if (!answer) return false;

      if (answer.isOurs) noteOurs();
      const said = await voice?.end(answer.text);
      await noted;
      const isKept = await turns.finish(turn, {
        reply: replyOf(turn, answer, said),
        exchange: answer.isUnkept ? null : await exchangeOf(answer, { turn, asked: textTurn, line }),
        promptFrom: history.from + Math.max(answer.dropped, exchangesBeyondLimit(exchanges.length)),
      });
      if (!isKept) throw new AppError('turn_cancelled');
      return true;
    };
  };
}

const maxAlternatives = 5;

/** The transcript and its alternatives, as far as they differ from the answered words. */
function transcriptOf({ text, room, isSure, alternatives = [] }: Turn, words: string) {
  const others = [...new Set(alternatives.map((each) => each.text))].filter(
    (each) => each !== '' && each !== text,
  );
  return {
    ...(room !== null && { room }),
    ...(text !== null && text !== words && { heard: text }),
    ...(!isSure && { isSure }),
    ...(others.length > 0 && { alternatives: others.slice(0, maxAlternatives) }),
  };
}

function replyOf(turn: Turn, answer: Answer & { via: string }, said: readonly string[] | undefined) {
  const { text, via, finish, usage, timings, steps, ranOn } = answer;
  return {
    text: said ? said.join(' ') : text,
    heard: turn.source === 'voice' || turn.source === 'listen' ? (answer.heard ?? turn.text) : null,
    via,
    finish,
    usage,
    timings,
    ...(steps && { steps }),
    ...(ranOn && { ranOn }),
    sentences: said?.length ?? 0,
  };
}
