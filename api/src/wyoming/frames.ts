import { isRecord, parseJson } from '../json.ts';

/** One message of the Wyoming protocol. */
export interface WyomingEvent {
  type: string;
  data: Readonly<Record<string, unknown>>;
  /** Sound. Empty for most messages. */
  payload: Buffer;
}

/** The bytes are not Wyoming. The message is a sentence for people. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/**
 * Limits in bytes. Clients before version 1.2 put their data into the header. Clients send at most a few
 * seconds of sound at once.
 */
const limits = { header: 128 * 1_024, data: 256 * 1_024, payload: 1_024 * 1_024 };

interface Header {
  type: string;
  data: Record<string, unknown>;
  dataLength: number;
  payloadLength: number;
}

const newline = 0x0a;

/**
 * Parses a stream into messages: a line of JSON (`type`, `data`, `data_length`, `payload_length`), then
 * `data_length` bytes of JSON, then the payload (https://github.com/OHF-Voice/wyoming, event.py of 1.10.2).
 */
export function createFrameReader() {
  let held: Buffer = Buffer.alloc(0);
  let header: Header | null = null;
  /** The search for the line end continues here. */
  let lookedTo = 0;

  const takeHeader = (): Header | null => {
    const end = held.indexOf(newline, lookedTo);
    lookedTo = held.length;
    if (end > limits.header || (end < 0 && held.length > limits.header))
      throw tooLong('header', limits.header);
    if (end < 0) return null;
    const line = held.subarray(0, end).toString();
    held = held.subarray(end + 1);
    lookedTo = 0;
    return readHeader(line);
  };
  const takeEvent = (): WyomingEvent | null => {
    header ??= takeHeader();
    if (header === null) return null;
    const { type, data, dataLength, payloadLength } = header;
    if (held.length < dataLength + payloadLength) return null;
    const more = dataLength > 0 ? readObject(held.subarray(0, dataLength).toString(), 'data') : {};
    // Copied, because a subarray would keep the whole buffer in memory.
    const payload = Buffer.from(held.subarray(dataLength, dataLength + payloadLength));
    held = held.subarray(dataLength + payloadLength);
    header = null;
    return { type, data: { ...data, ...more }, payload };
  };

  return {
    /** Yields the complete messages. Throws FrameError at an invalid one: the stream is then unusable. */
    *push(bytes: Buffer): Generator<WyomingEvent, void> {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      for (let event = takeEvent(); event; event = takeEvent()) yield event;
    },
    /** Whether a message is incomplete. */
    isWithin: (): boolean => header !== null || held.length > 0,
  };
}

function readHeader(line: string): Header {
  const { type, data = {}, data_length, payload_length } = readObject(line, 'header');
  if (typeof type !== 'string') throw new FrameError('The header of a message has no type.');
  return {
    type,
    data: isRecord(data) ? data : {},
    dataLength: lengthOf(data_length, 'data', limits.data),
    payloadLength: lengthOf(payload_length, 'payload', limits.payload),
  };
}

function lengthOf(length: unknown, part: string, maxBytes: number): number {
  if (length === undefined || length === null) return 0;
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0)
    throw new FrameError(`The length of the ${part} is not a whole number.`);
  if (length > maxBytes) throw tooLong(part, maxBytes);
  return length;
}

function readObject(text: string, part: string): Record<string, unknown> {
  const read = parseJson(text);
  if (isRecord(read)) return read;
  throw new FrameError(`The ${part} of a message is not a JSON object.`);
}

function tooLong(part: string, maxBytes: number): FrameError {
  return new FrameError(`The ${part} of a message is longer than ${maxBytes} bytes.`);
}

/** Encodes a message. */
export function frameOf({ type, data = {}, payload }: Partial<WyomingEvent> & { type: string }): Buffer {
  const body = Buffer.from(Object.keys(data).length > 0 ? JSON.stringify(data) : '');
  const header = {
    type,
    ...(body.length > 0 && { data_length: body.length }),
    ...(payload && payload.length > 0 && { payload_length: payload.length }),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body, payload ?? Buffer.alloc(0)]);
}
