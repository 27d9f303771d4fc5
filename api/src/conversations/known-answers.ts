import { createHash, createHmac } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { unsaved } from '../redis/unsaved.ts';
import type { Exchange } from './exchange.ts';

/** Each takes about 100 bytes. The limit keeps a runaway client from filling Redis. */
const maxAnswers = 1_000;
/** Limit of exchanges in a prompt. */
const maxExchanges = 40;
const maxCharacters = 40_000;

interface AnsweredQuestion {
  question: string;
  answer: string;
  /** The words are Hearth's own, not the language model's. */
  isOurs?: boolean;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    noteAnswer(known: string, ...args: (string | number)[]): Result<unknown, Context>;
  }
}

/** KEYS: answers of a caller. ARGV: fingerprint, Unix time in ms, lifetime in seconds, maximum number. */
const noteScript = `${unsaved}
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2] - ARGV[3] * 1000)
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -ARGV[4] - 1)
redis.call('EXPIRE', KEYS[1], ARGV[3])`;

export type KnownAnswers = ReturnType<typeof createKnownAnswers>;

/**
 * Verifies which exchanges of a chat were really ours. Most clients name no conversation and send the whole
 * history with each request. Hearth stores only a fingerprint of each question and answer, for a day. So it
 * continues only from its own answers, and never from answers that a client made up.
 */
export function createKnownAnswers({
  redis,
  clock = machineClock,
}: {
  redis: Redis;
  clock?: HouseholdClock;
}) {
  redis.defineCommand('noteAnswer', { numberOfKeys: 1, lua: noteScript });

  return {
    /** Records an answer given to a caller. Throws AppError if Redis is unavailable. */
    async add(caller: string, exchange: AnsweredQuestion): Promise<void> {
      const rules = [Math.round(clock.now()), keys.knownAnswers.lastsS, maxAnswers];
      await onRedis(redis, () => redis.noteAnswer(keyOf(caller), fingerprintOf(caller, exchange), ...rules));
    },

    /**
     * The exchanges that we really answered, oldest first, limited to the newest that fit into a prompt.
     * Throws AppError if Redis is unavailable.
     */
    async among(caller: string, exchanges: readonly AnsweredQuestion[]): Promise<Exchange[]> {
      const newest = exchanges.slice(-maxExchanges);
      if (newest.length === 0) return [];
      const ours = newest.map((each) => ({ ...each, isOurs: true }));
      const fingerprints = [...newest, ...ours].map((each) => fingerprintOf(caller, each));
      const times = await onRedis(redis, () => redis.zmscore(keyOf(caller), ...fingerprints));

      let characters = 0;
      const found: Exchange[] = [];
      for (const [at, { question, answer }] of [...newest.entries()].toReversed()) {
        const isOurs = typeof times[newest.length + at] === 'string';
        const noted = times[newest.length + at] ?? times[at];
        if (noted === null || noted === undefined) continue;
        characters += question.length + answer.length;
        if (characters > maxCharacters) break;
        const exchange = { user: question.trim(), assistant: answer.trim(), wordsFrom: 0, at: Number(noted) };
        found.unshift({ ...exchange, ...(isOurs && { isOurs }) });
      }
      return found;
    },
  };
}

function keyOf(caller: string): string {
  return keys.knownAnswers.of(createHash('sha256').update(caller).digest('base64url'));
}

/** Clients trim and wrap their history, so white space does not count. */
function fingerprintOf(caller: string, { question, answer, isOurs }: AnsweredQuestion): string {
  const words = [question, answer].map((text) => text.normalize('NFC').replace(/\s+/g, ' ').trim());
  return createHmac('sha256', caller)
    .update(JSON.stringify(isOurs ? [...words, 'ours'] : words))
    .digest('base64url');
}
