import type { Redis, Result } from 'ioredis';
import type { AppError } from '../errors.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { conversationKeys, conversationLimits, conversationsKey } from './conversation-store.ts';
import {
  type Exchange,
  type Reply,
  replySchema,
  statesBefore,
  type Turn,
  type TurnState,
  waitingStates,
} from './turn.ts';
import { confirmChannel, eventsChannel, type TurnEvent } from './turn-events.ts';
import { recordOf, turnOf } from './turn-record.ts';
import {
  admitScript,
  confirmScript,
  cutScript,
  finishScript,
  moveScript,
  spokenScript,
} from './turn-scripts.ts';

type Args = (string | number)[];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitTurn(...args: Args): Result<number, Context>;
    moveTurn(...args: Args): Result<number, Context>;
    finishTurn(...args: Args): Result<number, Context>;
    confirmTurn(...args: Args): Result<number, Context>;
    cutTurn(...args: Args): Result<number, Context>;
    tellSpoken(...args: Args): Result<number, Context>;
  }
}

/**
 * Turns whose answer nobody has begun to write, each until its deadline. Counting the queue's own jobs instead would let through whoever
 * asks in the moment between another's admission and its job.
 */
const waitingTurns = keys.waitingTurns.of();

interface FinishOptions {
  reply: Reply;
  /** What the conversation keeps of the turn; null when it keeps nothing. */
  exchange: Exchange | null;
  /** Number of the first exchange that the prompt held: what came before is left out from now on. */
  promptFrom: number;
}

/** A question as its conversation would keep it. */
export interface KeptQuestion {
  message: string;
  wordsFrom: number;
  promptFrom: number;
}

export type Stage = Extract<TurnEvent, { type: 'started' }>['stage'];

const stateOf = { transcribe: 'transcribing', respond: 'responding', think: 'thinking' } as const;

export type TurnStore = ReturnType<typeof createTurnStore>;

interface TurnStoreOptions {
  redis: Redis;
  /** How much of its conversation a turn leaves behind. */
  keeps?: (turn: Turn) => Promise<typeof conversationLimits>;
}

