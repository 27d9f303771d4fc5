import type { Redis } from 'ioredis';
import type { Pcm } from '../audio/pcm.ts';
import { readWav, writeWav } from '../audio/wav.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

export type AudioStore = ReturnType<typeof createAudioStore>;

/** Sound on its way between processes, by id: jobs and messages never carry it. */
export function createAudioStore({ redis }: { redis: Redis }) {
  const toSound = (wav: Buffer | null) => (wav ? readWav(wav) : null);

  return {
    async save(id: string, sound: Pcm): Promise<void> {
      await onRedis(redis, () => redis.set(soundKey(id), writeWav(sound), 'EX', keys.sound.lastsS));
    },
    /** Null when it is no longer there. */
    read: async (id: string): Promise<Pcm | null> =>
      toSound(await onRedis(redis, () => redis.getBuffer(soundKey(id)))),
    /** Reads it, and then removes it. */
    take: async (id: string): Promise<Pcm | null> =>
      toSound(await onRedis(redis, () => redis.getdelBuffer(soundKey(id)))),
  };
}

/** The sound of one sentence of a turn's reply. */
export function speechId(turnId: string, seq: number): string {
  return `${turnId}-${seq}`;
}

function soundKey(id: string): string {
  return keys.sound.of(id);
}
