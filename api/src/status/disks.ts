import { statfs } from 'node:fs/promises';
import type { Disk } from './engine-status.ts';

/** Free disk space at the paths that this process uses. Skips paths that do not exist. */
export async function readDisks(paths: readonly string[]): Promise<Disk[]> {
  const seen = await Promise.all([...new Set(paths)].map(readDisk));
  return seen.flatMap((disk) => disk ?? []);
}

async function readDisk(path: string): Promise<Disk | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    return { path, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined; // this household does not use the path
  }
}

/** The same, read periodically, for callers that cannot wait. */
export function watchDisks(paths: readonly string[], intervalMs = 10_000) {
  let current: Disk[] = [];
  const refresh = async () => {
    current = await readDisks(paths);
  };
  void refresh();
  const timer = setInterval(refresh, intervalMs).unref();
  return {
    get current(): Disk[] {
      return current;
    },
    stop: () => clearInterval(timer),
  };
}
