import type { Pcm } from '../audio/pcm.ts';
import { createSoundCache } from './sound-cache.ts';
import type { SoundPiece } from './sound-packet.ts';

/** Maximum length. Recordings and sentences are shorter. */
const maxSoundBytes = 16e6;
/** Limits for sounds that arrive before they are requested. */
const ahead = { keptMs: 15_000, maxBytes: 8e6 };

/** Receives the sounds of one turn. */
export interface SoundBuffer {
  /** Returns a sound that has arrived and removes it. Null: there is none. */
  take(seq: number): Pcm | null;
  /** Resolves with the first sound. Null: the sender has none. */
  arrived: Promise<Pcm | null>;
  /** Stops receiving and drops all sounds. */
  close(): void;
}

interface OpenBuffer extends SoundBuffer {
  whole: Map<number, Pcm>;
  arrive(sound: Pcm | null): void;
}

interface IncomingSound {
  box: string;
  pieces: Buffer[];
  bytes: number;
}

/**
 * Holds the sounds that other processes send. Accepts only requested sounds and a few in advance, up to
 * `maxBytes`.
 */
export function createSoundBuffers({ maxBytes }: { maxBytes: number }) {
  const buffers = new Map<string, OpenBuffer>();
  const incoming = new Map<string, IncomingSound>();
  const early = createSoundCache(ahead);
  let heldBytes = 0;

  const drop = (transfer: string): void => {
    heldBytes -= incoming.get(transfer)?.bytes ?? 0;
    incoming.delete(transfer);
  };
  const remove = (whole: Map<number, Pcm>, seq: number): Pcm | null => {
    const sound = whole.get(seq) ?? null;
    whole.delete(seq);
    heldBytes -= sound?.samples.length ?? 0;
    return sound;
  };
  const finish = (
    buffer: OpenBuffer,
    { seq, transfer, sampleRateHz }: SoundPiece,
    pieces: Buffer[],
  ): void => {
    drop(transfer);
    remove(buffer.whole, seq); // the sound was synthesized twice
    const samples = Buffer.concat(pieces);
    heldBytes += samples.length;
    buffer.whole.set(seq, { sampleRateHz, samples });
    buffer.arrive({ sampleRateHz, samples });
  };

  return {
    open(name: string): SoundBuffer {
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<Pcm | null>();
      const whole = new Map<number, Pcm>();
      const buffer: OpenBuffer = {
        whole,
        arrived,
        arrive,
        take: (seq) => remove(whole, seq),
        close() {
          buffers.delete(name);
          for (const seq of whole.keys()) remove(whole, seq);
          for (const [transfer, each] of incoming) if (each.box === name) drop(transfer);
        },
      };
      buffers.set(name, buffer);
      return buffer;
    },
    /** Accepts a piece. False: it is not wanted, or there is no room. */
    put(piece: SoundPiece, bytes: Buffer): boolean {
      const buffer = buffers.get(piece.box);
      const { transfer, sizeBytes, at } = piece;
      const known = incoming.get(transfer) ?? { box: piece.box, pieces: [], bytes: 0 };
      const fits = sizeBytes <= maxSoundBytes && heldBytes + early.bytes + bytes.length <= maxBytes;
      if (!buffer && piece.isAhead)
        return (
          fits &&
          bytes.length === sizeBytes &&
          early.put(piece.box, { sampleRateHz: piece.sampleRateHz, samples: bytes })
        );
      if (!buffer || !fits || at !== known.bytes || at + bytes.length > sizeBytes) {
        drop(transfer);
        return false;
      }
      known.pieces.push(bytes);
      known.bytes += bytes.length;
      heldBytes += bytes.length;
      incoming.set(transfer, known);
      if (known.bytes === sizeBytes) finish(buffer, piece, known.pieces);
      return true;
    },
    /** Returns a sound that arrived before it was requested. Null: there is none. */
    takeEarly: early.take,
    /** The sender has no sound for this buffer. */
    gone: (name: string) => buffers.get(name)?.arrive(null),
    get heldBytes(): number {
      return heldBytes + early.bytes;
    },
  };
}
