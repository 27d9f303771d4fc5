import { statfs } from 'node:fs/promises';
import type { Disk } from './engine-status.ts';

/** The free room where this process keeps or reads something. Places that do not exist are left out. */
export async function readDisks(paths: readonly string[]): Promise<Disk[]> {
  const seen = await Promise.all([...new Set(paths)].map(readDisk));
  return seen.flatMap((disk) => disk ?? []);
}

async function readDisk(path: string): Promise<Disk | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    return { path, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined; // this household keeps nothing there
  }
}

/** The same, read now and then, for whoever may not wait. */
export function watchDisks(paths: readonly string[], everyMs = 10_000) {
  let current: Disk[] = [];
  const refresh = async () => {
    current = await readDisks(paths);
  };
  void refresh();
  const timer = setInterval(refresh, everyMs).unref();
  return {
    get current(): Disk[] {
      return current;
    },
    stop: () => clearInterval(timer),
  };
}
