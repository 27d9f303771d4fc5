import type { Redis } from 'ioredis';
import { z } from 'zod';
import { subscribeToMessages } from '../redis/channel.ts';
import { timerSchema } from './timer.ts';

/** The channel for changes of timers. */
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
  /** Its new state, or its last one if it is gone. */
  timer: timerSchema,
  /** The turn that changed it. Empty: it changed by itself. */
  turn: z.string(),
});

export type TimerNews = z.infer<typeof newsSchema>;

interface MessageOptions {
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  onNews: (news: TimerNews) => void;
  /** Called when the subscription is active. Earlier messages may have been lost. */
  onReady: () => void;
  onBadEvent: (error: Error) => void;
}

/** Receives the timer changes of all processes. */
export function followTimers({ subscriber, onNews, onReady, onBadEvent }: MessageOptions): void {
  subscribeToMessages({
    subscriber,
    channel: timerChannel,
    schema: newsSchema,
    onNews,
    onListening: onReady,
    onError: onBadEvent,
  });
}
