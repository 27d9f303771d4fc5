import { execFile } from 'node:child_process';

/** The script limits each of its steps to an hour. */
const maxMs = 3 * 3_600_000;
const maxOutputBytes = 1_000_000;

/** Runs the backup script. Returns the file name. Throws an error with the reason as a sentence. */
export function runBackup(script: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = execFile(
    script,
    { timeout: maxMs, killSignal: 'SIGKILL', maxBuffer: maxOutputBytes },
    (error, output, said) => {
      if (error) reject(new Error(lastLineOf(said) || error.message));
      else resolve(lastLineOf(output));
    },
  );
  child.stdin?.end();
  return promise;
}

function lastLineOf(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
