import { Readable } from 'node:stream';
import type { LogLine } from '../logs/log-line.ts';
import { keepAliveComment } from './event-stream.ts';

/** A reader who leaves so much unread is told how many lines went by instead. */
const maxUnreadBytes = 256 * 1024;
/** And one who reads nothing for so long has gone. */
const maxSilentMs = 60_000;
/** Proxies end what says nothing. */
const beatEveryMs = 15_000;

export type LogEvents = ReturnType<typeof createLogEvents>;

/** Log lines as server-sent events: `line` for each, `missed` where a slow reader lost some. */
export function createLogEvents({ onClose }: { onClose: () => void }) {
  let missed = 0;
  let fullSince: number | undefined;
  const readable = new Readable({
    highWaterMark: maxUnreadBytes,
    read() {
      fullSince = undefined;
    },
    destroy(error, done) {
      clearInterval(beat);
      onClose();
      done(error);
    },
  });
  const isFull = () => readable.readableLength > maxUnreadBytes;

  const say = (text: string): void => {
    if (!readable.destroyed && !readable.readableEnded) readable.push(text);
  };
  const beat = setInterval(() => {
    if (!isFull()) return say(keepAliveComment('still here'));
    fullSince ??= performance.now();
    if (performance.now() - fullSince > maxSilentMs) readable.destroy();
  }, beatEveryMs).unref();

  return {
    readable,
    tell(line: LogLine): void {
      if (isFull()) {
        missed += 1;
        return;
      }
      if (missed > 0) say(event('missed', { lines: missed }));
      missed = 0;
      say(event('line', line, line.id));
    },
    end(): void {
      if (readable.destroyed) return;
      clearInterval(beat);
      readable.push(null);
    },
  };
}

function event(name: string, data: unknown, id?: string): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
