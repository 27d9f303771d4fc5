import type { Redis } from 'ioredis';
import { z } from 'zod';
import { subscribeToMessages } from '../redis/channel.ts';
import { ranOnSchema, replySchema } from './turn.ts';

const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('started'),
    turnId: z.string(),
    stage: z.enum(['transcribe', 'respond', 'think']),
    workerId: z.string(),
  }),
  /** The turn waits for another stage, and no worker holds it until then. */
  z.object({ type: z.literal('waits'), turnId: z.string() }),
  /** The transcript of the recording. Empty: no voice, or it is not for the assistant. */
  z.object({
    type: z.literal('heard'),
    turnId: z.string(),
    text: z.string(),
    isSure: z.boolean(),
    /** The lowest mean log probability per token of a segment. */
    avgLogprob: z.number().optional(),
    /** The person said the assistant's name, which the transcript leaves out. */
    isNamed: z.boolean().optional(),
    sttMs: z.number(),
    /** The server that transcribed it. */
    ranOn: ranOnSchema.optional(),
  }),
  /** More words of the reply. `seq` counts from 0, and a gap shows that some were lost. */
  z.object({
    type: z.literal('delta'),
    turnId: z.string(),
    seq: z.number(),
    text: z.string(),
    via: z.string(),
  }),
  /** A sentence has been synthesized. The sound transport keeps its sound. */
  z.object({
    type: z.literal('speech'),
    turnId: z.string(),
    seq: z.number(),
    text: z.string(),
    /** False: no voice was available. */
    hasSound: z.boolean(),
    ttsMs: z.number(),
  }),
  z.object({ type: z.literal('done'), turnId: z.string(), reply: replySchema }),
  /** A worker call is done. `text` is its result. */
  z.object({ type: z.literal('call'), turnId: z.string(), tookMs: z.number(), text: z.string() }),
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

/** Progress of a turn, sent by the worker to the api process that waits for it. */
export type TurnEvent = z.infer<typeof eventSchema>;

/**
 * One channel per api process, subscribed at startup, so that no event is missed. Api ids are unique across
 * households.
 */
export function eventsChannel(apiId: string): string {
  return `${eventsPrefix}${apiId}`;
}

/** The same in Lua, where `apiId` is an expression. */
export function eventsChannelInLua(apiId: string): string {
  return `'${eventsPrefix}' .. ${apiId}`;
}

/** Every worker receives every cancelled turn on this channel. */
export const cancelChannel = 'hearth:cancelled-turns';

/** Every worker receives every confirmed tentative turn on this channel. */
export const confirmChannel = 'hearth:confirmed-turns';

interface InboxOptions {
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  apiId: string;
  onBadEvent: (error: Error) => void;
}

interface TurnEventListener {
  onEvent(event: TurnEvent): void;
  /** The connection was lost, so events may be missing. */
  onLost(): void;
}

export type TurnInbox = ReturnType<typeof createTurnInbox>;

/** Dispatches the events of this process's turns to their listeners. */
export function createTurnInbox({ subscriber, apiId, onBadEvent }: InboxOptions) {
  const listeners = new Map<string, TurnEventListener>();
  const single = new Map<string, TurnEventListener>();
  const channel = eventsChannel(apiId);

  let subscribed = false;
  const begun = Promise.withResolvers<void>();
  subscribeToMessages({
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
    /** Listens to one turn until the returned function is called. Call it before the first job is added. */
    listen(turnId: string, listener: TurnEventListener): () => void {
      listeners.set(turnId, listener);
      return () => listeners.delete(turnId);
    },
    /**
     * Resolves with the one event for a request outside the turns, or null after the timeout. Call it before
     * the job is added.
     */
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
    /** Resolves once the subscription is active. */
    begun: begun.promise,
    /** Whether an event sent now would arrive. */
    get ready(): boolean {
      return subscribed;
    },
    /** Number of turns with a listener. */
    get open(): number {
      return listeners.size;
    },
  };
}
