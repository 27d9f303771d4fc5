import type { Listener, UtteranceEdge } from '../../../api/src/audio/listener.ts';

/** Feeds sound like a satellite, in chunks of 20 ms, as fast as the listener accepts it. */
export async function hear(listener: Listener, ...sounds: Buffer[]): Promise<UtteranceEdge[]> {
  const all = Buffer.concat(sounds);
  const edges: UtteranceEdge[] = [];
  for (let at = 0; at < all.length; at += 640)
    edges.push(...(await listener.push(all.subarray(at, at + 640))));
  return edges;
}

export const types = (edges: readonly UtteranceEdge[]) => edges.map(({ type }) => type);
export const soundsOf = (edges: readonly UtteranceEdge[]) =>
  edges.flatMap((each) => ('sound' in each ? [each.sound] : []));
/** Formats utterances as their start (in ms) and end. */
export const spans = (edges: readonly UtteranceEdge[]) =>
  edges.filter(({ type }) => type === 'started' || type === 'ended');
