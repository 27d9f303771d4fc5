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
import type { HomeShutOut } from './home-shut-out.ts';
import { commandedDomains, domainOf, toldDomains } from './home-templates.ts';

/** All states of a house at once: some hundred characters for each of its things, sensors too. */
const maxCharacters = 32 * 1024 * 1024;
const openMs = 10_000;
/**
 * A connection that was lost may come back at once. One that never came about is tried less and less often.
 */
const lostMs = 1_000;
const unopenedMs = { first: 5_000, max: 60_000 };
/** Home Assistant answers in a millisecond; where it does not, it is asked in the ordinary way. */
const pingMs = 1_000;
/** What was true so long ago, in ms, is true now: an answer that has just come makes a ping needless. */
const nowMs = 5;

/** While Home Assistant starts, it has not learned all of its commands yet. */
const unknownCommand = 'unknown_command';

const registries = ['area', 'floor', 'device', 'entity'];
const keptDomains = new Set([...commandedDomains, ...toldDomains]);
/** What people ask of a thing besides its state. */
const keptAttributes = new Set([
  'brightness',
  'supported_color_modes',
  'temperature',
  'percentage',
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
]);

const attributesSchema = z.record(z.string(), z.unknown());
/**
 * The states in the short form of `subscribe_entities`: all of them first (`a`), then what is added, changed
 * (`c`) and removed (`r`).
 */
const eventSchema = z.object({
  a: z.record(z.string(), z.object({ s: z.string(), a: attributesSchema.default({}) })).default({}),
  c: z
    .record(
      z.string(),
      z.object({
        '+': z.object({ s: z.string().optional(), a: attributesSchema.default({}) }).optional(),
        '-': z.object({ a: z.array(z.string()).default([]) }).optional(),
      }),
    )
    .default({}),
  r: z.array(z.string()).default([]),
});
type StatesEvent = z.infer<typeof eventSchema>;

/** A thing as Home Assistant tells it. */
export interface LiveThing {
  state: string;
  attributes: Readonly<Record<string, unknown>>;
}

