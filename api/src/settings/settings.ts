import type { Redis } from 'ioredis';
import { AppError } from '../errors.ts';
import type { OnUnreadable } from '../redis/kept-lines.ts';
import { createKnownSettings, type SettingsState } from './known-settings.ts';
import { effectivePipeline, type Pipeline, pipelineKeys, type Seeds } from './pipeline.ts';
import { createSettingsStore, type KeptChange } from './settings-store.ts';

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
  /** The environment's values, where nobody has set anything. */
  seeds: Seeds;
  onError: (error: Error) => void;
  onUnreadable?: OnUnreadable | undefined;
}

export type Settings = ReturnType<typeof createSettings>;

/** The settings of this process, and their changes everywhere. */
export function createSettings({ redis, subscriber, seeds, onError, onUnreadable }: SettingsOptions) {
  const store = createSettingsStore({ redis, onUnreadable });
  const known = createKnownSettings({ redis, subscriber, store, seeds, onError });
  const { latest, refresh, onChange } = known;

  return {
    /** The settings that are in effect now. */
    current: (): Pipeline => latest().values,

    /** The same with its revision and where each setting comes from. */
    latest,

    /** The revision that a turn begins under. Rejects with `redis_unavailable` when nothing was ever read. */
    async revision(): Promise<number> {
      if (!known.isRead) await refresh();
      return latest().revision;
    },

    /** The settings that were in effect when a turn began: every stage of it sees these and no others. Without a turn, those of now. */
    of: async ({ revision }: { revision?: number | undefined }): Promise<Pipeline> =>
      revision === undefined ? latest().values : known.at(revision),

    /** All settings with where each comes from, as Redis has them. */
    async read(): Promise<SettingsState> {
      await refresh();
      return latest();
    },

    /** Changes settings everywhere. `expected` is the revision that the change is meant for, null any. Throws `stale`. */
    async change(patch: Patch, expected: number | null): Promise<SettingsState> {
      if (!(await store.change(kept(patch), expected))) throw new AppError('stale');
      await refresh();
      return latest();
    },

    /** The last changes, the newest first. */
    history: async (): Promise<Change[]> => (await store.history()).map((change) => asSeen(change, seeds)),

    onChange,
  };
}

/** A patch as Redis keeps it: values as JSON, null for a setting that goes back to its default. */
function kept(patch: Patch): Map<string, string | null> {
  const changes = pipelineKeys.flatMap((key): [string, string | null][] => {
    const value = patch[key];
    if (value === undefined) return [];
    return [[key, value === null ? null : JSON.stringify(value)]];
  });
  return new Map(changes);
}

/** A change with the values that were in effect: of a setting that nobody had made, its default. */
function asSeen({ revision, at, changes }: KeptChange, seeds: Seeds): Change {
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
