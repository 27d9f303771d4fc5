import { join } from 'node:path';
import type { WebSocket } from '@fastify/websocket';
import { createWebSocketStream } from 'ws';
import { AppError } from '../errors.ts';
import { borrowEngines } from '../lending/borrowed-engines.ts';
import { systemSocket } from '../lending/remote-streams.ts';
import type { Logger } from '../log.ts';
import type { EngineName } from '../status/engine-status.ts';
import { type LendingMachine, type MachineRegistry, machineNewsEveryMs } from '../status/machine-registry.ts';
import type { DeviceToken } from '../tokens/device-token.ts';
import type { KnownTokens } from '../tokens/known-tokens.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { callerAddress } from './caller-address.ts';
import type { SocketHandlers } from './contract-routes.ts';
import type { HeldCalls } from './held-calls.ts';
import { closeCodes } from './live-connection.ts';

interface LendingOptions {
  /** The folder for the sockets of engines elsewhere, shared with the workers. Undefined: there is none. */
  folder: string | undefined;
  /** Id of this process. Several processes may share the folder. */
  instance: string;
  machines: Pick<MachineRegistry, 'tell'>;
  tokens: Pick<KnownTokens, 'draining' | 'onRead'>;
  store: Pick<TokenStore, 'changeMachine'>;
  held: Pick<HeldCalls, 'hold'>;
  log: Logger;
}

interface Lending {
  device: DeviceToken;
  engines: readonly EngineName[];
  /** The model to request from each engine that has several. */
  models: LendingMachine['models'];
  /** The caller's address. */
  from: string;
  /** Prefix of its socket paths. */
  path: string;
}

interface Lender {
  machine: Omit<LendingMachine, 'isDraining'>;
  end: (code: number, reason: string) => void;
}

/** `GET /machines/lend`: connections of machines that lend their engines. */
export function createLending(options: LendingOptions) {
  const { folder, instance, machines, tokens, store, held, log } = options;
  const lenders = new Map<string, Lender>();
  const onError = (error: unknown) => log.warn({ err: error }, 'failed to tell the workers about a machine');
  const tell = (machine: Omit<LendingMachine, 'isDraining'>): void => {
    const isDraining = tokens.draining().has(machine.name);
    machines.tell({ ...machine, isDraining }).catch(onError);
  };
  const tellAll = (): void => {
    for (const { machine } of lenders.values()) tell(machine);
  };
  const timer = setInterval(tellAll, machineNewsEveryMs).unref();
  tokens.onRead(tellAll);

  let count = 0;
  /** Prefix of a socket's path, short because the system limits the length. */
  const newPath = (at: string): string => {
    count += 1;
    return join(at, `${instance}-${count}`);
  };

  const serve = async (socket: WebSocket, { device, engines, models, path }: Lending): Promise<Lender> => {
    const { name } = device;
    const sockets = Object.fromEntries(engines.map((engine) => [engine, `${path}-${engine}`]));
    const machine = { name, since: Date.now(), sockets, models, hasLeft: false };
    const leave = () => {
      if (lenders.get(name)?.machine !== machine) return;
      lenders.delete(name);
      log.info({ machine: name }, 'a machine stopped lending its engines');
      tell({ ...machine, hasLeft: true });
    };
    const line = await systemSocket(createWebSocketStream(socket), `${path}-line`);
    const borrowed = borrowEngines({ line, sockets, onLeaving: leave, onEnd: () => socket.terminate() });
    await borrowed.listening;
    const end = (code: number, reason: string) => {
      socket.close(code, reason);
      borrowed.end();
    };
    return { machine, end };
  };

  const take = async (socket: WebSocket, lending: Lending): Promise<void> => {
    const { device, engines } = lending;
    const lender = await serve(socket, lending);
    const end = () => lender.end(closeCodes.revoked, 'the token was revoked');
    socket.once('close', held.hold({ token: device, from: lending.from, end }));
    if (socket.readyState !== socket.OPEN) return;
    lenders.get(device.name)?.end(closeCodes.replaced, 'a newer connection of this machine took over');
    lenders.set(device.name, lender);
    log.info({ machine: device.name, engines }, 'a machine lends its engines');
    tell(lender.machine);
  };

  /** Stores what the household must know to wake the machine later. */
  const keepTold = (
    device: DeviceToken,
    lends: readonly string[],
    { mac, wake_address: wakeAddress }: { mac?: string; wake_address?: string },
  ): void => {
    const told = { ...(mac && { mac }), ...(wakeAddress && { wakeAddress }) };
    const isKnown =
      device.lends?.join() === lends.join() &&
      (device.isAddressChosen || (device.mac === mac && device.wakeAddress === wakeAddress));
    if (!isKnown) store.changeMachine(device.name, { lends }, told).catch(onError);
  };

  const lend: SocketHandlers['lend'] = (socket, { query, request }) => {
    const { device } = request.caller;
    if (folder === undefined || !device) {
      return socket.close(closeCodes.broken, 'This Hearth does not accept engines from other machines.');
    }
    const engines = [...new Set(query.engines.split(','))].filter(isLent);
    keepTold(device, engines, query);
    const { llm_model: llm, stt_model: stt } = query;
    const models = { ...(llm && { llm }), ...(stt && { stt }) };
    take(socket, { device, engines, models, from: callerAddress(request), path: newPath(folder) }).catch(
      (error) => {
        log.error({ err: error, machine: device.name }, 'failed to open the sockets of a machine');
        socket.close(
          closeCodes.broken,
          'The sockets for the engines cannot be opened. The log has the details.',
        );
      },
    );
  };

  return {
    sockets: { lend },
    handlers: {
      lend: () => {
        throw new AppError('upgrade_required');
      },
    },
    /** The process stops: the machines may connect again at once. */
    stop(): void {
      clearInterval(timer);
      for (const { end } of [...lenders.values()]) end(closeCodes.restart, 'the server restarts');
    },
  };
}

const lendable: readonly EngineName[] = ['llm', 'stt'];

function isLent(name: string): name is EngineName {
  return lendable.some((each) => each === name);
}
