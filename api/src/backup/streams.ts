import type { Readable, Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';

/** Yields the chunks of a stream. Fails if it pauses for longer than `maxPauseMs`. */
export async function* readWithin(
  stream: Readable,
  maxPauseMs: number,
  tooLong: () => Error,
): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => stream.destroy(tooLong()), maxPauseMs).unref();
  try {
    for await (const chunk of stream) {
      timer.refresh();
      yield Buffer.from(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Writes all parts with backpressure. Fails if a write takes longer than `maxPauseMs`. */
export async function writeAll(
  parts: AsyncIterable<string | Buffer>,
  to: Writable,
  maxPauseMs: number,
  tooLong: () => Error,
): Promise<void> {
  // The callback of each write reports the same error.
  to.on('error', () => undefined);
  for await (const part of gathered(parts)) {
    const ended = new AbortController();
    const written = new Promise<void>((resolve, reject) => {
      to.write(part, (error) => (error ? reject(error) : resolve()));
    });
    const late = after(maxPauseMs, undefined, { signal: ended.signal, ref: false }).then(() => {
      throw tooLong();
    });
    await Promise.race([written, late]).finally(() => {
      late.catch(() => undefined);
      ended.abort();
    });
  }
}

/** Joins small parts into larger writes. */
async function* gathered(parts: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const part of parts) {
    const bytes = Buffer.from(part);
    held.push(bytes);
    size += bytes.length;
    if (size < 64 * 1024) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}

/** Yields lines with their line ends. Fails on a line above `maxBytes`. */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLong: () => Error,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...held, chunk.subarray(from, end + 1)]);
      [held, size, from] = [[], 0, end + 1];
    }
    held.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxBytes) throw tooLong();
  }
  if (size > 0) yield Buffer.concat(held);
}

/** Splits into frames of equal size. The last one is shorter and may be empty. */
export async function* framesOf(
  chunks: AsyncIterable<Buffer>,
  frameBytes: number,
): AsyncGenerator<{ frame: Buffer; isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    // Holds back a full frame, because it may be the last one.
    for (; held.length > frameBytes; held = held.subarray(frameBytes))
      yield { frame: held.subarray(0, frameBytes), isLast: false };
  }
  yield { frame: held, isLast: true };
}

/** Returns the first line without its line end, and the rest. */
export async function firstLineOf(
  chunks: AsyncGenerator<Buffer>,
  maxBytes: number,
): Promise<{ line: Buffer; rest: AsyncGenerator<Buffer> } | undefined> {
  let held: Buffer = Buffer.alloc(0);
  while (held.length <= maxBytes) {
    const { value, done } = await chunks.next();
    if (done) return undefined;
    held = Buffer.concat([held, value]);
    const end = held.indexOf(10);
    if (end >= 0) return { line: held.subarray(0, end), rest: joined(held.subarray(end + 1), chunks) };
  }
  return undefined;
}

async function* joined(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* rest;
}
