import type { Heard, Listener } from '../../../api/src/audio/listener.ts';

/** As a satellite sends it: 20 ms at a time, here as fast as it is taken. */
export async function hear(ears: Listener, ...sounds: Buffer[]): Promise<Heard[]> {
  const all = Buffer.concat(sounds);
  const heard: Heard[] = [];
  for (let at = 0; at < all.length; at += 640) heard.push(...(await ears.push(all.subarray(at, at + 640))));
  return heard;
}

export const types = (heard: readonly Heard[]) => heard.map(({ type }) => type);
export const soundsOf = (heard: readonly Heard[]) =>
  heard.flatMap((each) => ('sound' in each ? [each.sound] : []));
/** Where utterances start, from which ms, and where they end. */
export const spans = (heard: readonly Heard[]) =>
  heard.filter(({ type }) => type === 'started' || type === 'ended');
