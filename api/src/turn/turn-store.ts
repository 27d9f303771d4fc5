import type { Redis, Result } from 'ioredis';
import { AppError } from '../errors.ts';
import { channelOn } from '../redis/channel.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { createUnsaved } from '../redis/unsaved.ts';
import type { ConversationBudget } from './conversation-budget.ts';
import { conversationKeys, conversationLimits, conversationsKey } from './conversation-store.ts';
import { createSentenceStore } from './sentence-store.ts';
import {
  type Exchange,
  type Heard,
  type Reply,
  replySchema,
  statesBefore,
  type Turn,
  type TurnState,
  waitsFor,
} from './turn.ts';
import { confirmChannel, eventsChannel, type TurnEvent } from './turn-events.ts';
import { createTurnNews } from './turn-news.ts';
import { fieldsOf, recordOf, turnOf } from './turn-record.ts';
import {
  actScript,
  admitScript,
  awaitModelScript,
  confirmScript,
  cutScript,
  finishScript,
  moveScript,
  spokenScript,
  takeScript,
} from './turn-scripts.ts';

type Args = (string | number)[];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitTurn(...args: Args): Result<number, Context>;
    turnActs(turn: string, id: string): Result<number, Context>;
    awaitModel(...args: Args): Result<number, Context>;
    moveTurn(...args: Args): Result<number, Context>;
    takeTurn(...args: Args): Result<[number, ...string[]], Context>;
    finishTurn(...args: Args): Result<number, Context>;
    confirmTurn(...args: Args): Result<number, Context>;
    cutTurn(...args: Args): Result<number, Context>;
    tellSpoken(...args: Args): Result<number, Context>;
  }
}

/**
 * Turns that wait for the first word of their answer, each until its deadline. The queue's own jobs are the wrong thing to count: a turn is
 * admitted a moment before it has one.
 */
const waitingTurns = keys.waitingTurns.of();
const waitingForStt = keys.turnsWaitingFor.of('stt');
const waitingForLlm = keys.turnsWaitingFor.of('llm');
/** In the order in which the scripts take them, as their keys from the second on. */
export const waitingPlaces = [waitingTurns, waitingForStt, waitingForLlm] as const;

const placeNumber = { place: 2, stt: 3 } as const;

interface FinishOptions {
  reply: Reply;
  /** The exchange that the conversation keeps; null: it keeps nothing. */
  exchange: Exchange | null;
  /** Number of the first exchange in the prompt. Earlier ones are left out from now on. */
  promptFrom: number;
}

/** A question as its conversation would keep it. */
export interface KeptQuestion {
  message: string;
  wordsFrom: number;
  promptFrom: number;
}

/** The words of a turn, and how long it took to find them. */
interface Transcribed extends Pick<Turn, 'alternatives'>, Heard {
  /** The assistant was called by its name, which is not among the words. */
  isNamed?: boolean | undefined;
  sttMs: number;
}

/** A turn that a worker has in hand. */
export interface TakenTurn {
  turn: Turn;
  isBegun: boolean;
}

export type Stage = Extract<TurnEvent, { type: 'started' }>['stage'];

const stateOf = { transcribe: 'transcribing', respond: 'responding', think: 'thinking' } as const;
/** The states of a turn whose stage is still to be done. */
const statesBeforeEndOf: Readonly<Record<Stage, readonly TurnState[]>> = {
  transcribe: [...statesBefore('transcribing'), 'transcribed'],
  respond: statesBefore('responding'),
  think: statesBefore('thinking'),
};

/** How many turns a conversation keeps, and for how long. */
type Keeps = (turn: Turn) => Promise<typeof conversationLimits>;

interface TurnStoreOptions {
  redis: Redis;
  keeps?: Keeps;
  clock?: HouseholdClock;
  /** Is told whenever a conversation has kept something. */
  budget?: Pick<ConversationBudget, 'tend'> | undefined;
}

export type TurnStore = ReturnType<typeof createTurnStore>;

/** Turns in Redis: their records, their news and the sentences of their replies. */
export function createTurnStore(options: TurnStoreOptions) {
  const { redis, keeps = async () => conversationLimits, clock = machineClock, budget } = options;
  const moves = Object.assign(createTurnMoves(redis, { keeps, budget }), createTurnLeave(redis, clock));
  return Object.assign(moves, createTurnReader(redis), createTurnNews(redis), createSentenceStore(redis));
}

/** True: the script has done it. */
async function run(redis: Redis, script: () => Promise<number>): Promise<boolean> {
  return (await onRedis(redis, script)) === 1;
}

type MoveOptions = Pick<TurnStoreOptions, 'budget'> & { keeps: Keeps };

