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
import type { MachineWaker } from './machine-waker.ts';

type Machine = components['schemas']['Machine'];

interface MachineRoutesOptions {
  store: Pick<TokenStore, 'all' | 'changeMachine'>;
  known: Pick<KnownTokens, 'refresh'>;
  machines: Pick<MachineRegistry, 'alive'>;
  workers: Pick<WorkerRegistry, 'servers'>;
  waker: Pick<MachineWaker, 'wake'>;
  log: Logger;
}

/** The machines of the household: what runs on each, and whether one gets new questions. */
export function adminMachineRoutes(
  options: MachineRoutesOptions,
): Pick<Handlers, 'listMachines' | 'changeMachine' | 'wakeMachine'> {
  const { store, known, machines, workers, waker, log } = options;

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
  const lent = ({ name, isDraining, isWoken, mac, wakeAddress }: DeviceToken): Machine => {
    const connected = machines.alive().find((machine) => machine.name === name);
    return {
      name,
      draining: isDraining ?? false,
      wake: isWoken ?? false,
      mac: mac ?? null,
      wake_address: wakeAddress ?? null,
      connected_since: connected ? new Date(connected.since).toISOString() : null,
      engines: enginesOn(name),
    };
  };

  return {
    async listMachines() {
      const tokens = await store.all();
      const own: Machine = {
        ...{ name: null, draining: false, wake: false, mac: null, wake_address: null },
        ...{ connected_since: null, engines: enginesOn(null) },
      };
      return { machines: [own, ...tokens.filter(({ scope }) => scope === 'lend').map(lent)] };
    },

    async changeMachine({ path: { name }, body, request: { caller } }) {
      const { draining, wake, mac, wake_address: wakeAddress } = body;
      const token = await store.changeMachine(name.normalize(), {
        ...(draining !== undefined && { isDraining: draining }),
        ...(wake !== undefined && { isWoken: wake }),
        ...(mac !== undefined && { mac: plainMac(mac) }),
        ...(wakeAddress !== undefined && { wakeAddress }),
        ...((mac ?? wakeAddress) !== undefined && { isAddressChosen: true }),
      });
      if (!token) throw noMachine();
      await known.refresh();
      log.info({ token_name: caller.tokenName, machine: token.name, ...body }, 'machine changed');
      return lent(token);
    },

    async wakeMachine({ path: { name } }) {
      const token = (await store.all()).find(
        (each) => each.name === name.normalize() && each.scope === 'lend',
      );
      if (!token) throw noMachine();
      await waker.wake(token);
      return lent(token);
    },
  };
}

function noMachine(): AppError {
  return new AppError('not_found', 'No machine with this name has joined.', { param: 'name' });
}

/** As network cards report it: `AA-BB-...` becomes `aa:bb:...`. */
function plainMac(mac: string): string {
  return mac.toLowerCase().replaceAll('-', ':');
}
