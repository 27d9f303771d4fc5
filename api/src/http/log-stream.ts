import { Readable } from 'node:stream';
import type { LogLine } from '../logs/log-line.ts';
import { keepAliveComment } from './event-stream.ts';

/** Maximum unread data. Beyond it, a slow reader gets the number of missed lines instead. */
const maxUnreadBytes = 256 * 1024;
/** A reader that reads nothing for this time is disconnected. */
const maxSilentMs = 60_000;
/** Proxies close silent connections. */
const beatEveryMs = 15_000;

/** Sends log lines as server-sent events: `line` for each, `missed` if a slow reader lost some. */
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