/** The moves of turns. Each is one script, which also tells of it. */
function createTurnMoves(redis: Redis, { keeps, budget }: MoveOptions) {
  defineMoves(redis);
  const notSaved = createUnsaved(redis);

  const keeping = (turn: Turn, script: () => Promise<number>) =>
    keepingWithin(budget, turn, run(redis, script));
  const move = (
    turn: Pick<Turn, 'id'>,
    to: TurnState,
    event?: TurnEvent,
    fields: Args = [],
  ): Promise<boolean> =>
    run(redis, () =>
      redis.moveTurn(turnKey(turn.id), ...waitingPlaces, ...moveArgs(turn, { to, event }), ...fields),
    );

  return {
    /**
     * Takes up a stage of a turn, and reads it. Asked again, the same worker gets the same answer. Undefined: there is no such turn. Not begun: it
     * is over already, for example cancelled, or another worker has it in hand.
     */
    async take(id: string, stage: Stage, workerId: string): Promise<TakenTurn | undefined> {
      const event: TurnEvent = { type: 'started', turnId: id, stage, workerId };
      const args = moveArgs({ id }, { to: stateOf[stage], event });
      const [isMoved, ...record] = await onRedis(redis, () =>
        redis.takeTurn(turnKey(id), ...waitingPlaces, ...args, 'worker', workerId),
      );
      const turn = turnOf(fieldsOf(record));
      return turn && { turn, isBegun: isMoved === 1 };
    },

    /** Writes down the transcript of a recording. */
    hear(turn: Turn, transcript: Transcribed): Promise<boolean> {
      const { text, isSure, alternatives, isNamed, sttMs } = transcript;
      const event: TurnEvent = {
        type: 'heard',
        turnId: turn.id,
        text,
        isSure,
        sttMs,
        ...(isNamed && { isNamed }),
      };
      const others = alternatives ? ['alternatives', JSON.stringify(alternatives)] : [];
      return move(turn, 'transcribed', event, ['text', text, 'isSure', String(isSure), ...others]);
    },

    /** Notes the question as a conversation would keep it, in case the reply is cut short. */
    async noteQuestion(turn: Turn, question: KeptQuestion): Promise<void> {
      await notSaved.hset(turnKey(turn.id), ...Object.entries(question).flat());
    },

    fail: (turn: Pick<Turn, 'id'>, error: AppError) => move(turn, 'failed', failureOf(turn, error)),

    /** Fails a turn whose stage nobody does. False: the turn is over, or has come further. */
    failBefore(turn: Turn, stage: Stage, error: AppError): Promise<boolean> {
      const args = moveArgs(turn, {
        to: 'failed',
        event: failureOf(turn, error),
        from: statesBeforeEndOf[stage],
      });
      return run(redis, () => redis.moveTurn(turnKey(turn.id), ...waitingPlaces, ...args));
    },

    cancel: (turn: Turn) => move(turn, 'cancelled'),

    /** Ends a turn whose reply was talked over. The conversation keeps only the part that was heard. */
    async cut(turn: Turn, playedText: string): Promise<boolean> {
      const args = [turn.id, turn.conversation === null ? '' : playedText, ...limitArgs(await keeps(turn))];
      return keeping(turn, () =>
        redis.cutTurn(turnKey(turn.id), ...keysOf(turn), ...waitingPlaces, conversationsKey, ...args),
      );
    },

    /** A tentative turn has become certain: its exchange is kept, and its actions may be done. False: it is over. */
    async confirm(turn: Turn): Promise<boolean> {
      const args = [channelOn(redis, confirmChannel), turn.id, ...limitArgs(await keeps(turn))];
      return keeping(turn, () =>
        redis.confirmTurn(turnKey(turn.id), ...keysOf(turn), conversationsKey, ...args),
      );
    },

    /** The words of a turn's reply are complete. False: the turn was cancelled meanwhile, and nothing is kept. */
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
        ...limitArgs(await keeps(turn)),
        turn.id,
        ...statesBefore('held'),
      ];
      return keeping(turn, () =>
        redis.finishTurn(turnKey(turn.id), ...keysOf(turn), ...waitingPlaces, conversationsKey, ...args),
      );
    },

    /** A sentence, of a turn or by itself, was spoken, or no voice could speak it. */
    tellSpoken: (replyTo: string, event: Extract<TurnEvent, { type: 'speech' }>) =>
      run(redis, () =>
        redis.tellSpoken(turnKey(event.turnId), eventsChannel(replyTo), JSON.stringify(event), event.seq),
      ),
  };
}

