import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { type ErrorCode, isErrorCode } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { type Reply, replySchema } from './turn.ts';

/**
 * A request that must run only once, however often it arrives. Hashes only, so that no keys or words are
 * stored.
 */
export interface IdempotentRequest {
  /** Hash of the caller. */
  caller: string;
  /** Hash of the idempotency key and the caller. */
  id: string;
  /** Hash of the request. */
  fingerprint: string;
}

/**
 * Maximum number of records per caller. Each takes about 400 bytes for ten minutes. The limit allows 100
 * requests a minute, and a runaway client cannot fill Redis.
 */
const maxRecords = 1_000;
/**
 * Maximum time between a reservation and its turn. Later, `admit` rejects the turn once another turn holds
 * the record.
 */
const beginMs = 5_000;
/** The waiting process reports the end of a turn up to a second after its deadline. */
const graceMs = 2_000;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    reserveRequest(...args: (string | number)[]): Result<(string | null)[], Context>;
    settleRequest(
      ...args: [record: string, turn: string, id: string, ...errors: string[]]
    ): Result<Settled, Context>;
  }
}

/**
 * State of a record after its turn failed. `freed`: the next request may run. `kept`: the turn may have
 * acted. `answered`: it has a reply after all. `other`: another turn holds the record.
 */
type Settled = 'freed' | 'kept' | 'answered' | 'other';

/**
 * A record is free once its turn failed without acting. It keeps the failure for waiting requests. KEYS:
 * record, records of the caller. ARGV: turn, fingerprint, Unix time in ms, steady time, lifetime in seconds,
 * maximum number. Returns the turn, its fingerprint and its time, or nothing if there are too many.
 */
const reserveScript = `
local held = redis.call('HMGET', KEYS[1], 'turn', 'print', 'at', 'free')
if held[1] and not held[4] then return { held[1], held[2], held[3] } end
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[6]) and not redis.call('ZSCORE', KEYS[2], KEYS[1]) then return {} end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'turn', ARGV[1], 'print', ARGV[2], 'at', ARGV[3], 'since', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('ZADD', KEYS[2], now + ARGV[5], KEYS[1])
redis.call('EXPIRE', KEYS[2], ARGV[5])
return { ARGV[1], ARGV[2], ARGV[3] }`;

/** KEYS: record, turn. ARGV: turn id, failure, failure of a turn that may have acted. */
const settleScript = `
local claimed, acts, over = unpack(redis.call('HMGET', KEYS[1], 'turn', 'acts', 'error'))
if claimed ~= ARGV[1] or over then return 'other' end
if redis.call('HEXISTS', KEYS[2], 'reply') == 1 then return 'answered' end
redis.call('HSET', KEYS[1], 'error', acts and ARGV[3] or ARGV[2])
if acts then return 'kept' end
redis.call('HSET', KEYS[1], 'free', '1')
return 'freed'`;

const failureSchema = z.object({ code: z.string().refine(isErrorCode), message: z.string() });

/** A failure as reported to repeated requests. */
interface ToldFailure {
  code: ErrorCode;
  message: string;
}

/** State of a request. */
export type IdempotencyState =
  | { state: 'answered'; reply: Reply }
  | { state: 'failed'; failure: ToldFailure }
  /** It is running. `isOver`: its turn has failed, and the waiting process is about to report why. */
  | { state: 'pending'; isOver: boolean }
  /** It was not done, and no process works on it any more. */
  | { state: 'dead' }
  /** It was done, or may have been, but the answer is missing: deleted, or lost with Redis. */
  | { state: 'gone' }
  /** It failed, and another turn runs it now. Null: none does. */
  | { state: 'moved'; turnId: string | null };

interface Records {
  record: Partial<Record<'turn' | 'error' | 'acts' | 'since', string | null | undefined>>;
  turn: Partial<Record<'state' | 'reply' | 'deadlineAt', string | null | undefined>>;
}

/** Computes the state of a request from its record, its turn and the steady time in ms. */
export function idempotencyStateOf(turnId: string, { record, turn }: Records, now: number): IdempotencyState {
  if (record.turn !== turnId) return { state: 'moved', turnId: record.turn ?? null };
  const failure = failureSchema.safeParse(parseJson(record.error ?? '')).data;
  if (failure) return { state: 'failed', failure };
  if (turn.reply) return { state: 'answered', reply: replySchema.parse(JSON.parse(turn.reply)) };
  const nothingComes: IdempotencyState = { state: record.acts ? 'gone' : 'dead' };
  if (!turn.state)
    return now > Number(record.since) + beginMs ? nothingComes : { state: 'pending', isOver: false };
  if (turn.state === 'done' || turn.state === 'speaking') return { state: 'gone' };
  if (now > Number(turn.deadlineAt) + graceMs) return nothingComes;
  return { state: 'pending', isOver: turn.state === 'failed' || turn.state === 'cancelled' };
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

/**
 * Assigns one turn to each request with an `Idempotency-Key`, across all api processes. The answer stays in
 * the turn's record. It expires after ten minutes, or with a deleted conversation.
 */
export function createIdempotencyStore({ redis, clock }: { redis: Redis; clock: HouseholdClock }) {
  redis.defineCommand('reserveRequest', { numberOfKeys: 2, lua: reserveScript });
  redis.defineCommand('settleRequest', { numberOfKeys: 2, lua: settleScript });

  return {
    /**
     * Reserves a request for a turn. Returns the turn that holds it: this one or an earlier one. Null: too
     * many records.
     */
    async reserve(request: IdempotentRequest, turnId: string) {
      const args = [turnId, request.fingerprint, Math.round(clock.now()), Math.round(clock.steady())];
      const names = [idempotencyRecordKey(request), keys.idempotencyOf.of(request.caller)];
      const [turn, fingerprint, at] = await onRedis(redis, () =>
        redis.reserveRequest(...names, ...args, keys.idempotency.lastsS, maxRecords),
      );
      if (!turn) return null;
      return { turnId: turn, isSame: fingerprint === request.fingerprint, at: Number(at) };
    },

    async readState(request: IdempotentRequest, turnId: string): Promise<IdempotencyState> {
      const [state, reply, deadlineAt] = await onRedis(redis, () =>
        redis.hmget(keys.turn.of(turnId), 'state', 'reply', 'deadlineAt'),
      );
      const [turn, error, acts, since] = await onRedis(redis, () =>
        redis.hmget(idempotencyRecordKey(request), 'turn', 'error', 'acts', 'since'),
      );
      const records = { record: { turn, error, acts, since }, turn: { state, reply, deadlineAt } };
      return idempotencyStateOf(turnId, records, clock.steady());
    },

    /** Records that the turn of a request has failed. `ifActed`: the failure, if the turn may have acted. */
    settle(
      request: IdempotentRequest,
      turnId: string,
      error: ToldFailure,
      ifActed = error,
    ): Promise<Settled> {
      const messages = [error, ifActed].map(({ code, message }) => JSON.stringify({ code, message }));
      const names = [idempotencyRecordKey(request), keys.turn.of(turnId)] as const;
      return onRedis(redis, () => redis.settleRequest(...names, turnId, ...messages));
    },
  };
}

/** The key of a request's record, as stored in its turn. */
export function idempotencyRecordKey({ id }: Pick<IdempotentRequest, 'id'>): string {
  return keys.idempotency.of(id);
}
