import { once } from 'node:events';
import { connect } from 'node:net';
import { createFrameReader, frameOf, type WyomingEvent } from '../../../api/src/wyoming/frames.ts';
import { waitFor } from '../wait-for.ts';

export type WyomingClient = Awaited<ReturnType<typeof connectWyoming>>;

/** A caller of the Wyoming protocol on this machine. */
export async function connectWyoming(port: number) {
  const socket = connect({ host: '127.0.0.1', port });
  const events: WyomingEvent[] = [];
  const reader = createFrameReader();
  let hasEnded = false;
  socket.on('data', (bytes) => events.push(...reader.push(bytes as Buffer)));
  socket.on('error', () => undefined);
  socket.once('close', () => {
    hasEnded = true;
  });
  await once(socket, 'connect');
  return {
    events,
    types: () => events.map(({ type }) => type),
    hasEnded: () => hasEnded,
    ended: () => waitFor(async () => hasEnded),
    send: (type: string, data: Record<string, unknown> = {}, payload?: Buffer) =>
      socket.write(frameOf({ type, data, ...(payload && { payload }) })),
    /** Resolves when all data was sent, or the connection is over. */
    drained: () => Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined),
    raw: (bytes: string | Buffer) => socket.write(bytes),
    /** The first event of this type, once it has arrived. */
    event: (type: string) => waitFor(async () => events.find((each) => each.type === type) ?? false),
    leave: () => socket.destroy(),
  };
}
