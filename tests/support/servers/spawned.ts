import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();

/** A program that ends with its test file at the latest: if its start fails, nothing else knows of it. */
export function endsWithTests<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends everything that still runs. */
export async function endSpawned(): Promise<void> {
  const ends = Array.from(running, (child) => once(child, 'exit'));
  killAll();
  await Promise.all(ends);
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

// Interrupted tests end without running their hooks.
process.once('exit', killAll);
process.once('SIGTERM', () => {
  killAll();
  process.kill(process.pid, 'SIGTERM'); // from here on nobody hears it but the system
});