/** What a turn needs leave for: to be there, to wait for the language model, to do something. */
function createTurnLeave(redis: Redis, clock: HouseholdClock) {
  return {
    /**
     * Writes the record of a new turn, unless too many wait already for the same as it: then false. `claim` is the claim to its request (see
     * `request-claims.ts`). Throws AppError if that belongs to another turn by now.
     */
    async admit(turn: Turn, maxWaiting: number, claim?: string): Promise<boolean> {
      const place = turn.text === null ? waitingForStt : waitingTurns;
      const names = [turnKey(turn.id), place, keys.openTurns.of(), ...(claim === undefined ? [] : [claim])];
      const args = [...placeArgs(turn, maxWaiting, clock.steady()), keys.turn.lastsS, ...recordOf(turn)];
      const outcome = await onRedis(redis, () => redis.admitTurn(names.length, ...names, ...args));
      if (outcome === 2) throw new AppError('turn_timeout');
      return outcome === 1;
    },

    /** Call it before the turn does anything. False: it must not, because nobody waits for it and another may do it. */
    mayAct: (id: string): Promise<boolean> => run(redis, () => redis.turnActs(turnKey(id), id)),

    /** The turn waits for the language model now, which is told: the worker that has it in hand may go. False: too many wait for that already. */
    awaitModel(turn: Turn, maxWaiting: number): Promise<boolean> {
      const event: TurnEvent = { type: 'waits', turnId: turn.id };
      const args = [
        ...placeArgs(turn, maxWaiting, clock.steady()),
        eventsChannel(turn.replyTo),
        JSON.stringify(event),
      ];
      return run(redis, () =>
        redis.awaitModel(turnKey(turn.id), waitingForLlm, waitingTurns, waitingForStt, ...args),
      );
    },
  };
}

/** A move after which the conversation may be longer than before. */
async function keepingWithin(
  budget: TurnStoreOptions['budget'],
  { conversation }: Turn,
  move: Promise<boolean>,
): Promise<boolean> {
  const isDone = await move;
  if (isDone && conversation !== null) await budget?.tend(conversation);
  return isDone;
}

function createTurnReader(redis: Redis) {
  return {
    read: async (id: string): Promise<Turn | undefined> =>
      turnOf(await onRedis(redis, () => redis.hgetall(turnKey(id)))),

    /** The reply of a turn that is done, for a reader who missed the news of it. */
    async readReply(id: string): Promise<Reply | undefined> {
      const reply = await onRedis(redis, () => redis.hget(turnKey(id), 'reply'));
      return reply ? replySchema.parse(JSON.parse(reply)) : undefined;
    },

    async isCertain(id: string): Promise<boolean> {
      return (await onRedis(redis, () => redis.hget(turnKey(id), 'isTentative'))) === 'false';
    },

    /** A silenced turn failed or was cancelled: its sentences are not wanted any more. */
    async isSilenced(id: string): Promise<boolean> {
      const state = await onRedis(redis, () => redis.hget(turnKey(id), 'state'));
      return state === 'failed' || state === 'cancelled';
    },
  };
}

function failureOf({ id }: Pick<Turn, 'id'>, { code, message, retryAfterS }: AppError): TurnEvent {
  const error = { code, message, ...(retryAfterS !== undefined && { retryAfterS }) };
  return { type: 'failed', turnId: id, error };
}

interface Move {
  to: TurnState;
  event: TurnEvent | undefined;
  from?: readonly TurnState[];
}

function moveArgs({ id }: Pick<Turn, 'id'>, { to, event, from = statesBefore(to) }: Move): Args {
  const message = event ? JSON.stringify(event) : '';
  const waits = waitsFor(to);
  const place = waits === null ? 0 : placeNumber[waits];
  return [id, to, message, place, from.length, ...from];
}

function placeArgs({ id, deadlineAt }: Turn, maxWaiting: number, now: number): Args {
  return [maxWaiting, now, deadlineAt, id];
}

function limitArgs({ turns, days }: typeof conversationLimits): Args {
  return [turns, days * 24 * 3600];
}

function defineMoves(redis: Redis): void {
  redis.defineCommand('admitTurn', { lua: admitScript });
  redis.defineCommand('turnActs', { numberOfKeys: 1, lua: actScript });
  redis.defineCommand('awaitModel', { numberOfKeys: 4, lua: awaitModelScript });
  redis.defineCommand('moveTurn', { numberOfKeys: 4, lua: moveScript });
  redis.defineCommand('takeTurn', { numberOfKeys: 4, lua: takeScript });
  redis.defineCommand('finishTurn', { numberOfKeys: 7, lua: finishScript });
  redis.defineCommand('confirmTurn', { numberOfKeys: 4, lua: confirmScript });
  redis.defineCommand('cutTurn', { numberOfKeys: 7, lua: cutScript });
  redis.defineCommand('tellSpoken', { numberOfKeys: 1, lua: spokenScript });
}

function keysOf({ conversation }: Turn): [string, string] {
  const { exchanges, meta } = conversationKeys(conversation ?? '');
  return [exchanges, meta];
}

export function turnKey(id: string): string {
  return keys.turn.of(id);
}
