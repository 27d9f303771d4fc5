import type { Socket } from 'node:net';
import { createESPHomeHandshake, encodeVarint, readVarint } from 'esphome-client';

interface FramesOptions {
  name: string;
  mac: string;
  /** The encryption key in base64. Null: plain text. */
  key: string | null;
  /** Without a key, it also accepts a connection that is encrypted with a key of zeros. */
  isProvisionable: boolean;
  socket: Socket;
  take: (type: number, payload: Buffer) => void;
}

export type DeviceFrames = ReturnType<typeof createDeviceFrames>;
const zeros = Buffer.alloc(32).toString('base64');

/** Frames of ESPHome's native API on the side of the device: plain text, or encrypted with Noise. */
export function createDeviceFrames(options: FramesOptions) {
  let frames = options.key === null ? plainFrames(options) : noiseFrames({ ...options, key: options.key });
  let isBegun = options.key !== null || !options.isProvisionable;
  return {
    get isSealed() {
      return frames.isSealed;
    },
    push(more: Buffer): void {
      if (!isBegun && more[0] === 1) frames = noiseFrames({ ...options, key: zeros });
      isBegun = true;
      frames.push(more);
    },
    send: (type: number, payload: Buffer): void => frames.send(type, payload),
  };
}

function plainFrames({ socket, take }: FramesOptions) {
  let held: Buffer = Buffer.alloc(0);
  return {
    isSealed: false,
    push(more: Buffer): void {
      // It cannot read encrypted frames.
      if (more[0] === 1 && held.length === 0) socket.destroy();
      held = Buffer.concat([held, more]);
      for (let frame = plainFrameOf(held); frame; frame = plainFrameOf(held)) {
        held = held.subarray(frame.end);
        take(frame.type, frame.payload);
      }
    },
    send(type: number, payload: Buffer): void {
      const head = [Buffer.from([0]), encodeVarint(payload.length), encodeVarint(type)];
      socket.write(Buffer.concat([...head, payload]));
    },
  };
}

/** The client says hello and opens the handshake at once. The device answers with its name, then its part. */
function noiseFrames({ name, mac, key, socket, take }: FramesOptions & { key: string }) {
  const handshake = createESPHomeHandshake({ role: 'responder', psk: Buffer.from(key, 'base64') });
  let held: Buffer = Buffer.alloc(0);
  let step: 'hello' | 'handshake' | 'open' = 'hello';

  const write = (bytes: Buffer): void => {
    const head = Buffer.from([1, bytes.length >> 8, bytes.length & 0xff]);
    socket.write(Buffer.concat([head, bytes]));
  };
  const refuse = (why: string): void => {
    write(Buffer.concat([Buffer.from([1]), Buffer.from(why)]));
    socket.end();
  };
  const shake = (message: Buffer): void => {
    try {
      handshake.readMessage(message.subarray(1));
    } catch {
      refuse('Handshake MAC failure');
      return;
    }
    write(Buffer.concat([Buffer.from([0]), handshake.writeMessage()]));
    step = 'open';
  };
  const open = (sealed: Buffer): void => {
    const frame = handshake.receiveCipher?.DecryptWithAd(Buffer.alloc(0), sealed) ?? Buffer.alloc(4);
    take(frame.readUInt16BE(0), frame.subarray(4, 4 + frame.readUInt16BE(2)));
  };
  const frame = (bytes: Buffer): void => {
    if (step === 'hello') {
      write(Buffer.concat([Buffer.from([1]), Buffer.from(`${name}\0${mac.replaceAll(':', '')}\0`)]));
      step = 'handshake';
    } else if (step === 'handshake') shake(bytes);
    else open(bytes);
  };
  return {
    isSealed: true,
    push(more: Buffer): void {
      held = Buffer.concat([held, more]);
      if (held.length > 0 && held[0] !== 1) {
        refuse('Bad indicator byte');
        return;
      }
      while (held.length >= 3 && held.length >= 3 + held.readUInt16BE(1)) {
        const end = 3 + held.readUInt16BE(1);
        const bytes = held.subarray(3, end);
        held = held.subarray(end);
        frame(bytes);
      }
    },
    send(type: number, payload: Buffer): void {
      const head = Buffer.alloc(4);
      head.writeUInt16BE(type, 0);
      head.writeUInt16BE(payload.length, 2);
      const plain = Buffer.concat([head, payload]);
      const sealed = handshake.sendCipher?.EncryptWithAd(Buffer.alloc(0), plain);
      if (sealed !== undefined) write(sealed);
    },
  };
}

/** The first whole message; null if it is incomplete. */
function plainFrameOf(held: Buffer): { type: number; payload: Buffer; end: number } | null {
  if (held.length < 3) return null;
  try {
    const [length, afterLength] = varint(held, 1);
    const [type, begin] = varint(held, afterLength);
    if (held.length < begin + length) return null;
    return { type, payload: held.subarray(begin, begin + length), end: begin + length };
  } catch {
    return null;
  }
}

/** Reads a number and its end position. */
function varint(held: Buffer, at: number): [number, number] {
  const [value, size] = readVarint(held, at);
  return [value, at + size];
}
