import type { Redis, Result } from 'ioredis';
import type { ConversationBudget } from '../conversations/conversation-budget.ts';
import {
  conversationKeys,
  conversationLimits,
  conversationsKey,
} from '../conversations/conversation-store.ts';
import type { Exchange } from '../conversations/exchange.ts';
import { AppError } from '../errors.ts';
import { channelOn } from '../redis/channel.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { createUnsaved } from '../redis/unsaved.ts';
import { createSentenceStore } from './sentence-store.ts';
import {
  type RanOn,
  type Reply,
  replySchema,
  statesBefore,
  type TranscriptCandidate,
  type Turn,
  type TurnState,
  waitsFor,
} from './turn.ts';
import { confirmChannel, eventsChannel, type TurnEvent } from './turn-events.ts';
import { createTurnPublisher } from './turn-publisher.ts';
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
  withdrawScript,
} from './turn-scripts.ts';

type Args = (string | number)[];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitTurn(...args: Args): Result<number, Context>;
    turnActs(turn: string, id: string): Result<number, Context>;
    awaitModel(...args: Args): Result<number, Context>;
    moveTurn(...args: Args): Result<number, Context>;
    takeTurn(...args: Args): Result<[number, ...string[]], Context>;
    withdrawTurn(...args: Args): Result<[number, string | null], Context>;
    finishTurn(...args: Args): Result<number, Context>;
    confirmTurn(...args: Args): Result<number, Context>;
    cutTurn(...args: Args): Result<number, Context>;
    publishSpeech(...args: Args): Result<number, Context>;
  }
}

/**
 * Turns that wait for the first word of their answer, each until its deadline. Counting queue jobs would be
 * wrong, because a turn is admitted before it has a job.
 */
const waitingTurns = keys.waitingTurns.of();
const waitingForStt = keys.turnsWaitingFor.of('stt');
const waitingForLlm = keys.turnsWaitingFor.of('llm');
/** In the order of the scripts' keys, starting with the second key. */
export const waitingPlaces = [waitingTurns, waitingForStt, waitingForLlm] as const;

const placeNumber = { place: 2, stt: 3 } as const;

interface FinishOptions {
  reply: Reply;
  /** The exchange for the conversation. Null: it keeps nothing. */
  exchange: Exchange | null;
  /** Position of the first exchange in the prompt. Later prompts leave out earlier ones. */
  promptFrom: number;
}

/** A question as its conversation would keep it. */
interface StoredQuestion {
  message: string;
  wordsFrom: number;
  promptFrom: number;
}

/** The transcript of a turn, and how long recognition took. */
interface Transcribed extends Pick<Turn, 'alternatives'>, TranscriptCandidate {
  /** The person said the assistant's name, which the transcript leaves out. */
  isNamed?: boolean | undefined;
  sttMs: number;
  ranOn?: RanOn | undefined;
}

/** A turn that a worker has taken. */
interface TakenTurn {
  turn: Turn;
  isBegun: boolean;
}

export type Stage = Extract<TurnEvent, { type: 'started' }>['stage'];

const stateOf = { transcribe: 'transcribing', respond: 'responding', think: 'thinking' } as const;
/** The states of a turn before the end of a stage. */
const statesBeforeEndOf: Readonly<Record<Stage, readonly TurnState[]>> = {
  transcribe: [...statesBefore('transcribing'), 'transcribed'],
  respond: statesBefore('responding'),
  think: statesBefore('thinking'),
};

/** How many turns a conversation keeps, and for how many days. */
type Keeps = (turn: Turn) => Promise<typeof conversationLimits>;

interface TurnStoreOptions {
  redis: Redis;
  keeps?: Keeps;
  clock?: HouseholdClock;
  /** Called whenever a conversation has grown. */
  budget?: Pick<ConversationBudget, 'tend'> | undefined;
}

export type TurnStore = ReturnType<typeof createTurnStore>;

