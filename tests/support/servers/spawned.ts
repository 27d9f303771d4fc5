import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();

/** Ends a program with its test file at the latest; after a failed start, no other code knows it. */
export function endsWithTests<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends every program that is still running. */
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
  process.kill(process.pid, 'SIGTERM'); // with this handler gone, the system's default applies
});
