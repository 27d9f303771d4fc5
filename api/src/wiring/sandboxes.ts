import type { SandboxKind } from '../audio/run-program.ts';
import type { Logger } from '../log.ts';

/** Logs how a program that reads untrusted input is sandboxed. */
export function logSandbox(
  log: Logger,
  program: string,
  { sandbox }: { sandbox: () => Promise<SandboxKind> },
) {
  void sandbox().then((kind) => log.info({ program, sandbox: kind }, 'sandbox'));
}
