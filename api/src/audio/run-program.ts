import { spawn } from 'node:child_process';

/**
 * How a program is sandboxed. `bubblewrap`: no network, no files except the system's programs and an empty
 * folder, no other processes, limits. `landlock`: the same without the network. `limits`: only memory, time
 * and sizes. `none`: this system supports no sandbox.
 */
export type SandboxKind = 'bubblewrap' | 'landlock' | 'limits' | 'none';

export interface Sandbox {
  kind: SandboxKind;
  /** The command line before the program and its arguments. */
  prefix: readonly string[];
}

export interface ProgramCall {
  /** An absolute path, or a name in the system's folders: the program gets no PATH to search. */
  path: string;
  args: readonly string[];
  /** Default: no sandbox. */
  sandbox?: Sandbox | undefined;
  /** Its standard input. */
  input?: Buffer;
  /** More output ends the program. */
  maxOutputBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}

interface ProgramResult {
  output: Buffer;
  /** Null if a signal ended it. */
  exitCode: number | null;
}

/** `missing`: the program does not exist or may not run. */
type ProgramFault = 'missing' | 'timeout' | 'too_much_output';

/** Exit codes of launchers that cannot start the program. */
const cannotStart: readonly (number | null)[] = [126, 127];

/** A program that could not run to its end. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
  readonly fault: ProgramFault;

  constructor(fault: ProgramFault, path: string, cause?: unknown) {
    super(`${path}: ${fault}`, { cause });
    this.fault = fault;
  }
}

/**
 * Runs a program with an empty environment and returns its output. The program has always ended when this
 * returns or throws. Throws ProgramError or the signal's reason.
 */
export async function runProgram({
  path,
  args,
  sandbox,
  input,
  maxOutputBytes,
  timeoutMs,
  signal,
}: ProgramCall): Promise<ProgramResult> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>();
  const [program = path, ...words] = [...(sandbox?.prefix ?? []), path, ...args];
  const child = spawn(program, words, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
  let fault: ProgramError | undefined;
  const end = (why: ProgramFault, cause?: unknown) => {
    fault ??= new ProgramError(why, path, cause);
    child.kill('SIGKILL');
  };
  const abort = () => child.kill('SIGKILL');
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  signal.addEventListener('abort', abort, { once: true });

  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxOutputBytes) end('too_much_output');
    else chunks.push(chunk);
  });
  // A program that has read enough closes its input early: that is not a fault.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);

  // A program that cannot start emits this error and then closes as usual.
  child.on('error', (error) => end('missing', error));
  child.on('close', (exitCode) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    if (signal.aborted) reject(signal.reason);
    else if (fault) reject(fault);
    else if (sandbox?.prefix.length && cannotStart.includes(exitCode))
      reject(new ProgramError('missing', path));
    else resolve({ output: Buffer.concat(chunks), exitCode });
  });
  return promise;
}
