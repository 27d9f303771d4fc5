import type { Redis } from 'ioredis';
import { z } from 'zod';
import { hearNews } from '../redis/channel.ts';
import { replySchema } from './turn.ts';

const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('started'),
    turnId: z.string(),
    stage: z.enum(['transcribe', 'respond', 'think']),
    workerId: z.string(),
  }),
  /** It is handed to another stage. No worker has it in hand until that begins. */
  z.object({ type: z.literal('waits'), turnId: z.string() }),
  /** The transcript of the recording; empty: nobody spoke, or it is not for the assistant. */
  z.object({
    type: z.literal('heard'),
    turnId: z.string(),
    text: z.string(),
    isSure: z.boolean(),
    /** The assistant was called by its name, which is not among the words. */
    isNamed: z.boolean().optional(),
    sttMs: z.number(),
  }),
  /** More words of the reply. `seq` counts from 0: a gap shows that some were lost. */
  z.object({
    type: z.literal('delta'),
    turnId: z.string(),
    seq: z.number(),
    text: z.string(),
    via: z.string(),
  }),
  /** A sentence has been spoken; its sound lies in the audio store. */
  z.object({
    type: z.literal('speech'),
    turnId: z.string(),
    seq: z.number(),
    text: z.string(),
    /** False: no voice could say it. */
    hasSound: z.boolean(),
    ttsMs: z.number(),
  }),
  z.object({ type: z.literal('done'), turnId: z.string(), reply: replySchema }),
  /** A probe beside the turns is done. `text` is its transcript, if it was to hear something. */
  z.object({ type: z.literal('probe'), turnId: z.string(), tookMs: z.number(), text: z.string() }),
  z.object({
    type: z.literal('failed'),
    turnId: z.string(),
    error: z.object({
      code: z.string(),
      message: z.string(),
      retryAfterS: z.number().optional(),
      param: z.string().optional(),
    }),
  }),
]);

const eventsPrefix = 'hearth:turn-events:';

/** Progress of a turn, as it travels from the worker to the api process that waits for it. */
export type TurnEvent = z.infer<typeof eventSchema>;

/**
 * One channel per api process, subscribed at its start: so no event can be missed between adding a job and listening. No other household has an
 * api of this id.
 */
export function eventsChannel(apiId: string): string {
  return `${eventsPrefix}${apiId}`;
}

/** The same in Lua, where `apiId` is an expression. */
export function eventsChannelInLua(apiId: string): string {
  return `'${eventsPrefix}' .. ${apiId}`;
}

/** Every worker hears of every cancelled turn here. */
export const cancelChannel = 'hearth:cancelled-turns';

/** And of every tentative turn that has become certain. */
export const confirmChannel = 'hearth:confirmed-turns';

interface InboxOptions {
  /** A connection that only subscribes. */
  subscriber: Redis;
  apiId: string;
  onBadEvent: (error: Error) => void;
}

export interface TurnEventListener {
  onEvent(event: TurnEvent): void;
  /** The connection broke: events may have been missed. */
  onLost(): void;
}

export type TurnInbox = ReturnType<typeof createTurnInbox>;

/** Hands the events of this process's turns to those who wait for them. */
export function createTurnInbox({ subscriber, apiId, onBadEvent }: InboxOptions) {
  const listeners = new Map<string, TurnEventListener>();
  const single = new Map<string, TurnEventListener>();
  const channel = eventsChannel(apiId);

  let subscribed = false;
  const begun = Promise.withResolvers<void>();
  hearNews({
    subscriber,
    channel,
    isPrivate: true,
    schema: eventSchema,
    onNews: (event) => (listeners.get(event.turnId) ?? single.get(event.turnId))?.onEvent(event),
    onListening: () => {
      subscribed = true;
      begun.resolve();
    },
    onError: onBadEvent,
  });
  subscriber.on('close', () => {
    subscribed = false;
    for (const listener of [...listeners.values(), ...single.values()]) listener.onLost();
  });

  return {
    /** Listens to one turn until the returned function is called. Listen before the first job is added. */
    listen(turnId: string, listener: TurnEventListener): () => void {
      listeners.set(turnId, listener);
      return () => listeners.delete(turnId);
    },
    /** The one event that answers a question beside the turns; null: it did not come in time. Listen before the job is added. */
    once(id: string, { withinMs, signal }: { withinMs: number; signal: AbortSignal }) {
      const { promise, resolve } = Promise.withResolvers<TurnEvent | null>();
      const giveUp = () => resolve(null);
      const timer = setTimeout(giveUp, withinMs);
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      single.set(id, { onEvent: resolve, onLost: giveUp });
      return promise.finally(() => {
        single.delete(id);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      });
    },
    /** Settles when it listens for the first time. */
    begun: begun.promise,
    /** Whether an event sent now would arrive. */
    get ready(): boolean {
      return subscribed;
    },
    /** Turns that somebody waits for here. */
    get open(): number {
      return listeners.size;
    },
  };
}
