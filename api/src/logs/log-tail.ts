import type { LogLine } from './log-line.ts';
import type { LogReader } from './log-reader.ts';

const pollIntervalMs = 250;

interface Follower {
  onLines: (lines: readonly LogLine[]) => void;
  /** Called at shutdown. */
  onEnd: () => void;
}

export type LogTail = ReturnType<typeof createLogTail>;

/**
 * Sends new lines to all followers at this process. One poll serves them all, and runs only while someone
 * follows.
 */
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
      // Redis is unavailable. Polling continues at the same position, and followers receive heartbeats
      // meanwhile.
    }
  };
  const lookOn = (): void => {
    timer = setTimeout(async () => {
      if (last !== undefined) await look(last);
      if (followers.size > 0) return lookOn();
      [timer, last] = [undefined, undefined];
    }, pollIntervalMs).unref();
  };

  return {
    /**
     * Reports every new line until the returned function is called. Throws AppError if Redis is unavailable.
     */
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
    /** Ends all followers at shutdown. */
    endAll(): void {
      for (const { onEnd } of [...followers]) onEnd();
      followers.clear();
    },
  };
}
