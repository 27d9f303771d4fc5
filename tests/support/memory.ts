import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What this process holds once everything is swept that nobody needs. */
export function heldMemory(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage();
}

/** Objects, and the bytes beside them. */
export function heldBytes(): number {
  const { heapUsed, external } = heldMemory();
  return heapUsed + external;
}
