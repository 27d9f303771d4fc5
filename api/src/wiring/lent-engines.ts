import type { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import { type EngineName, engineNames } from '../status/engine-status.ts';
import { createMachineRegistry } from '../status/machine-registry.ts';
import type { wireEngines } from './engines.ts';

/** How often to look for machines whose api process has died. */
const pollIntervalMs = 1_000;

interface LentEnginesWiring {
  redis: Redis;
  subscriber: Redis;
  onError: (error: Error) => void;
  log: Logger;
  engines: Pick<ReturnType<typeof wireEngines>, 'borrow'>;
}

/** Lets a worker use the engines that other machines lend, while they are connected. */
export function wireLentEngines({ redis, subscriber, onError, log, engines }: LentEnginesWiring) {
  const borrowed = new Map<string, () => void>();

  const look = (): void => {
    const lent = new Map(
      machines
        .alive()
        // Its running calls end through their open connections.
        .filter(({ isDraining }) => !isDraining)
        .flatMap(serversOf)
        .map((server) => [server.socket, server]),
    );
    for (const [socket, giveBack] of borrowed) {
      if (lent.has(socket)) continue;
      borrowed.delete(socket);
      giveBack();
    }
    for (const [socket, { engine, ...at }] of lent) {
      if (borrowed.has(socket)) continue;
      log.info({ engine, machine: at.machine }, 'uses an engine of another machine');
      borrowed.set(socket, engines.borrow(engine, at));
    }
  };
  const machines = createMachineRegistry({ redis, subscriber, onBadEvent: onError, onNews: look });
  const timer = setInterval(look, pollIntervalMs).unref();

  return { stop: () => clearInterval(timer) };
}

interface LentServer {
  engine: 'llm' | 'stt';
  url: string;
  socket: string;
  machine: string;
  /** The model to request. Null: the server's only one. */
  model: string | null;
}

/** The servers that a machine lends. Calls go to the sockets; the addresses only distinguish the servers. */
function serversOf({ name, sockets, models }: ReturnType<Machines['alive']>[number]): LentServer[] {
  const host = `${encodeURIComponent(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')}.localhost`;
  return engineNames.flatMap((engine: EngineName) => {
    const socket = sockets[engine];
    if (socket === undefined || engine === 'tts') return [];
    return [
      { engine, url: `http://${engine}.${host}`, socket, machine: name, model: models[engine] ?? null },
    ];
  });
}

type Machines = ReturnType<typeof createMachineRegistry>;
