import type { Redis } from 'ioredis';
import { AppError } from '../errors.ts';
import { hearChannel } from '../redis/channel.ts';
import { type Effective, effectivePipeline, type Pipeline, pipelineKeys, type Seeds } from './pipeline.ts';
import { createSettingsStore, type KeptSettings, settingsChannel } from './settings-store.ts';

/** More revisions than this do not come about while a turn lasts; what was forgotten is read again. */
const rememberedRevisions = 32;

export interface SettingsState extends Effective {
  revision: number;
}

/** Values to set; `null` returns a setting to its default. */
export type Patch = { readonly [Key in keyof Pipeline]?: Pipeline[Key] | null | undefined };

/** A change as people see it: what was in effect before and after. */
export interface Change {
  revision: number;
  /** Unix time in ms. */
  at: number;
  changes: Record<string, { from: unknown; to: unknown }>;
}

interface SettingsOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  /** What the environment says where nobody has set anything. */
  seeds: Seeds;
  onError: (error: Error) => void;
}

export type Settings = ReturnType<typeof createSettings>;

/**
 * The settings of this process: read once, then kept up to date by the news of every change, and read again whenever Redis is back. While
 * Redis is away the last known ones go on.
 */
export function createSettings({ redis, subscriber, seeds, onError }: SettingsOptions) {
  const store = createSettingsStore({ redis });
  const remembered = new Map<number, Pipeline>();
  const listeners = new Set<(state: SettingsState) => void>();
  const nobodySaid = effectivePipeline({}, seeds);
  let state: SettingsState = { revision: 0, ...nobodySaid };
  let isRead = false;
  let reading: Promise<void> | null = null;
  let isOutdated = false;

  const remember = ({ revision, made }: KeptSettings): SettingsState => {
    const effective = effectivePipeline(made, seeds);
    remembered.set(revision, effective.values);
    const [oldest] = remembered.keys();
    if (remembered.size > rememberedRevisions && oldest !== undefined) remembered.delete(oldest);
    return { revision, ...effective };
  };
  const take = (kept: KeptSettings): void => {
    // Redis has lost its memory: its numbers begin again and mean something else.
    if (kept.revision < state.revision) remembered.clear();
    const isNews = !isRead || kept.revision !== state.revision;
    state = remember(kept);
    isRead = true;
    if (isNews) for (const listener of listeners) listener(state);
  };
  /** Reads until nothing new was told meanwhile. */
  const readAll = async (): Promise<void> => {
    do {
      isOutdated = false;
      take(await store.read());
    } while (isOutdated);
  };
  const refresh = (): Promise<void> => {
    isOutdated = true;
    reading ??= readAll().finally(() => {
      reading = null;
    });
    return reading;
  };
  // Without Redis there is nothing to read: its return is news too.
  const lookAgain = (): void => {
    if (redis.status === 'ready') refresh().catch(onError);
  };

  hearChannel({
    subscriber,
    channel: settingsChannel,
    onMessage: lookAgain,
    onListening: lookAgain,
    onError,
  });
  redis.on('ready', lookAgain);
  lookAgain();

  return {
    /** What is in effect now. */
    current: (): Pipeline => state.values,

    /** The same with its revision and where each setting comes from. */
    latest: (): SettingsState => state,

    /** The revision that a turn begins under. Rejects with `redis_unavailable` when nothing was ever read. */
    async revision(): Promise<number> {
      if (!isRead) await refresh();
      return state.revision;
    },

    /** What was in effect when a turn began: every stage of it sees this and nothing else. Without a turn, what is in effect now. */
    async of({ revision }: { revision?: number | undefined }): Promise<Pipeline> {
      if (revision === undefined) return state.values;
      const known = remembered.get(revision);
      if (known) return known;
      if (revision === 0) return nobodySaid.values;
      const kept = await store.readRevision(revision);
      return kept ? remember(kept).values : state.values;
    },

    /** All settings with where each comes from, as Redis has them. */
    async read(): Promise<SettingsState> {
      await refresh();
      return state;
    },

    /** Changes settings everywhere. `expected` is the revision that the change is meant for, null any. Throws `stale`. */
    async change(patch: Patch, expected: number | null): Promise<SettingsState> {
      const changes = pipelineKeys.flatMap((key): [string, string | null][] => {
        const value = patch[key];
        if (value === undefined) return [];
        return [[key, value === null ? null : JSON.stringify(value)]];
      });
      if (!(await store.change(new Map(changes), expected))) throw new AppError('stale');
      await refresh();
      return state;
    },

    /** The last changes, the newest first. */
    async history(): Promise<Change[]> {
      const effective = (key: string, json: string): unknown =>
        Object.entries(effectivePipeline(json === '' ? {} : { [key]: json }, seeds).values).find(
          ([each]) => each === key,
        )?.[1] ?? null;
      return (await store.history()).map(({ revision, at, changes }) => ({
        revision,
        at,
        changes: Object.fromEntries(
          changes.map(({ key, from, to }) => [key, { from: effective(key, from), to: effective(key, to) }]),
        ),
      }));
    },

    /** Is told of every change, and of what was read at first. */
    onChange: (listener: (state: SettingsState) => void) => void listeners.add(listener),
  };
}
