import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { rejectionOf, withTimeLimit } from '../abort.ts';
import { HomeError } from './home-fault.ts';
import {
  type HomeCommand,
  type HomeLine,
  type HomeLineOptions,
  openHomeLine,
  RefusedCommand,
  RefusedToken,
} from './home-line.ts';
import type { HomeLockout } from './home-lockout.ts';
import { commandedDomains, domainOf, stateOnlyDomains } from './home-templates.ts';

/** All states of a house at once: some hundred characters per entity, including sensors. */
const maxCharacters = 32 * 1024 * 1024;
const openMs = 10_000;
/** Reconnects quickly after a lost connection. Backs off while a connection never opened. */
const lostMs = 1_000;
const unopenedMs = { first: 5_000, max: 60_000 };
/** Home Assistant answers in a millisecond. Without an answer, plain requests replace the pushed states. */
const pingMs = 1_000;
/** Age in ms below which the states are current: a recent answer makes a ping unnecessary. */
const nowMs = 5;

/** While Home Assistant starts, it does not know all of its commands yet. */
const unknownCommand = 'unknown_command';

const registries = ['area', 'floor', 'device', 'entity'];
const keptDomains = new Set([...commandedDomains, ...stateOnlyDomains]);
/** Attributes that people ask about besides the state, and those that tell what a thing can do. */
const keptAttributes = new Set([
  'brightness',
  'supported_color_modes',
  'color_mode',
  'temperature',
  'min_temp',
  'max_temp',
  'percentage',
  'percentage_step',
  'current_position',
  'friendly_name',
  'device_class',
  'unit_of_measurement',
  'current_temperature',
  'current_humidity',
  'humidity',
  'temperature_unit',
  'battery_level',
  'volume_level',
  'is_volume_muted',
  'media_title',
  'media_artist',
  'media_series_title',
  'media_album_name',
  'supported_features',
]);

const attributesSchema = z.record(z.string(), z.unknown());
/**
 * States in the short form of `subscribe_entities`: first all of them (`a`), then added, changed (`c`) and
 * removed ones (`r`).
 */
const eventSchema = z.object({
  a: z
    .record(
      z.string(),
      z.object({ s: z.string(), a: attributesSchema.default({}), lc: z.number().optional() }),
    )
    .default({}),
  c: z
    .record(
      z.string(),
      z.object({
        '+': z
          .object({
            s: z.string().optional(),
            a: attributesSchema.default({}),
            lc: z.number().optional(),
          })
          .optional(),
        '-': z.object({ a: z.array(z.string()).default([]) }).optional(),
      }),
    )
    .default({}),
  r: z.array(z.string()).default([]),
});
type StatesEvent = z.infer<typeof eventSchema>;

/** An entity as Home Assistant reports it. */
export interface LiveThing {
  state: string;
  attributes: Readonly<Record<string, unknown>>;
  /** When it entered this state, as Unix time in ms, or when Home Assistant started. Null: unknown. */
  changedAt: number | null;
}

