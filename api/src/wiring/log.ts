import { randomUUID } from 'node:crypto';
import { type DestinationStream, pino } from 'pino';
import type { Config } from '../config.ts';
import { createLog, type Logger } from '../log.ts';
import { createFence } from '../logs/fence.ts';
import { createLogShipper } from '../logs/log-shipper.ts';
import { connectRedis } from '../redis/redis.ts';
import { passwordsOf } from '../redis/redis-address.ts';

interface WiredLog {
  log: Logger;
  /** Id of this process among those of its kind. */
  instance: string;
  /** Sends the backlog. Call it last. */
  close: () => Promise<void>;
}

/** The log of a process: on stdout, and in Redis with those of all processes. */
export function wireLog(
  config: Config,
  name: 'api' | 'worker',
  to: DestinationStream = pino.destination(1),
): WiredLog {
  const instance = randomUUID().slice(0, 8);
  const { serviceToken, llmApiKey, home, redisUrl } = config;
  const fence = createFence([serviceToken, llmApiKey, home?.token, ...passwordsOf(redisUrl)]);
  const lossLine = (lost: number) =>
    JSON.stringify({
      level: 'warn',
      time: new Date().toISOString(),
      process: name,
      instance,
      lost,
      msg: `${lost} older lines are missing, because Redis did not accept them. The output of the process has them`,
    });
  const shipper = createLogShipper({
    redis: connectRedis({ url: config.redisUrl, onError: () => undefined }),
    lossLine,
  });
  const write = (written: string) => {
    const line = fence(written);
    to.write(line);
    shipper.push(line);
  };
  const log = createLog({ level: config.logLevel, process: name, instance }, { write });
  return { log, instance, close: shipper.close };
}
