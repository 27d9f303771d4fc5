import type { Redis } from 'ioredis';
import { AppError } from '../errors.ts';
import type { OnUnreadable } from '../redis/json-lines.ts';
import { createKnownSettings, type SettingsState } from './known-settings.ts';
import {
  effectivePipeline,
  type FixedSettings,
  type Pipeline,
  pipelineKeys,
  type Seeds,
} from './pipeline.ts';
import { createSettingsStore, type StoredChange } from './settings-store.ts';

/** Values to set. `null` resets a setting to its default. */
export type Patch = { readonly [Key in keyof Pipeline]?: Pipeline[Key] | null | undefined };

/** A change with the values in effect before and after. */
interface Change {
  revision: number;
  /** Unix time in ms. */
  at: number;
  changes: Record<string, { from: unknown; to: unknown }>;
}

interface SettingsOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  /** Values from the environment, for settings without a change. */
  seeds: Seeds;
  fixed?: FixedSettings | undefined;
  onError: (error: Error) => void;
  onUnreadable?: OnUnreadable | undefined;
}

export type Settings = ReturnType<typeof createSettings>;

/** The settings of this process, with changes for all processes. */
export function createSettings(options: SettingsOptions) {
  const { redis, subscriber, seeds, fixed, onError, onUnreadable } = options;
  const store = createSettingsStore({ redis, onUnreadable });
  const known = createKnownSettings({ redis, subscriber, store, seeds, fixed, onError });
  const { latest, refresh, onChange } = known;

  return {
    /** The settings in effect now. */
    current: (): Pipeline => latest().values,

    /** The same with the revision and the source of each setting. */
    latest,

    /** The revision for a new turn. Rejects with `redis_unavailable` if the settings were never read. */
    async revision(): Promise<number> {
      if (!known.isRead) await refresh();
      return latest().revision;
    },

    /** The settings of a turn's revision, which all its stages use. Without a revision, the current ones. */
    of: async ({ revision }: { revision?: number | undefined }): Promise<Pipeline> =>
      revision === undefined ? latest().values : known.at(revision),

    /** All settings with their sources, as stored in Redis. */
    async read(): Promise<SettingsState> {
      await refresh();
      return latest();
    },

    /**
     * Changes settings for all processes. `expected` is the revision to change. Null: any. Throws `stale`.
     */
    async change(patch: Patch, expected: number | null): Promise<SettingsState> {
      if (!(await store.change(kept(patch), expected))) throw new AppError('stale');
      await refresh();
      return latest();
    },

    /** The last changes, newest first. */
    history: async (): Promise<Change[]> => (await store.history()).map((change) => asSeen(change, seeds)),

    onChange,
  };
}

/** Converts a patch for Redis: values as JSON, null to reset a setting. */
function kept(patch: Patch): Map<string, string | null> {
  const changes = pipelineKeys.flatMap((key): [string, string | null][] => {
    const value = patch[key];
    if (value === undefined) return [];
    return [[key, value === null ? null : JSON.stringify(value)]];
  });
  return new Map(changes);
}

/** A change with the values in effect. Unset values show the default. */
function asSeen({ revision, at, changes }: StoredChange, seeds: Seeds): Change {
  const effective = (key: string, json: string): unknown =>
    Object.entries(effectivePipeline(json === '' ? {} : { [key]: json }, seeds).values).find(
      ([each]) => each === key,
    )?.[1] ?? null;
  const seen = changes.map(({ key, from, to }) => [
    key,
    { from: effective(key, from), to: effective(key, to) },
  ]);
  return { revision, at, changes: Object.fromEntries(seen) };
}
