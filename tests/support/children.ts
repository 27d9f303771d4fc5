import { readdirSync, readFileSync } from 'node:fs';

/** Returns the running descendants with that name, sandboxed or not. Linux only. */
export function childrenNamed(name: string): number[] {
  const all = new Map(
    readdirSync('/proc')
      .map(Number)
      .flatMap((pid) => {
        const process = pid > 0 ? read(pid) : null;
        return process ? [[pid, process] as const] : [];
      }),
  );
  const isBelow = (pid: number): boolean => {
    const parent = all.get(pid)?.parent;
    return parent !== undefined && (parent === process.pid || isBelow(parent));
  };
  return [...all].filter(([pid, found]) => found.name.startsWith(name) && isBelow(pid)).map(([pid]) => pid);
}

function read(pid: number): { name: string; parent: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [, name = '', state, parent] = /\((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
    return state === 'Z' ? null : { name, parent: Number(parent) };
  } catch {
    return null; // it ended while we looked
  }
}
