import type { Redis } from 'ioredis';
import { putLatest } from '../latest.ts';
import { keepFresh } from '../redis/refresher.ts';
import {
  type EffectiveSettings,
  effectivePipeline,
  type FixedSettings,
  type Pipeline,
  type Seeds,
} from './pipeline.ts';
import { type SettingsStore, type StoredSettings, settingsChannel } from './settings-store.ts';

/** More than the number of revisions during a turn. Evicted ones are read again. */
const rememberedRevisions = 32;

export interface SettingsState extends EffectiveSettings {
  revision: number;
}

interface KnownSettingsOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  store: Pick<SettingsStore, 'read' | 'readRevision'>;
  seeds: Seeds;
  fixed?: FixedSettings | undefined;
  onError: (error: Error) => void;
}

/**
 * The settings known to this process: read once, updated after every change message, and read again after a
 * reconnect. While Redis is unavailable, the last known settings stay in use.
 */
export function createKnownSettings(options: KnownSettingsOptions) {
  const { redis, subscriber, store, seeds, fixed, onError } = options;
  const remembered = new Map<number, Pipeline>();
  const listeners = new Set<(state: SettingsState) => void>();
  const nobodySaid = effectivePipeline({}, seeds, fixed);
  let state: SettingsState = { revision: 0, ...nobodySaid };
  let isRead = false;

  const remember = ({ revision, made }: StoredSettings): SettingsState => {
    const effective = effectivePipeline(made, seeds, fixed);
    putLatest(remembered, [revision, effective.values], rememberedRevisions);
    return { revision, ...effective };
  };
  const take = (kept: StoredSettings): void => {
    // Redis has lost its memory, so revision numbers start again with a new meaning.
    if (kept.revision < state.revision) remembered.clear();
    const isNews = !isRead || kept.revision !== state.revision;
    state = remember(kept);
    isRead = true;
    if (isNews) for (const listener of listeners) listener(state);
  };
  const refresh = keepFresh({
    redis,
    subscriber,
    channel: settingsChannel,
    read: async () => take(await store.read()),
    onError,
  });

  return {
    latest: (): SettingsState => state,

    /** Whether the settings were ever read. */
    get isRead(): boolean {
      return isRead;
    },

    /** Reads the settings from Redis now. */
    refresh,

    /** The settings of an earlier revision, or the current ones if that revision is gone. */
    async at(revision: number): Promise<Pipeline> {
      const known = remembered.get(revision);
      if (known) return known;
      if (revision === 0) return nobodySaid.values;
      const kept = await store.readRevision(revision);
      return kept ? remember(kept).values : state.values;
    },

    /** Registers a listener for the first read and every change. */
    onChange: (listener: (state: SettingsState) => void) => void listeners.add(listener),
  };
}