interface HomeLiveOptions {
  baseUrl: string;
  token: string;
  shutOut: HomeShutOut;
  /** Asks over HTTP: a websocket does not tell that its address is banned. */
  isRunning: (signal: AbortSignal) => Promise<boolean>;
  open?: (options: HomeLineOptions) => HomeLine;
  /** Waits between two connections. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export type HomeLive = ReturnType<typeof createHomeLive>;

/**
 * What Home Assistant tells by itself, on a connection of its own: how its things stand, and that names have
 * changed.
 */
export function createHomeLive({
  open = openHomeLine,
  shutOut,
  isRunning,
  pause = (ms, signal) => delay(ms, undefined, { signal, ref: false }),
  ...options
}: HomeLiveOptions) {
  const stopped = new AbortController();
  const waiting = new Set<(ids: readonly string[] | null) => void>();
  let line: HomeLine | null = null;
  let things: Map<string, LiveThing> | null = null;
  let answered: Promise<boolean> | null = null;
  /** When an answer came last: everything that was sent before it has been heard. */
  let heardAllAtMs = Number.NEGATIVE_INFINITY;

  /** Null: of any thing, for nobody knows. */
  const tellChange = (ids: readonly string[] | null) => {
    for (const tell of [...waiting]) tell(ids);
  };
  const hear = (event: StatesEvent, onNames: () => void) => {
    const isFirst = things === null;
    things ??= new Map();
    change(things, event);
    tellChange([...Object.keys(event.a), ...Object.keys(event.c), ...event.r]);
    if (!isFirst && Object.keys(event.a).length + event.r.length > 0) onNames();
  };

  const listen = async (opened: HomeLine, onNames: () => void): Promise<void> => {
    const signal = withTimeLimit(stopped.signal, openMs);
    const onStates = (event: unknown) => hear(eventSchema.parse(event), onNames);
    await opened.subscribe({ type: 'subscribe_entities' }, onStates, signal);
    for (const registry of registries) {
      const command = { type: 'subscribe_events', event_type: `${registry}_registry_updated` };
      // A user who may not hear of it finds new names by looking.
      await opened.subscribe(command, onNames, signal).catch(() => undefined);
    }
  };
  /** Until the connection is over, however that comes. Whether it came about. */
  const connect = async (onNames: () => void): Promise<boolean> => {
    const over = Promise.withResolvers<unknown>();
    const opened = open({ ...options, maxCharacters, onClose: over.resolve });
    line = opened;
    stopped.signal.addEventListener('abort', opened.close, { once: true });
    listen(opened, onNames).catch(opened.close);
    const reason = await over.promise;
    stopped.signal.removeEventListener('abort', opened.close);
    const wasOn = things !== null;
    things = null;
    tellChange(null);
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

  /**
   * True: what was sent before this moment has been heard. Whoever asks in the same moment shares the
   * question.
   */
  const ping = (): Promise<boolean> => {
    answered ??= Promise.resolve().then(async () => {
      answered = null;
      const asked = line?.ask({ type: 'ping' }, withTimeLimit(stopped.signal, pingMs));
      return (await asked?.then(() => true).catch(() => false)) ?? false;
    });
    return answered;
  };

  return {
    /**
     * Listens from now on, and again whenever the connection was lost. `onNames` is called when a name, a
     * room or a thing may be another.
     */
    start: ({ onNames }: { onNames: () => void }) => void run(onNames),

    /**
     * Asks on this connection: when the answer is there, so is what it has changed. Null: there is no
     * connection, or nobody knows the command on it. Rejects with HomeError `lost` where it breaks, `slow`
     * after so many milliseconds, `broken` where it is refused, and with the signal's reason.
     */
    async ask(command: HomeCommand, ms: number, signal: AbortSignal): Promise<{ result: unknown } | null> {
      if (things === null || line === null || !line.isOpen()) return null;
      const limit = AbortSignal.timeout(ms);
      // Whoever gives up waiting leaves the connection to the others.
      const asked = line.ask(command, AbortSignal.any([stopped.signal, limit])).then(
        (result) => ({ result }),
        (error: unknown) => {
          if (error instanceof RefusedCommand && error.code === unknownCommand) return null;
          if (error instanceof RefusedCommand) throw new HomeError('broken', error);
          throw new HomeError(limit.aborted ? 'slow' : 'lost', error);
        },
      );
      const answer = await Promise.race([asked, rejectionOf(signal)]);
      heardAllAtMs = performance.now();
      return answer;
    },

    /**
     * How all things that can be commanded or asked for stand at this moment. Null: that is not told here.
     */
    async now(signal: AbortSignal): Promise<ReadonlyMap<string, LiveThing> | null> {
      if (things === null) return null;
      if (performance.now() - heardAllAtMs < nowMs) return things;
      return (await Promise.race([ping(), rejectionOf(signal)])) ? things : null;
    },

    /**
     * Resolves when one of these things has changed, or nobody can tell any more, or after so many
     * milliseconds.
     */
    async changed(ids: readonly string[], ms: number, signal: AbortSignal): Promise<void> {
      const changed = Promise.withResolvers<void>();
      const tell = (told: readonly string[] | null) => {
        if (told === null || told.some((id) => ids.includes(id))) changed.resolve();
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
    /** Whether changes are told. */
    isOn: () => things !== null,
    stop: () => stopped.abort(),
  };
}

function change(things: Map<string, LiveThing>, { a: added, c: changed, r: removed }: StatesEvent): void {
  for (const [id, { s: state, a }] of Object.entries(added))
    if (keptDomains.has(domainOf(id))) things.set(id, { state, attributes: kept(a) });
  for (const [id, { '+': more, '-': less }] of Object.entries(changed)) {
    const before = things.get(id);
    if (!before) continue;
    const attributes = kept({ ...before.attributes, ...more?.a }, less?.a);
    things.set(id, { state: more?.s ?? before.state, attributes });
  }
  for (const id of removed) things.delete(id);
}

const kept = (attributes: Readonly<Record<string, unknown>>, without: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name]) => keptAttributes.has(name) && !without.includes(name)),
  );
