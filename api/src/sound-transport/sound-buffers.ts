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

interface OpenBox extends SoundBuffer {
  whole: Map<number, Pcm>;
  arrive(sound: Pcm | null): void;
}

interface Arriving {
  box: string;
  pieces: Buffer[];
  bytes: number;
}

/**
 * Holds the sounds that other processes send. Accepts only requested sounds and a few in advance, up to
 * `maxBytes`.
 */
export function createSoundBuffers({ maxBytes }: { maxBytes: number }) {
  const boxes = new Map<string, OpenBox>();
  const arriving = new Map<string, Arriving>();
  const early = createSoundCache(ahead);
  let heldBytes = 0;

  const drop = (transfer: string): void => {
    heldBytes -= arriving.get(transfer)?.bytes ?? 0;
    arriving.delete(transfer);
  };
  const takeOut = (whole: Map<number, Pcm>, seq: number): Pcm | null => {
    const sound = whole.get(seq) ?? null;
    whole.delete(seq);
    heldBytes -= sound?.samples.length ?? 0;
    return sound;
  };
  const finish = (box: OpenBox, { seq, transfer, sampleRateHz }: SoundPiece, pieces: Buffer[]): void => {
    drop(transfer);
    takeOut(box.whole, seq); // the sound was synthesized twice
    const samples = Buffer.concat(pieces);
    heldBytes += samples.length;
    box.whole.set(seq, { sampleRateHz, samples });
    box.arrive({ sampleRateHz, samples });
  };

  return {
    open(name: string): SoundBuffer {
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<Pcm | null>();
      const whole = new Map<number, Pcm>();
      const box: OpenBox = {
        whole,
        arrived,
        arrive,
        take: (seq) => takeOut(whole, seq),
        close() {
          boxes.delete(name);
          for (const seq of whole.keys()) takeOut(whole, seq);
          for (const [transfer, each] of arriving) if (each.box === name) drop(transfer);
        },
      };
      boxes.set(name, box);
      return box;
    },
    /** Accepts a piece. False: it is not wanted, or there is no room. */
    put(piece: SoundPiece, bytes: Buffer): boolean {
      const box = boxes.get(piece.box);
      const { transfer, sizeBytes, at } = piece;
      const known = arriving.get(transfer) ?? { box: piece.box, pieces: [], bytes: 0 };
      const fits = sizeBytes <= maxSoundBytes && heldBytes + early.bytes + bytes.length <= maxBytes;
      if (!box && piece.isAhead)
        return (
          fits &&
          bytes.length === sizeBytes &&
          early.put(piece.box, { sampleRateHz: piece.sampleRateHz, samples: bytes })
        );
      if (!box || !fits || at !== known.bytes || at + bytes.length > sizeBytes) {
        drop(transfer);
        return false;
      }
      known.pieces.push(bytes);
      known.bytes += bytes.length;
      heldBytes += bytes.length;
      arriving.set(transfer, known);
      if (known.bytes === sizeBytes) finish(box, piece, known.pieces);
      return true;
    },
    /** Returns a sound that arrived before it was requested. Null: there is none. */
    takeEarly: early.take,
    /** The sender has no sound for this box. */
    gone: (name: string) => boxes.get(name)?.arrive(null),
    get heldBytes(): number {
      return heldBytes + early.bytes;
    },
  };
}
