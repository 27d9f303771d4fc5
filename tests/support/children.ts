import { readdirSync, readFileSync } from 'node:fs';

/** The running processes of that name that this one has started. Linux only. */
export function childrenNamed(name: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isChild(pid, name));
}

function isChild(pid: number, name: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [, found = '', state, parent] = /\((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
    return found.startsWith(name) && state !== 'Z' && Number(parent) === process.pid;
  } catch {
    return false; // it ended while we looked
  }
}
