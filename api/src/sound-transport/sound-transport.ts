import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { rejectionOf, withTimeLimit } from '../abort.ts';
import type { Pcm } from '../audio/pcm.ts';
import { AppError } from '../errors.ts';
import { subscribeToBytes } from '../redis/channel.ts';
import { createSoundBuffers, type SoundBuffer } from './sound-buffers.ts';
import { createSoundCache } from './sound-cache.ts';
import { readPacket, type SoundPacket } from './sound-packet.ts';
import { channelOf, createSoundSender, pieceBytes } from './sound-sender.ts';

/** Memory limit for outgoing and for incoming sounds. All waiting turns together need less. */
const maxBytes = 64e6;
/** Longer than any turn, so that sounds are dropped even if their owner never releases them. */
const keptMs = 120_000;
/** Timeout for fetching a whole recording. */
const collectMs = 15_000;
/** After this many requests in a row, a process is expected to request the next sound, too. */
const requestsToPredict = 4;

interface SoundTransportOptions {
  redis: Redis;
  /** A connection used only for these messages. */
  subscriber: Redis;
  /** The name under which other processes reach this one. */
  address: string;
  onBadPacket: (error: Error) => void;
}

export type SoundTransport = ReturnType<typeof createSoundTransport>;

/**
 * Sends sounds between processes by id, because jobs and events never carry sound. Pub/Sub moves them from
 * memory to memory, so no recording is ever written to a disk. Each piece waits for the acknowledgement of
 * the one before.
 */
export function createSoundTransport({ redis, subscriber, address, onBadPacket }: SoundTransportOptions) {
  const cache = createSoundCache({ keptMs, maxBytes });
  const buffers = createSoundBuffers({ maxBytes });
  const requesters = createRequesters();
  const sender = createSoundSender({ redis, address });

  const sendRequested = async (id: string, { to, box }: { to: string; box: string }): Promise<void> => {
    const sound = cache.get(id);
    requesters.requested(to);
    if (sound) await sender.send(to, { box, seq: 0 }, sound);
    else await sender.publish(to, { type: 'gone', box });
  };
  const handle = async ({ head, bytes }: SoundPacket): Promise<void> => {
    if (head.type === 'ask') await sendRequested(head.id, head);
    else if (head.type === 'gone') buffers.gone(head.box);
    else if (head.type === 'taken') sender.acknowledged(head);
    else {
      const { transfer, from } = head;
      await sender.publish(from, { type: 'taken', transfer, isWanted: buffers.put(head, bytes) });
    }
  };
  const onPacket = (packet: Buffer): void => {
    const read = readPacket(packet);
    // If a reply cannot be sent, the receiver times out.
    if (read) handle(read).catch(() => undefined);
    else onBadPacket(new Error('A message about a sound could not be read'));
  };
  subscribeToBytes({ subscriber, channel: channelOf(address), onBytes: onPacket, onError: onBadPacket });

  return {
    /**
     * Keeps a sound until `forget`, so that other processes can fetch it. Throws AppError if there is no
     * room.
     */
    keep(id: string, sound: Pcm): void {
      if (!cache.put(id, sound)) throw new AppError('overloaded');
    },
    forget: (id: string): void => void cache.take(id),
    /**
     * Sends a sound in advance if one process fetches all sounds. If that is not known, or the sound is lost,
     * it is fetched as usual.
     */
    sendAhead(id: string): void {
      const to = requesters.only();
      const sound = cache.get(id);
      if (to === null || !sound || sound.samples.length > pieceBytes) return;
      sender
        .sendAhead(to, id, sound)
        .then((isReceived) => {
          if (!isReceived) requesters.forget();
        })
        .catch(() => undefined);
    },
    /** Fetches a sound from another process. Null: it does not exist any more. */
    async collect(id: string, from: string, signal: AbortSignal): Promise<Pcm | null> {
      const early = buffers.takeEarly(id);
      if (early !== null) return early;
      const name = randomUUID();
      const buffer = buffers.open(name);
      const limit = withTimeLimit(signal, collectMs);
      try {
        if (!(await sender.publish(from, { type: 'ask', id, box: name, to: address }))) return null;
        return await Promise.race([buffer.arrived, rejectionOf(limit)]);
      } catch (error) {
        signal.throwIfAborted();
        throw limit.aborted ? new AppError('redis_unavailable') : error;
      } finally {
        buffer.close();
      }
    },
    /** Sends a sound to a process. False: it is not wanted, or the process is gone. */
    send: sender.send,
    /** Receives the sounds sent under this name from now on. */
    open: (name: string): SoundBuffer => buffers.open(name),
    /** Bytes held, for other processes and for this one. */
    get heldBytes(): number {
      return cache.bytes + buffers.heldBytes;
    },
  };
}

/** Tracks which processes have requested the last sounds. */
function createRequesters() {
  let last: string | null = null;
  let inRow = 0;
  return {
    requested(from: string): void {
      inRow = from === last ? inRow + 1 : 1;
      last = from;
    },
    /** The process that requests all sounds. Null: there are several, or it is not known yet. */
    only: (): string | null => (inRow >= requestsToPredict ? last : null),
    forget(): void {
      [last, inRow] = [null, 0];
    },
  };
}
