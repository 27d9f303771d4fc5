import type { Redis } from 'ioredis';
import { z } from 'zod';
import { hearNews } from '../redis/channel.ts';
import { timerSchema } from './timer.ts';

/** Changes of timers, as every process is told of them. */
export const timerChannel = 'hearth:timer-news';

const newsSchema = z.object({
  change: z.enum([
    'set',
    'changed',
    'cancelled',
    'doing',
    'done',
    'ringing',
    'heard',
    'acknowledged',
    'missed',
    'told',
  ]),
  /** As it is now; of one that is gone, as it was. */
  timer: timerSchema,
  /** The turn that did it; empty: it happened by itself. */
  turn: z.string(),
});

export type TimerNews = z.infer<typeof newsSchema>;

interface NewsOptions {
  /** A connection that only subscribes. */
  subscriber: Redis;
  onNews: (news: TimerNews) => void;
  /** News may have been missed until now. */
  onReady: () => void;
  onBadEvent: (error: Error) => void;
}

/** Hears what happens to timers, in whichever process it was done. */
export function followTimers({ subscriber, onNews, onReady, onBadEvent }: NewsOptions): void {
  hearNews({
    subscriber,
    channel: timerChannel,
    schema: newsSchema,
    onNews,
    onListening: onReady,
    onError: onBadEvent,
  });
}