/** The records of turns in Redis. */
export function createTurnStore({ redis, keeps = async () => conversationLimits }: TurnStoreOptions) {
  redis.defineCommand('admitTurn', { numberOfKeys: 2, lua: admitScript });
  redis.defineCommand('moveTurn', { numberOfKeys: 2, lua: moveScript });
  redis.defineCommand('finishTurn', { numberOfKeys: 5, lua: finishScript });
  redis.defineCommand('confirmTurn', { numberOfKeys: 4, lua: confirmScript });
  redis.defineCommand('cutTurn', { numberOfKeys: 5, lua: cutScript });
  redis.defineCommand('tellSpoken', { numberOfKeys: 1, lua: spokenScript });

  const run = async (script: () => Promise<number>): Promise<boolean> => (await onRedis(redis, script)) === 1;
  const keptOf = async (turn: Turn): Promise<[number, number]> => {
    const { turns, days } = await keeps(turn);
    return [turns, days * 24 * 3600];
  };
  const move = (turn: Turn, to: TurnState, event?: TurnEvent, fields: Args = []): Promise<boolean> => {
    const from = statesBefore(to);
    const [channel, message] = [eventsChannel(turn.replyTo), event ? JSON.stringify(event) : ''];
    const waits = String(waitingStates.includes(to));
    const args = [turn.id, to, channel, message, waits, from.length, ...from, ...fields];
    return run(() => redis.moveTurn(turnKey(turn.id), waitingTurns, ...args));
  };

  return {
    /** Writes the record of a new turn, unless too many wait already: then false. */
    admit(turn: Turn, mostWaiting: number): Promise<boolean> {
      const args = [mostWaiting, Date.now(), turn.deadlineAt, turn.id, keys.turn.lastsS, ...recordOf(turn)];
      return run(() => redis.admitTurn(turnKey(turn.id), waitingTurns, ...args));
    },

    read: async (id: string): Promise<Turn | undefined> =>
      turnOf(await onRedis(redis, () => redis.hgetall(turnKey(id)))),

    /** Tells whoever waits for a turn some more words of its reply. */
    async tellDelta(turn: Turn, delta: { seq: number; text: string; via: string }): Promise<void> {
      const event: TurnEvent = { type: 'delta', turnId: turn.id, ...delta };
      await onRedis(redis, () => redis.publish(eventsChannel(turn.replyTo), JSON.stringify(event)));
    },

    /** Tells that a turn waits for its next stage: whoever has it in hand now may go. */
    async tellWaits({ id, replyTo }: Turn): Promise<void> {
      const event: TurnEvent = { type: 'waits', turnId: id };
      await onRedis(redis, () => redis.publish(eventsChannel(replyTo), JSON.stringify(event)));
    },

    /** The reply of a turn that is done, for a reader who missed the news of it. */
    async readReply(id: string): Promise<Reply | undefined> {
      const reply = await onRedis(redis, () => redis.hget(turnKey(id), 'reply'));
      return reply ? replySchema.parse(JSON.parse(reply)) : undefined;
    },

    /** Takes up a stage of a turn. False: the turn is over already, for example cancelled. */
    begin: (turn: Turn, stage: Stage, workerId: string) =>
      move(turn, stateOf[stage], { type: 'started', turnId: turn.id, stage, workerId }),

    /** Writes down what was said in a recording. */
    hear(turn: Turn, transcript: { text: string; isSure: boolean; sttMs: number }): Promise<boolean> {
      const { text, isSure } = transcript;
      const event: TurnEvent = { type: 'heard', turnId: turn.id, ...transcript };
      return move(turn, 'transcribed', event, ['text', text, 'isSure', String(isSure)]);
    },

    /** Notes what a conversation would keep of the question, for a reply that is cut short. */
    async noteQuestion(turn: Turn, question: KeptQuestion): Promise<void> {
      await onRedis(redis, () => redis.hset(turnKey(turn.id), { ...question }));
    },

    fail: (turn: Turn, { code, message, retryAfterS }: AppError) =>
      move(turn, 'failed', {
        type: 'failed',
        turnId: turn.id,
        error: { code, message, ...(retryAfterS !== undefined && { retryAfterS }) },
      }),

    cancel: (turn: Turn) => move(turn, 'cancelled'),

    /** Ends a turn whose reply was talked over: of it the conversation keeps only what was heard. */
    async cut(turn: Turn, playedText: string): Promise<boolean> {
      const args = [turn.id, turn.conversation === null ? '' : playedText, ...(await keptOf(turn))];
      return run(() =>
        redis.cutTurn(turnKey(turn.id), ...keysOf(turn), waitingTurns, conversationsKey, ...args),
      );
    },

    /** A tentative turn has become certain: what it said is kept, and what it wants to do may be done. False: it is over. */
    async confirm(turn: Turn): Promise<boolean> {
      const args = [confirmChannel, turn.id, ...(await keptOf(turn))];
      return run(() => redis.confirmTurn(turnKey(turn.id), ...keysOf(turn), conversationsKey, ...args));
    },

    async isCertain(id: string): Promise<boolean> {
      return (await onRedis(redis, () => redis.hget(turnKey(id), 'isTentative'))) === 'false';
    },

    /** The words of a turn's reply are complete. False: it was cancelled meanwhile, and nothing is kept. */
    async finish(turn: Turn, { reply, exchange, promptFrom }: FinishOptions): Promise<boolean> {
      const done: TurnEvent = { type: 'done', turnId: turn.id, reply };
      const args = [
        eventsChannel(turn.replyTo),
        JSON.stringify(done),
        JSON.stringify(reply),
        reply.sentences,
        turn.conversation !== null && exchange
          ? JSON.stringify({ ...exchange, turn: turn.id, at: turn.createdAt })
          : '',
        promptFrom,
        ...(await keptOf(turn)),
        turn.id,
        ...statesBefore('held'),
      ];
      return run(() =>
        redis.finishTurn(turnKey(turn.id), ...keysOf(turn), waitingTurns, conversationsKey, ...args),
      );
    },

    /** A sentence of a turn, or of nothing but itself, has been spoken, or could not be. */
    tellSpoken: (replyTo: string, event: Extract<TurnEvent, { type: 'speech' }>) =>
      run(() =>
        redis.tellSpoken(turnKey(event.turnId), eventsChannel(replyTo), JSON.stringify(event), event.seq),
      ),

    /** What was said so far by someone who still speaks. */
    async tellPartial(
      replyTo: string,
      id: string,
      transcript: { text: string; isSure: boolean },
    ): Promise<void> {
      const event: TurnEvent = { type: 'heard', turnId: id, ...transcript, sttMs: 0 };
      await onRedis(redis, () => redis.publish(eventsChannel(replyTo), JSON.stringify(event)));
    },

    /** Tells how a probe beside the turns ended. */
    async tellProbe(replyTo: string, event: Extract<TurnEvent, { type: 'probe' | 'failed' }>): Promise<void> {
      await onRedis(redis, () => redis.publish(eventsChannel(replyTo), JSON.stringify(event)));
    },

    /** Whether nobody wants to hear a turn's sentences any more. */
    async isSilenced(id: string): Promise<boolean> {
      const state = await onRedis(redis, () => redis.hget(turnKey(id), 'state'));
      return state === 'failed' || state === 'cancelled';
    },

    /** Keeps a sentence until it is spoken. */
    async saveSentence(id: string, text: string): Promise<void> {
      await onRedis(redis, () => redis.set(sentenceKey(id), text, 'EX', keys.sentence.lastsS));
    },
    readSentence: (id: string): Promise<string | null> => onRedis(redis, () => redis.get(sentenceKey(id))),
  };
}

function keysOf({ conversation }: Turn): [string, string] {
  const { exchanges, meta } = conversationKeys(conversation ?? '');
  return [exchanges, meta];
}

function turnKey(id: string): string {
  return keys.turn.of(id);
}

function sentenceKey(id: string): string {
  return keys.sentence.of(id);
}
