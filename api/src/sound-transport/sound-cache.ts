import type { Pcm } from '../audio/pcm.ts';

interface SoundCacheOptions {
  /** How long each sound is kept. */
  keptMs: number;
  /** Limit for all sounds together. */
  maxBytes: number;
}

/** Keeps sounds by id until they are fetched. */
export function createSoundCache({ keptMs, maxBytes }: SoundCacheOptions) {
  const kept = new Map<string, { sound: Pcm; timer: NodeJS.Timeout }>();
  let bytes = 0;

  const take = (id: string): Pcm | null => {
    const found = kept.get(id);
    if (!found) return null;
    clearTimeout(found.timer);
    kept.delete(id);
    bytes -= found.sound.samples.length;
    return found.sound;
  };
  return {
    /** False: there is no room. */
    put(id: string, sound: Pcm): boolean {
      take(id);
      if (bytes + sound.samples.length > maxBytes) return false;
      bytes += sound.samples.length;
      kept.set(id, { sound, timer: setTimeout(() => take(id), keptMs).unref() });
      return true;
    },
    get: (id: string): Pcm | undefined => kept.get(id)?.sound,
    /** Null: it is not here. */
    take,
    get bytes(): number {
      return bytes;
    },
  };
}
