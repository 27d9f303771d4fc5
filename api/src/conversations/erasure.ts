import type { Redis, Result } from 'ioredis';
import type { FileRewrite } from '../redis/file-rewrite.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    eraseTurn(turn: string, conversation: string, before: string, after: string): Result<number, Context>;
  }
}

/**
 * KEYS: turn. ARGV: a conversation or '', an upper and a lower time limit (Unix ms) or ''. Open turns keep
 * their words.
 */
const eraseScript = `
local state, conversation, at = unpack(redis.call('HMGET', KEYS[1], 'state', 'conversation', 'createdAt'))
if state ~= 'speaking' and state ~= 'done' and state ~= 'failed' and state ~= 'cancelled' then return 0 end
if ARGV[1] ~= '' and conversation ~= ARGV[1] then return 0 end
if ARGV[2] ~= '' and tonumber(at) >= tonumber(ARGV[2]) then return 0 end
if ARGV[3] ~= '' and tonumber(at) < tonumber(ARGV[3]) then return 0 end
redis.call('HDEL', KEYS[1], 'text', 'alternatives', 'message', 'reply', 'exchange')
return 1`;

/**
 * Selects all turns of a conversation, one turn, or all turns asked from `after` until `before` (Unix ms).
 */
export type ErasureScope = { conversation: string } | { turn: string } | { before: number; after?: number };
export type Erase = ReturnType<typeof createErasure>;

const maxAtOnce = 500;

interface ErasureOptions {
  redis: Redis;
  file: Pick<FileRewrite, 'soon'>;
  mistakes: { erase: (which: ErasureScope) => Promise<unknown> };
}

/**
 * Erases the remaining words of deleted turns. Records and sentences would keep them for minutes, and Redis'
 * append-only file for months. Reported mistakes hold them too.
 */
export function createErasure({ redis, file, mistakes }: ErasureOptions) {
  redis.defineCommand('eraseTurn', { numberOfKeys: 1, lua: eraseScript });

  const found = async (pattern: string): Promise<string[]> => {
    const names: string[] = [];
    for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
      const [next, some] = await onRedis(redis, () =>
        redis.scan(cursor, 'MATCH', pattern, 'COUNT', maxAtOnce),
      );
      names.push(...some);
      cursor = next;
    }
    return names;
  };
  const eraseTurns = async (which: ErasureScope): Promise<string[]> => {
    const conversation = 'conversation' in which ? which.conversation : '';
    const [before, after] = 'before' in which ? [`${which.before}`, `${which.after ?? ''}`] : ['', ''];
    const erased: string[] = [];
    for (const key of 'turn' in which ? [keys.turn.of(which.turn)] : await found(keys.turn.of('*'))) {
      const isErased = await onRedis(redis, () => redis.eraseTurn(key, conversation, before, after));
      if (isErased === 1) erased.push(key.slice(keys.turn.around.before.length));
    }
    return erased;
  };

  return async (which: ErasureScope): Promise<void> => {
    const ids = await eraseTurns(which);
    for (const { of, around } of [keys.sentence, keys.acted, keys.asked, keys.begun]) {
      const names = await found(of('*'));
      const theirs = names.filter((name) => ids.some((id) => name.startsWith(around.before + id)));
      if (theirs.length > 0) await onRedis(redis, () => redis.unlink(...theirs));
    }
    await mistakes.erase(which);
    file.soon();
  };
}