interface HomeLiveOptions {
  baseUrl: string;
  token: string;
  shutOut: HomeLockout;
  /** Asks over HTTP, because a websocket does not report a banned address. */
  isRunning: (signal: AbortSignal) => Promise<boolean>;
  open?: (options: HomeLineOptions) => HomeLine;
  /** Waits between two connections. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export type HomeLive = ReturnType<typeof createHomeLive>;

/** Receives the states and name changes that Home Assistant pushes, on a separate connection. */
export function createHomeLive({
  baseUrl,
  token,
  open = openHomeLine,
  shutOut,
  isRunning,
  pause = (ms, signal) => delay(ms, undefined, { signal, ref: false }),
}: HomeLiveOptions) {
  const stopped = new AbortController();
  const changes = createChangeWait();
  let line: HomeLine | null = null;
  let things: Map<string, LiveThing> | null = null;
  let answered: Promise<boolean> | null = null;
  /** The time of the latest answer: everything sent before it has arrived. */
  let allStatesAtMs = Number.NEGATIVE_INFINITY;

  const onStatesEvent = (event: StatesEvent, onNames: () => void) => {
    const isFirst = things === null;
    things ??= new Map();
    change(things, event);
    changes.tell([...Object.keys(event.a), ...Object.keys(event.c), ...event.r]);
    if (!isFirst && Object.keys(event.a).length + event.r.length > 0) onNames();
  };

  /** Runs a connection until it ends for any reason. Returns whether it opened. */
  const connect = async (onNames: () => void): Promise<boolean> => {
    const over = Promise.withResolvers<unknown>();
    const opened = open({ baseUrl, token, maxCharacters, onClose: over.resolve });
    line = opened;
    stopped.signal.addEventListener('abort', opened.close, { once: true });
    const onStates = (event: unknown) => onStatesEvent(eventSchema.parse(event), onNames);
    subscribe(opened, { onStates, onNames }, stopped.signal).catch(opened.close);
    const reason = await over.promise;
    stopped.signal.removeEventListener('abort', opened.close);
    const wasOn = things !== null;
    things = null;
    changes.tell(null);
    if (reason instanceof RefusedToken) shutOut.learn(new HomeError('refused', reason));
    else if (!wasOn && !stopped.signal.aborted) await isRunning(stopped.signal).catch(() => undefined);
    return wasOn;
  };
  const run = async (onNames: () => void): Promise<void> => {
    const isStopped = rejectionOf(stopped.signal);
    let nextMs = unopenedMs.first;
    while (!stopped.signal.aborted) {
      await Promise.race([shutOut.over(), isStopped]).catch(() => undefined);
      const wasOn = !stopped.signal.aborted && (await connect(onNames));
      await pause(wasOn ? lostMs : nextMs, stopped.signal).catch(() => undefined);
      nextMs = wasOn ? unopenedMs.first : Math.min(nextMs * 2, unopenedMs.max);
    }
  };

  /** True: everything sent before this moment has arrived. Simultaneous callers share one ping. */
  const ping = (): Promise<boolean> => {
    answered ??= Promise.resolve().then(async () => {
      answered = null;
      const pong = line?.ask({ type: 'ping' }, withTimeLimit(stopped.signal, pingMs));
      return (await pong?.then(() => true).catch(() => false)) ?? false;
    });
    return answered;
  };

  return {
    /**
     * Listens from now on and reconnects after a loss. `onNames`: a name, an area or an entity may have
     * changed.
     */
    start: ({ onNames }: { onNames: () => void }) => void run(onNames),

    /**
     * Sends a command on this connection: once the answer is there, the state changes are too. Null: no
     * connection, or the command is unknown.
     * Rejects with HomeError: `lost` if the connection breaks, `slow` after `ms`, `broken` if refused. Also
     * rejects with the signal's reason.
     */
    async ask(command: HomeCommand, ms: number, signal: AbortSignal): Promise<{ result: unknown } | null> {
      if (things === null || line === null || !line.isOpen()) return null;
      const limit = AbortSignal.timeout(ms);
      // A caller that stops waiting does not close the connection for others.
      const subscribed = line.ask(command, AbortSignal.any([stopped.signal, limit])).then(
        (result) => ({ result }),
        (error: unknown) => {
          if (error instanceof RefusedCommand && error.code === unknownCommand) return null;
          if (error instanceof RefusedCommand) throw new HomeError('broken', error);
          throw new HomeError(limit.aborted ? 'slow' : 'lost', error);
        },
      );
      const answer = await Promise.race([subscribed, rejectionOf(signal)]);
      allStatesAtMs = performance.now();
      return answer;
    },

    /** The current states of all entities that accept commands or questions. Null: no states are pushed. */
    async now(signal: AbortSignal): Promise<ReadonlyMap<string, LiveThing> | null> {
      if (things === null) return null;
      if (performance.now() - allStatesAtMs < nowMs) return things;
      return (await Promise.race([ping(), rejectionOf(signal)])) ? things : null;
    },

    /** Resolves when one of these entities changes, when pushed states end, or after `ms`. */
    changed: changes.wait,
    /** Whether states are pushed. */
    isOn: () => things !== null,
    stop: () => stopped.abort(),
  };
}

/** Subscribes to states, and to changes of names. */
async function subscribe(
  line: HomeLine,
  { onStates, onNames }: { onStates: (event: unknown) => void; onNames: () => void },
  stopped: AbortSignal,
): Promise<void> {
  const signal = withTimeLimit(stopped, openMs);
  await line.subscribe({ type: 'subscribe_entities' }, onStates, signal);
  for (const registry of registries) {
    const command = { type: 'subscribe_events', event_type: `${registry}_registry_updated` };
    // A user who may not subscribe to it finds new names by reading.
    await line.subscribe(command, onNames, signal).catch(() => undefined);
  }
  // Names that changed before are not reported.
  onNames();
}

/** Lets callers wait until an entity changes. */
function createChangeWait() {
  const waiting = new Set<(ids: readonly string[] | null) => void>();
  return {
    /** Null: any entity may have changed. */
    tell(ids: readonly string[] | null): void {
      for (const tell of [...waiting]) tell(ids);
    },
    async wait(ids: readonly string[], ms: number, signal: AbortSignal): Promise<void> {
      const changed = Promise.withResolvers<void>();
      const tell = (news: readonly string[] | null) => {
        if (news === null || news.some((id) => ids.includes(id))) changed.resolve();
      };
      waiting.add(tell);
      const over = new AbortController();
      try {
        const late = delay(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) });
        await Promise.race([changed.promise, late]);
      } finally {
        waiting.delete(tell);
        over.abort();
      }
    },
  };
}

function change(things: Map<string, LiveThing>, { a: added, c: changed, r: removed }: StatesEvent): void {
  for (const [id, { s: state, a, lc }] of Object.entries(added))
    if (keptDomains.has(domainOf(id))) things.set(id, { state, attributes: kept(a), changedAt: inMs(lc) });
  for (const [id, { '+': more, '-': less }] of Object.entries(changed)) {
    const before = things.get(id);
    if (!before) continue;
    const attributes = kept({ ...before.attributes, ...more?.a }, less?.a);
    const changedAt = inMs(more?.lc) ?? before.changedAt;
    things.set(id, { state: more?.s ?? before.state, attributes, changedAt });
  }
  for (const id of removed) things.delete(id);
}

const inMs = (seconds: number | undefined) => (seconds === undefined ? null : seconds * 1_000);

const kept = (attributes: Readonly<Record<string, unknown>>, without: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name]) => keptAttributes.has(name) && !without.includes(name)),
  );
