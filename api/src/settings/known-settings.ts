import type { Redis } from 'ioredis';
import { putLatest } from '../latest.ts';
import { keepFresh } from '../redis/refresher.ts';
import { type Effective, effectivePipeline, type Pipeline, type Seeds } from './pipeline.ts';
import { type KeptSettings, type SettingsStore, settingsChannel } from './settings-store.ts';

/** More revisions than this do not come about while a turn lasts; what was forgotten is read again. */
const rememberedRevisions = 32;

export interface SettingsState extends Effective {
  revision: number;
}

interface KnownSettingsOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  store: Pick<SettingsStore, 'read' | 'readRevision'>;
  seeds: Seeds;
  onError: (error: Error) => void;
}

/**
 * The settings that this process knows: read once, then kept up to date by the news of every change, and read again whenever Redis is back. While
 * Redis is away the last known ones go on.
 */
export function createKnownSettings({ redis, subscriber, store, seeds, onError }: KnownSettingsOptions) {
  const remembered = new Map<number, Pipeline>();
  const listeners = new Set<(state: SettingsState) => void>();
  const nobodySaid = effectivePipeline({}, seeds);
  let state: SettingsState = { revision: 0, ...nobodySaid };
  let isRead = false;

  const remember = ({ revision, made }: KeptSettings): SettingsState => {
    const effective = effectivePipeline(made, seeds);
    putLatest(remembered, [revision, effective.values], rememberedRevisions);
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
  const refresh = keepFresh({
    redis,
    subscriber,
    channel: settingsChannel,
    read: async () => take(await store.read()),
    onError,
  });

  return {
    latest: (): SettingsState => state,

    /** Whether anything was ever read. */
    get isRead(): boolean {
      return isRead;
    },

    /** Reads what Redis has now. */
    refresh,

    /** The settings of an earlier revision; those of now when nobody knows them any more. */
    async at(revision: number): Promise<Pipeline> {
      const known = remembered.get(revision);
      if (known) return known;
      if (revision === 0) return nobodySaid.values;
      const kept = await store.readRevision(revision);
      return kept ? remember(kept).values : state.values;
    },

    /** Is told of every change, and of the settings that were read at first. */
    onChange: (listener: (state: SettingsState) => void) => void listeners.add(listener),
  };
}
