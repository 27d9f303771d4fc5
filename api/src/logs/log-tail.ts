import type { LogLine } from './log-line.ts';
import type { LogReader } from './log-reader.ts';

const lookEveryMs = 250;

interface Follower {
  onLines: (lines: readonly LogLine[]) => void;
  /** The process ends. */
  onEnd: () => void;
}

export type LogTail = ReturnType<typeof createLogTail>;

/** Tells new lines to all who follow the log at this process: one looks for them all, and only while somebody follows. */
export function createLogTail({ reader }: { reader: Pick<LogReader, 'newest' | 'after'> }) {
  const followers = new Set<Follower>();
  let last: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  const look = async (from: string): Promise<void> => {
    try {
      const lines = await reader.after(from);
      last = lines.at(-1)?.id ?? from;
      if (lines.length > 0) for (const { onLines } of followers) onLines(lines);
    } catch {
      // Redis is away: it goes on where it was when that is back. Whoever follows hears heartbeats meanwhile.
    }
  };
  const lookOn = (): void => {
    timer = setTimeout(async () => {
      if (last !== undefined) await look(last);
      if (followers.size > 0) return lookOn();
      [timer, last] = [undefined, undefined];
    }, lookEveryMs).unref();
  };

  return {
    /** Tells every line that comes from now on, until the returned function is called. Throws AppError while Redis is away. */
    async follow(follower: Follower): Promise<() => void> {
      const newest = await reader.newest();
      last ??= newest;
      followers.add(follower);
      if (timer === undefined) lookOn();
      return () => followers.delete(follower);
    },
    get followers(): number {
      return followers.size;
    },
    /** The process ends. */
    endAll(): void {
      for (const { onEnd } of [...followers]) onEnd();
      followers.clear();
    },
  };
}
