import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** This process's memory after garbage collection. */
export function heldMemory(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage();
}

/** Bytes of objects and bytes outside the heap. */
export function heldBytes(): number {
  const { heapUsed, external } = heldMemory();
  return heapUsed + external;
}
