import { adminMachineRoutes } from '../http/admin-machine-routes.ts';
import { createLending } from '../http/lending-socket.ts';
import { createMachineWaker } from '../http/machine-waker.ts';
import { createMachineRegistry } from '../status/machine-registry.ts';
import type { ApiCore } from './api-core.ts';
import type { WiredTokens } from './tokens.ts';

/** The machines that lend their engines, and their connections to this process. */
export function wireLending(core: ApiCore, { store, known, held }: WiredTokens, instance: string) {
  const { config, log, workers, turnLog } = core;
  const machines = createMachineRegistry(core);
  const waker = createMachineWaker({ tokens: known, machines, log });
  turnLog.onNote(({ ranOn }) => waker.noteTurn(ranOn));
  const lending = createLending({
    ...{ folder: config.lentDir, instance, machines, tokens: known, store, held, log },
  });
  return {
    ...lending,
    handlers: { ...lending.handlers, ...adminMachineRoutes({ store, known, machines, workers, waker, log }) },
  };
}
