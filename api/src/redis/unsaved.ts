import type { Redis, Result } from 'ioredis';
import { onRedis } from './redis.ts';

/**
 * Lua: writes after this line change Redis' memory, but not its append-only file. For everything dispensable
 * after a crash: running turns, jobs, locks. Servers without support persist it like the rest.
 */
export const unsaved = 'if redis.set_repl then redis.set_repl(redis.REPL_NONE) end\n';
/** Lua: writes after this line are persisted again. */
export const saved = 'if redis.set_repl then redis.set_repl(redis.REPL_ALL) end\n';

/** The same connection for a library that defines its own scripts. Their writes are not persisted. */
export function withUnsavedScripts(redis: Redis): Redis {
  const defineCommand: Redis['defineCommand'] = (name, { lua, ...definition }) =>
    redis.defineCommand(name, { ...definition, lua: unsaved + lua });
  return new Proxy(redis, {
    get(target, name) {
      if (name === 'defineCommand') return defineCommand;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    runUnsaved(key: string, command: string, ...args: (string | number)[]): Result<unknown, Context>;
    pushUnsaved(
      key: string,
      entry: string | number,
      maxEntries: number,
      seconds: number,
    ): Result<unknown, Context>;
  }
}

/** Single writes that are not persisted. */
export function createUnsaved(redis: Redis) {
  redis.defineCommand('runUnsaved', {
    numberOfKeys: 1,
    lua: `${unsaved}return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))`,
  });
  redis.defineCommand('pushUnsaved', {
    numberOfKeys: 1,
    lua: `${unsaved}redis.call('LPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], 0, ARGV[2] - 1)
redis.call('EXPIRE', KEYS[1], ARGV[3])`,
  });
  const run = async (key: string, command: string, ...args: (string | number)[]): Promise<void> => {
    await onRedis(redis, () => redis.runUnsaved(key, command, ...args));
  };

  return {
    set: (key: string, value: string, seconds: number) => run(key, 'SET', value, 'EX', seconds),
    /** False: the key exists already. */
    async claim(key: string, seconds: number): Promise<boolean> {
      return (await onRedis(redis, () => redis.runUnsaved(key, 'SET', '1', 'EX', seconds, 'NX'))) !== null;
    },
    del: (key: string) => run(key, 'DEL'),
    /** Fields and values alternate. */
    hset: (key: string, ...pairs: (string | number)[]) => run(key, 'HSET', ...pairs),
    hdel: (key: string, ...fields: string[]) => run(key, 'HDEL', ...fields),
    /** Adds an entry and keeps the newest `maxEntries`. */
    async push(
      key: string,
      entry: string | number,
      { maxEntries, seconds }: { maxEntries: number; seconds: number },
    ) {
      await onRedis(redis, () => redis.pushUnsaved(key, entry, maxEntries, seconds));
    },
  };
}
