import { z } from 'zod';
import { parseJson } from '../json.ts';

const headSchema = z.discriminatedUnion('type', [
  /** Requests the sound with this id. */
  z.object({ type: z.literal('ask'), id: z.string(), box: z.string(), to: z.string() }),
  /** The sender does not have the sound any more. */
  z.object({ type: z.literal('gone'), box: z.string() }),
  /** Bytes of a sound, starting at `at`. */
  z.object({
    type: z.literal('piece'),
    box: z.string(),
    seq: z.number(),
    transfer: z.string(),
    from: z.string(),
    sampleRateHz: z.number(),
    sizeBytes: z.number(),
    at: z.number(),
    /** The sound was not requested yet, but will be. */
    isAhead: z.boolean().optional(),
  }),
  /** A piece has arrived. False: the rest of this sound is not wanted. */
  z.object({ type: z.literal('taken'), transfer: z.string(), isWanted: z.boolean() }),
]);

/** A message between two processes about a sound. */
export type SoundHead = z.infer<typeof headSchema>;
/** A piece of a sound. */
export type SoundPiece = Extract<SoundHead, { type: 'piece' }>;

export interface SoundPacket {
  head: SoundHead;
  bytes: Buffer;
}

const noBytes = Buffer.alloc(0);
const lengthBytes = 4;

/** Encodes a message: length of the head, the head in JSON, then the raw bytes. */
export function writePacket(head: SoundHead, bytes: Buffer = noBytes): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, bytes]);
}

/** Decodes a message. Null: it is malformed. */
export function readPacket(packet: Buffer): SoundPacket | null {
  if (packet.length < lengthBytes) return null;
  const end = lengthBytes + packet.readUInt32LE(0);
  const { data: head } = headSchema.safeParse(parseJson(packet.toString('utf8', lengthBytes, end)));
  return head === undefined ? null : { head, bytes: packet.subarray(end) };
}
