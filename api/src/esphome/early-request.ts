import type { createVoiceTurns } from './voice-turns.ts';

/** Sound that is kept, longer than any setup takes. */
const maxSoundBytes = 10 * 32_000;

/**
 * Keeps a request that arrives while the device is being connected. Firmware waits for a reply to its request
 * without a timeout, so a lost request would leave the device silent.
 */
export function createEarlyRequest() {
  let request: { wakeWord: string; sound: Buffer[] } | null = null;
  let soundBytes = 0;

  return {
    onRequest(wakeWord: string): void {
      request = { wakeWord, sound: [] };
      soundBytes = 0;
    },
    stopped(): void {
      request = null;
    },
    /** Some devices send sound before the reply to their request. */
    sound(samples: Buffer): void {
      if (soundBytes + samples.length > maxSoundBytes) return;
      soundBytes += samples.length;
      request?.sound.push(samples);
    },
    /** Call once, when the device is connected. */
    replay(turns: Pick<ReturnType<typeof createVoiceTurns>, 'onRequest' | 'sound'>): void {
      if (request === null) return;
      turns.onRequest(request.wakeWord);
      for (const samples of request.sound) turns.sound(samples);
      request = null;
    },
  };
}
