import type { SandboxKind } from '../audio/sandbox.ts';
import type { Logger } from '../log.ts';

/** Says in the log how a program that reads what strangers send is confined here. */
export function tellSandbox(
  log: Logger,
  program: string,
  { sandbox }: { sandbox: () => Promise<SandboxKind> },
) {
  void sandbox().then((kind) => log.info({ program, sandbox: kind }, 'sandbox'));
}
