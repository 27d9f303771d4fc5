import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { engineNames } from '../status/engine-status.ts';
import type { MachineRegistry } from '../status/machine-registry.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import type { DeviceToken } from '../tokens/device-token.ts';
import type { KnownTokens } from '../tokens/known-tokens.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';

type Machine = components['schemas']['Machine'];

interface MachineRoutesOptions {
  store: Pick<TokenStore, 'all' | 'drain'>;
  known: Pick<KnownTokens, 'refresh'>;
  machines: Pick<MachineRegistry, 'alive'>;
  workers: Pick<WorkerRegistry, 'servers'>;
  log: Logger;
}

/** The machines of the household: what runs on each, and whether one gets new questions. */
export function adminMachineRoutes(
  options: MachineRoutesOptions,
): Pick<Handlers, 'listMachines' | 'changeMachine'> {
  const { store, known, machines, workers, log } = options;

  const enginesOn = (machine: string | null): Machine['engines'] =>
    engineNames.flatMap((engine) =>
      workers
        .servers(engine)
        .filter((server) => (server.machine ?? null) === machine)
        .map(({ model, state, since, usualMs = null }) => ({
          ...{ engine, model, state, since: new Date(since).toISOString() },
          usual_ms: usualMs === null ? null : Math.round(usualMs),
        })),
    );
  const lent = ({ name, isDraining = false }: DeviceToken): Machine => {
    const connected = machines.alive().find((machine) => machine.name === name);
    return {
      name,
      draining: isDraining,
      connected_since: connected ? new Date(connected.since).toISOString() : null,
      engines: enginesOn(name),
    };
  };

  return {
    async listMachines() {
      const tokens = await store.all();
      const own: Machine = { name: null, draining: false, connected_since: null, engines: enginesOn(null) };
      return { machines: [own, ...tokens.filter(({ scope }) => scope === 'lend').map(lent)] };
    },

    async changeMachine({ path: { name: given }, body: { draining }, request: { caller } }) {
      const token = await store.drain(given.normalize(), draining);
      if (!token) throw new AppError('not_found', 'No machine with this name has joined.', { param: 'name' });
      await known.refresh();
      log.info({ token_name: caller.tokenName, machine: token.name, draining }, 'machine changed');
      return lent(token);
    },
  };
}
