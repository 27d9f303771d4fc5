import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();

/** A program that ends with the test file that has started it, at the latest: when its start fails nobody else knows of it. */
export function endsWithTests<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends whatever still runs. */
export async function endSpawned(): Promise<void> {
  const ends = Array.from(running, (child) => once(child, 'exit'));
  killAll();
  await Promise.all(ends);
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

// Tests that are interrupted end without their hooks.
process.once('exit', killAll);
process.once('SIGTERM', () => {
  killAll();
  process.kill(process.pid, 'SIGTERM'); // from here on nobody hears it but the system
});
