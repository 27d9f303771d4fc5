import { connect, type Socket } from 'node:net';
import {
  createESPHomeHandshake,
  decodeProtobuf,
  encodeProtoFields,
  encodeVarint,
  extractNumberField,
  type HandshakeState,
  MessageType,
  readVarint,
  WireType,
} from 'esphome-client';
import { withTimeLimit } from '../abort.ts';
import { LinkProblem } from './link-problem.ts';
import type { HostAndPort } from './voice-device.ts';

/** For the whole exchange. The device stores the key in its flash memory. */
const exchangeMs = 10_000;
/** Larger than any message of this exchange. */
const maxFrameBytes = 4_096;
const maxFields = 256;
/** An unprovisioned device accepts this key, so that its first real key is not sent in plain text. */
const provisioningKey = Buffer.alloc(32).toString('base64');
/** Fields of DeviceInfoResponse and NoiseEncryptionSetKeyResponse in ESPHome's api.proto. */
const fieldOf = { provisionable: 26, success: 1 };

/**
 * Gives a device without a key its encryption key (base64), and resolves when the key is in use. Resolves
 * with false if the device refuses it. The library sends the 32 bytes, but ESPHome's firmware expects base64.
 */
export async function giveKey(place: HostAndPort, key: string, signal: AbortSignal): Promise<boolean> {
  const limit = withTimeLimit(signal, exchangeMs);
  const plain = await openDevice(place, null, limit);
  try {
    const info = await plain.ask(MessageType.DEVICE_INFO_REQUEST, MessageType.DEVICE_INFO_RESPONSE);
    // Older firmware takes the key in plain text only, newer firmware never does.
    if (extractNumberField(info, fieldOf.provisionable) !== 1) return await setKey(plain, key);
  } finally {
    plain.close();
  }
  return await changeKey(place, { current: provisioningKey, next: key }, limit);
}

/** Removes the key that a device got from us, so that another program can give it one. */
export async function removeDeviceKey(place: HostAndPort, key: string, signal: AbortSignal): Promise<void> {
  const isRemoved = await changeKey(place, { current: key, next: '' }, withTimeLimit(signal, exchangeMs));
  if (!isRemoved) throw new LinkProblem('The device refused to remove its encryption key.');
}

async function changeKey(
  place: HostAndPort,
  { current, next }: { current: string; next: string },
  signal: AbortSignal,
): Promise<boolean> {
  const sealed = await openDevice(place, current, signal);
  try {
    return await setKey(sealed, next);
  } finally {
    sealed.close();
  }
}

type OpenDevice = Awaited<ReturnType<typeof openDevice>>;

async function setKey(device: OpenDevice, key: string): Promise<boolean> {
  const { NOISE_ENCRYPTION_SET_KEY_REQUEST: request, NOISE_ENCRYPTION_SET_KEY_RESPONSE: response } =
    MessageType;
  const reply = await device.ask(request, response, [bytesField(1, key)]);
  if (extractNumberField(reply, fieldOf.success) !== 1) return false;
  // The device asks its clients to leave as soon as it uses the new key.
  await device.until(MessageType.DISCONNECT_REQUEST).catch(() => undefined);
  return true;
}

/** Connects in plain text, or encrypted with a key, and says hello. */
async function openDevice(place: HostAndPort, key: string | null, signal: AbortSignal) {
  const socket = connect({ host: place.host, port: place.port, signal });
  socket.on('error', () => undefined); // the reader reports it
  const take = createByteReader(socket);
  const frames = key === null ? plainFrames(socket, take) : await noiseFrames(socket, take, key);

  const until = async (type: number) => {
    for (;;) {
      const message = await frames.next();
      if (message.type === type) return decodeProtobuf(message.payload, { maxFieldsPerMessage: maxFields });
    }
  };
  const ask = (type: number, replyType: number, fields: Parameters<typeof encodeProtoFields>[0] = []) => {
    frames.send(type, encodeProtoFields(fields));
    return until(replyType);
  };
  await ask(MessageType.HELLO_REQUEST, MessageType.HELLO_RESPONSE, [
    bytesField(1, 'Hearth'),
    { fieldNumber: 2, value: 1, wireType: WireType.VARINT },
    { fieldNumber: 3, value: 10, wireType: WireType.VARINT },
  ]);
  // Older firmware wants a login, newer firmware ignores it.
  frames.send(MessageType.CONNECT_REQUEST, Buffer.alloc(0));
  return { ask, until, close: () => socket.destroy() };
}

