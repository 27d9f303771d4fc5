import type { Vad } from '../audio/vad.ts';

/** Loads the VAD when the first satellite connects. The first sound waits for it. */
export function createLateVad(loadVad: () => Promise<Vad>): Vad & { load: () => Promise<Vad> } {
  let loading: Promise<Vad> | null = null;
  const load = () => {
    loading ??= loadVad().catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return {
    load,
    open() {
      const stream = load().then((vad) => vad.open());
      stream.catch(() => undefined);
      return { speech: async (frame) => (await stream).speech(frame) };
    },
  };
}