/** Turns in Redis: their records, their events and the sentences of their replies. */
export function createTurnStore(options: TurnStoreOptions) {
  const { redis, keeps = async () => conversationLimits, clock = machineClock, budget } = options;
  const ends = createReplyMoves(redis, { keeps, budget });
  const moves = Object.assign(createTurnMoves(redis), ends, createTurnAdmission(redis, clock));
  return Object.assign(
    moves,
    createTurnReader(redis),
    createTurnPublisher(redis),
    createSentenceStore(redis),
  );
}

/** True: the script has made the change. */
async function run(redis: Redis, script: () => Promise<number>): Promise<boolean> {
  return (await onRedis(redis, script)) === 1;
}

/** Transitions of turns. Each is one script, which also publishes the event. */
function createTurnMoves(redis: Redis) {
  defineMoves(redis);
  const notSaved = createUnsaved(redis);

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
     * Takes a stage of a turn and reads the turn. Safe to repeat by the same worker. Undefined: the turn does
     * not exist. Not begun: it is over, for example cancelled, or another worker holds it.
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

    /** Saves the transcript of a recording. */
    saveTranscript(turn: Turn, transcript: Transcribed): Promise<boolean> {
      const { text, isSure, avgLogprob, alternatives, isNamed, sttMs, ranOn } = transcript;
      const event: TurnEvent = {
        type: 'heard',
        turnId: turn.id,
        text,
        isSure,
        avgLogprob,
        sttMs,
        ...(isNamed && { isNamed }),
        ...(ranOn && { ranOn }),
      };
      const others = alternatives ? ['alternatives', JSON.stringify(alternatives)] : [];
      return move(turn, 'transcribed', event, ['text', text, 'isSure', String(isSure), ...others]);
    },

    /** Saves the question as a conversation would keep it, in case the reply is interrupted. */
    async noteQuestion(turn: Turn, question: StoredQuestion): Promise<void> {
      await notSaved.hset(turnKey(turn.id), ...Object.entries(question).flat());
    },

    /** Records that the reply contains Hearth's own words, in case it is interrupted. */
    async noteOurs(turn: Turn): Promise<void> {
      await notSaved.hset(turnKey(turn.id), 'isOurs', 'true');
    },

    fail: (turn: Pick<Turn, 'id'>, error: AppError) => move(turn, 'failed', failureOf(turn, error)),

    /** Fails a turn whose stage no worker takes. False: the turn is over, or past that stage. */
    failBefore(turn: Turn, stage: Stage, error: AppError): Promise<boolean> {
      const args = moveArgs(turn, {
        to: 'failed',
        event: failureOf(turn, error),
        from: statesBeforeEndOf[stage],
      });
      return run(redis, () => redis.moveTurn(turnKey(turn.id), ...waitingPlaces, ...args));
    },

    cancel: (turn: Turn) => move(turn, 'cancelled'),

    /** Cancels a turn without a reply, so that it cannot act any more. Says whether it may have acted. */
    async withdraw(turn: Turn): Promise<{ isWithdrawn: boolean; mayHaveActed: boolean }> {
      const args = moveArgs(turn, { to: 'cancelled', event: undefined, from: statesBefore('failed') });
      const [isMoved, acts] = await onRedis(redis, () =>
        redis.withdrawTurn(turnKey(turn.id), ...waitingPlaces, ...args),
      );
      return { isWithdrawn: isMoved === 1, mayHaveActed: acts === '1' };
    },

    /** A sentence, from a turn or separate, was synthesized, or no voice was available. */
    publishSpeech: (replyTo: string, event: Extract<TurnEvent, { type: 'speech' }>) =>
      run(redis, () =>
        redis.publishSpeech(turnKey(event.turnId), eventsChannel(replyTo), JSON.stringify(event), event.seq),
      ),
  };
}

type ReplyMovesOptions = Pick<TurnStoreOptions, 'budget'> & { keeps: Keeps };