function bytesField(fieldNumber: number, text: string) {
  return { fieldNumber, value: Buffer.from(text), wireType: WireType.LENGTH_DELIMITED };
}

type TakeBytes = ReturnType<typeof createByteReader>;

/** Reads a given number of bytes. Rejects when the connection ends. */
function createByteReader(socket: Socket) {
  let held: Buffer = Buffer.alloc(0);
  let onChange = (): void => undefined;
  socket.on('data', (piece: Buffer) => {
    held = Buffer.concat([held, piece]);
    if (held.length > 2 * maxFrameBytes) socket.pause();
    onChange();
  });
  socket.on('close', () => onChange());
  return async (count: number): Promise<Buffer> => {
    while (held.length < count) {
      if (socket.destroyed || socket.readableEnded)
        throw new LinkProblem('The device closed the connection. If it has an encryption key, enter it.');
      const { promise, resolve } = Promise.withResolvers<void>();
      onChange = resolve;
      socket.resume();
      await promise;
    }
    const taken = held.subarray(0, count);
    held = held.subarray(count);
    return taken;
  };
}

function checkSize(size: number): void {
  if (size > maxFrameBytes) throw new LinkProblem('The device at this address is not an ESPHome device.');
}

function plainFrames(socket: Socket, take: TakeBytes) {
  const number = async (): Promise<number> => {
    let bytes = await take(1);
    while (bytes.readUInt8(bytes.length - 1) >= 0x80 && bytes.length < 5)
      bytes = Buffer.concat([bytes, await take(1)]);
    return readVarint(bytes, 0)[0];
  };
  return {
    send(type: number, payload: Buffer): void {
      socket.write(Buffer.concat([Buffer.of(0), encodeVarint(payload.length), encodeVarint(type), payload]));
    },
    async next(): Promise<{ type: number; payload: Buffer }> {
      const [mark] = await take(1);
      if (mark !== 0)
        throw new LinkProblem("The device asks for an encryption key. Enter this device's key.");
      const size = await number();
      const type = await number();
      checkSize(size);
      return { type, payload: await take(size) };
    },
  };
}

async function noiseFrames(socket: Socket, take: TakeBytes, key: string) {
  const write = (bytes: Buffer): void => {
    socket.write(Buffer.concat([Buffer.of(1, bytes.length >> 8, bytes.length & 0xff), bytes]));
  };
  const read = async (): Promise<Buffer> => {
    const head = await take(3);
    const size = head.readUInt16BE(1);
    if (head[0] !== 1) throw new LinkProblem('The device does not use encryption.');
    checkSize(size);
    return await take(size);
  };
  const handshake: HandshakeState = createESPHomeHandshake({
    role: 'initiator',
    psk: Buffer.from(key, 'base64'),
  });
  write(Buffer.alloc(0));
  write(Buffer.concat([Buffer.of(0), handshake.writeMessage()]));
  await read(); // its name
  const reply = await read();
  if (reply[0] !== 0) throw new LinkProblem("The encryption key is wrong. Enter this device's key.");
  handshake.readMessage(reply.subarray(1));
  const { sendCipher, receiveCipher } = handshake;
  if (!sendCipher || !receiveCipher)
    throw new LinkProblem('The encryption handshake with the device failed.');
  const nothing = Buffer.alloc(0);
  return {
    send(type: number, payload: Buffer): void {
      const head = Buffer.alloc(4);
      head.writeUInt16BE(type, 0);
      head.writeUInt16BE(payload.length, 2);
      write(sendCipher.EncryptWithAd(nothing, Buffer.concat([head, payload])));
    },
    async next(): Promise<{ type: number; payload: Buffer }> {
      const message = receiveCipher.DecryptWithAd(nothing, await read());
      return { type: message.readUInt16BE(0), payload: message.subarray(4) };
    },
  };
}
