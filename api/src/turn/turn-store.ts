import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import type { AppError } from '../errors.ts';
import { conversationKeys, conversationLimits } from './conversation-store.ts';
import { onRedis } from './redis.ts';
import {
  type Exchange,
  type Reply,
  replySchema,
  statesBefore,
  type Turn,
  type TurnState,
  turnSources,
} from './turn.ts';
import { eventsChannel, type TurnEvent } from './turn-events.ts';

/** A turn's record is needed until its deadline; a little longer, so that a late reader still finds the truth. */
const keepTurnS = 600;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitTurn(...args: (string | number)[]): Result<number, Context>;
    moveTurn(...args: (string | number)[]): Result<number, Context>;
    finishTurn(...args: (string | number)[]): Result<number, Context>;
  }
}

/**
 * Turns that were admitted and not begun yet, each until its deadline. Counting the queue's own jobs instead would let through whoever asks
 * in the moment between another's admission and its job.
 */
const waitingTurns = 'hearth:waiting-turns';

/** KEYS: turn, waiting turns. ARGV: most that may wait, now, deadline, id, seconds to keep, then the record's fields. */
const admitScript = `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[2])
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4])
redis.call('HSET', KEYS[1], unpack(ARGV, 6))
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 1`;

/** KEYS: turn, waiting turns. ARGV: id, new state, channel, event, then the states it may be reached from. An illegal move changes and says nothing. */
const moveScript = `
local state = redis.call('HGET', KEYS[1], 'state')
for i = 5, #ARGV do
  if ARGV[i] == state then
    redis.call('HSET', KEYS[1], 'state', ARGV[2])
    redis.call('ZREM', KEYS[2], ARGV[1])
    if ARGV[4] ~= '' then redis.call('PUBLISH', ARGV[3], ARGV[4]) end
    return 1
  end
end
return 0`;

/**
 * The end of an answered turn, all or nothing: its state, its reply, its exchange in the conversation and the news of it.
 * KEYS: turn, exchanges, meta. ARGV: state before, channel, event, reply, exchange or '', first exchange of the prompt, turns to keep, seconds to keep.
 */
const finishScript = `
if redis.call('HGET', KEYS[1], 'state') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'state', 'done', 'reply', ARGV[4])
if ARGV[5] ~= '' then
  redis.call('RPUSH', KEYS[2], ARGV[5])
  redis.call('LTRIM', KEYS[2], -tonumber(ARGV[7]), -1)
  redis.call('HINCRBY', KEYS[3], 'count', 1)
  local from = tonumber(redis.call('HGET', KEYS[3], 'promptFrom') or '0')
  if tonumber(ARGV[6]) > from then redis.call('HSET', KEYS[3], 'promptFrom', ARGV[6]) end
  redis.call('EXPIRE', KEYS[2], ARGV[8])
  redis.call('EXPIRE', KEYS[3], ARGV[8])
end
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1`;

const recordSchema = z.object({
  id: z.string(),
  source: z.enum(turnSources),
  text: z.string(),
  conversation: z.string().optional(),
  room: z.string().optional(),
  createdAt: z.coerce.number(),
  deadlineAt: z.coerce.number(),
  replyTo: z.string(),
  streams: z.stringbool(),
});

interface FinishOptions {
  reply: Reply;
  /** What the conversation keeps of the turn; null when it stands alone. */
  exchange: Exchange | null;
  /** Number of the first exchange that the prompt held: what came before is left out from now on. */
  promptFrom: number;
}

export type TurnStore = ReturnType<typeof createTurnStore>;

/** The records of turns in Redis. Every change of state is one script, so that two processes can never both make it. */
export function createTurnStore({ redis }: { redis: Redis }) {
  redis.defineCommand('admitTurn', { numberOfKeys: 2, lua: admitScript });
  redis.defineCommand('moveTurn', { numberOfKeys: 2, lua: moveScript });
  redis.defineCommand('finishTurn', { numberOfKeys: 3, lua: finishScript });

  const move = async (turn: Turn, to: TurnState, event?: TurnEvent): Promise<boolean> => {
    const [channel, message] = [eventsChannel(turn.replyTo), event ? JSON.stringify(event) : ''];
    const from = statesBefore(to);
    const moved = await onRedis(redis, () =>
      redis.moveTurn(turnKey(turn.id), waitingTurns, turn.id, to, channel, message, ...from),
    );
    return moved === 1;
  };

  return {
    /** Writes the record of a new turn, unless too many wait already: then false. */
    async admit(turn: Turn, mostWaiting: number): Promise<boolean> {
      const fields = Object.entries({ ...turn, state: 'waiting' })
        .filter(([, value]) => value !== null)
        .flatMap(([name, value]) => [name, String(value)]);
      const admitted = await onRedis(redis, () =>
        redis.admitTurn(
          turnKey(turn.id),
          waitingTurns,
          mostWaiting,
          Date.now(),
          turn.deadlineAt,
          turn.id,
          keepTurnS,
          ...fields,
        ),
      );
      return admitted === 1;
    },

    async read(id: string): Promise<Turn | undefined> {
      const parsed = recordSchema.safeParse(await onRedis(redis, () => redis.hgetall(turnKey(id))));
      if (!parsed.success) return undefined;
      return {
        ...parsed.data,
        conversation: parsed.data.conversation ?? null,
        room: parsed.data.room ?? null,
      };
    },

    /** Tells whoever waits for a turn some more words of its reply. */
    async tellDelta(turn: Turn, delta: { seq: number; text: string; via: string }): Promise<void> {
      const event: TurnEvent = { type: 'delta', turnId: turn.id, ...delta };
      await onRedis(redis, () => redis.publish(eventsChannel(turn.replyTo), JSON.stringify(event)));
    },

    /** The reply of a turn that is done, for a reader who missed the news of it. */
    async readReply(id: string): Promise<Reply | undefined> {
      const reply = await onRedis(redis, () => redis.hget(turnKey(id), 'reply'));
      return reply ? replySchema.parse(JSON.parse(reply)) : undefined;
    },

    /** Takes up the work on a turn. False: it is over already, for example cancelled. */
    begin: (turn: Turn, workerId: string) =>
      move(turn, 'responding', { type: 'started', turnId: turn.id, workerId }),

    fail: (turn: Turn, { code, message, retryAfterS }: AppError) =>
      move(turn, 'failed', {
        type: 'failed',
        turnId: turn.id,
        error: { code, message, ...(retryAfterS !== undefined && { retryAfterS }) },
      }),

    cancel: (turn: Turn) => move(turn, 'cancelled'),

    /** Ends an answered turn and keeps its exchange. False: it was cancelled meanwhile, and nothing is kept. */
    async finish(turn: Turn, { reply, exchange, promptFrom }: FinishOptions): Promise<boolean> {
      const { exchanges, meta } = conversationKeys(turn.conversation ?? '');
      const done: TurnEvent = { type: 'done', turnId: turn.id, reply };
      const finished = await onRedis(redis, () =>
        redis.finishTurn(
          turnKey(turn.id),
          exchanges,
          meta,
          ...statesBefore('done'),
          eventsChannel(turn.replyTo),
          JSON.stringify(done),
          JSON.stringify(reply),
          turn.conversation !== null && exchange ? JSON.stringify(exchange) : '',
          promptFrom,
          conversationLimits.turns,
          conversationLimits.days * 24 * 3600,
        ),
      );
      return finished === 1;
    },
  };
}

function turnKey(id: string): string {
  return `hearth:turn:${id}`;
}