/** Transitions that store an exchange, so that the conversation may grow. */
function createReplyMoves(redis: Redis, { keeps, budget }: ReplyMovesOptions) {
  const keeping = (turn: Turn, script: () => Promise<number>) =>
    keepingWithin(budget, turn, run(redis, script));

  return {
    /** Ends a turn whose reply was interrupted. The conversation keeps only the played part. */
    async cut(turn: Turn, playedText: string): Promise<boolean> {
      const args = [turn.id, turn.conversation === null ? '' : playedText, ...limitArgs(await keeps(turn))];
      return keeping(turn, () =>
        redis.cutTurn(turnKey(turn.id), ...keysOf(turn), ...waitingPlaces, conversationsKey, ...args),
      );
    },

    /** Confirms a tentative turn: its exchange is kept, and its actions may run. False: it is over. */
    async confirm(turn: Turn): Promise<boolean> {
      const args = [channelOn(redis, confirmChannel), turn.id, ...limitArgs(await keeps(turn))];
      return keeping(turn, () =>
        redis.confirmTurn(turnKey(turn.id), ...keysOf(turn), conversationsKey, ...args),
      );
    },

    /** The words of a turn's reply are complete. False: the turn was cancelled, and nothing is kept. */
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
  };
}

/** Admission checks for a turn: to start, to wait for the language model, and to act. */
function createTurnAdmission(redis: Redis, clock: HouseholdClock) {
  return {
    /**
     * Writes the record of a new turn. False: too many turns wait for the same engine. `recordKey` is
     * the idempotency record of its request. Throws AppError if another turn holds that record.
     */
    async admit(turn: Turn, maxWaiting: number, recordKey?: string): Promise<boolean> {
      const place = turn.text === null ? waitingForStt : waitingTurns;
      const names = [
        turnKey(turn.id),
        place,
        keys.openTurns.of(),
        ...(recordKey === undefined ? [] : [recordKey]),
      ];
      const args = [...placeArgs(turn, maxWaiting, clock.steady()), keys.turn.lastsS, ...recordOf(turn)];
      const outcome = await onRedis(redis, () => redis.admitTurn(names.length, ...names, ...args));
      if (outcome === 2) throw new AppError('turn_timeout');
      return outcome === 1;
    },

    /**
     * Call it before the turn does anything. False: it must not act. It has failed for its caller, or another
     * turn may run the request.
     */
    mayAct: (id: string): Promise<boolean> => run(redis, () => redis.turnActs(turnKey(id), id)),

    /**
     * Moves the turn to the queue of the language model, so that the worker can release it. False: too many
     * are waiting.
     */
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

/** Runs a transition that may make the conversation grow, then enforces the budget. */
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

    /** The reply of a finished turn, for a reader that missed the event. */
    async readReply(id: string): Promise<Reply | undefined> {
      const reply = await onRedis(redis, () => redis.hget(turnKey(id), 'reply'));
      return reply ? replySchema.parse(JSON.parse(reply)) : undefined;
    },

    async isConfirmed(id: string): Promise<boolean> {
      return (await onRedis(redis, () => redis.hget(turnKey(id), 'isTentative'))) === 'false';
    },

    /** The turn failed or was cancelled, so its sentences are not wanted any more. */
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
  redis.defineCommand('withdrawTurn', { numberOfKeys: 4, lua: withdrawScript });
  redis.defineCommand('finishTurn', { numberOfKeys: 7, lua: finishScript });
  redis.defineCommand('confirmTurn', { numberOfKeys: 4, lua: confirmScript });
  redis.defineCommand('cutTurn', { numberOfKeys: 7, lua: cutScript });
  redis.defineCommand('publishSpeech', { numberOfKeys: 1, lua: spokenScript });
}

function keysOf({ conversation }: Turn): [string, string] {
  const { exchanges, meta } = conversationKeys(conversation ?? '');
  return [exchanges, meta];
}

export function turnKey(id: string): string {
  return keys.turn.of(id);
}
