import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Pcm } from '../audio/pcm.ts';
import { AppError } from '../errors.ts';
import { onRedis } from '../redis/redis.ts';
import { type SoundHead, type SoundPiece, writePacket } from './sound-packet.ts';

/** Redis disconnects a subscriber whose backlog exceeds 8 MB for a minute, or 32 MB at any time. */
export const pieceBytes = 256 * 1024;
/** A live process answers within milliseconds, unless it is very busy. */
const acknowledgeMs = 3_000;
/**
 * Retries a message without a receiver. The receiver may have lost its connection for a moment, as after a
 * Redis restart.
 */
const retryDelayMs = 250;
const attempts = 8;

interface SoundSenderOptions {
  redis: Redis;
  /** The name under which the receiver answers. */
  address: string;
}

/** Sends sounds to other processes in pieces. Each piece waits for the acknowledgement of the one before. */
export function createSoundSender({ redis, address }: SoundSenderOptions) {
  const acknowledgements = new Map<string, (isWanted: boolean) => void>();

  /** False: no process received it. */
  const publish = async (to: string, head: SoundHead, bytes?: Buffer): Promise<boolean> => {
    const packet = writePacket(head, bytes);
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (attempt > 1) await delay(retryDelayMs);
      if ((await onRedis(redis, () => redis.publish(channelOf(to), packet))) > 0) return true;
    }
    return false;
  };
  const sendPiece = async (to: string, head: SoundPiece, bytes: Buffer): Promise<boolean> => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const late = setTimeout(
      () => reject(new AppError('redis_unavailable')),
      acknowledgeMs + retryDelayMs * attempts,
    );
    acknowledgements.set(head.transfer, resolve);
    promise.catch(() => undefined); // it may reject while the piece is still being sent
    try {
      return (await publish(to, head, bytes)) && (await promise);
    } finally {
      clearTimeout(late);
      acknowledgements.delete(head.transfer);
    }
  };
  const headOf = (sound: Pcm, place: Pick<SoundPiece, 'box' | 'seq' | 'transfer' | 'at'>): SoundPiece => ({
    type: 'piece',
    from: address,
    sampleRateHz: sound.sampleRateHz,
    sizeBytes: sound.samples.length,
    ...place,
  });

  return {
    publish,
    /** The receiver of a piece has answered. */
    acknowledged({
      transfer,
      isWanted,
    }: Pick<Extract<SoundHead, { type: 'taken' }>, 'transfer' | 'isWanted'>) {
      acknowledgements.get(transfer)?.(isWanted);
    },
    /** False: the sound is not wanted, or the process is gone. */
    async send(to: string, { box, seq }: { box: string; seq: number }, sound: Pcm): Promise<boolean> {
      const { samples } = sound;
      const transfer = randomUUID();
      for (let at = 0; at === 0 || at < samples.length; at += pieceBytes) {
        const head = headOf(sound, { box, seq, transfer, at });
        if (!(await sendPiece(to, head, samples.subarray(at, at + pieceBytes)))) return false;
      }
      return true;
    },
    /** Sends a sound of one piece before it is requested, and once. False: no process received it. */
    async sendAhead(to: string, id: string, sound: Pcm): Promise<boolean> {
      const head = { ...headOf(sound, { box: id, seq: 0, transfer: randomUUID(), at: 0 }), isAhead: true };
      return (await onRedis(redis, () => redis.publish(channelOf(to), writePacket(head, sound.samples)))) > 0;
    },
  };
}

/** The channel on which a process receives sounds. */
export function channelOf(address: string): string {
  return `hearth:sounds:${address}`;
}
