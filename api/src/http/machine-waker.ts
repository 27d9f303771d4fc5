import { networkInterfaces } from 'node:os';
import { AppError } from '../errors.ts';
import { sendMagicPacket } from '../lending/magic-packet.ts';
import { broadcastsOf, everyNetwork } from '../lending/wake-address.ts';
import type { Logger } from '../log.ts';
import type { MachineRegistry } from '../status/machine-registry.ts';
import type { DeviceToken } from '../tokens/device-token.ts';
import type { KnownTokens } from '../tokens/known-tokens.ts';
import type { RanOn } from '../turn/turn.ts';

/** A machine may need this long to start and load its models. */
const againMs = 5 * 60_000;

interface MachineWakerOptions {
  tokens: Pick<KnownTokens, 'lenders'>;
  machines: Pick<MachineRegistry, 'alive'>;
  log: Logger;
  send?: typeof sendMagicPacket;
  now?: () => number;
  /** The broadcast addresses of the networks that this process is in. */
  broadcasts?: () => readonly string[];
}

export type MachineWaker = ReturnType<typeof createMachineWaker>;

/** Wakes the machines that lend their engines, by Wake-on-LAN. */
export function createMachineWaker(options: MachineWakerOptions) {
  const { tokens, machines, log, send = sendMagicPacket, now = () => performance.now() } = options;
  const { broadcasts = () => broadcastsOf(networkInterfaces()) } = options;
  const wokenAt = new Map<string, number>();

  const wake = async ({ name, mac, wakeAddress: address, isAddressChosen }: DeviceToken): Promise<void> => {
    if (mac === undefined || address === undefined) throw new AppError('not_possible', noAddress(name));
    if (!isAddressChosen && address !== everyNetwork && !broadcasts().includes(address))
      throw new AppError('not_possible', farAway(name, address));
    wokenAt.set(name, now());
    try {
      await send({ mac, address });
    } catch (cause) {
      throw new AppError('not_possible', notSent(name, address), { cause });
    }
    log.info({ machine: name, mac, address }, 'wake packet sent to a machine');
  };

  return {
    /** Throws AppError if no packet can be sent. Its arrival is unknown. */
    wake,
    /** After a turn: wakes the machines that are wanted and would have done a part of it. */
    noteTurn(ranOn: readonly RanOn[]): void {
      const ownEngines = ranOn.flatMap(({ engine, machine }) => (machine === null ? [engine] : []));
      const isDue = ({ name }: DeviceToken) =>
        now() - (wokenAt.get(name) ?? Number.NEGATIVE_INFINITY) >= againMs;
      const isAway = ({ name }: DeviceToken) => !machines.alive().some((machine) => machine.name === name);
      for (const token of tokens.lenders()) {
        const { name, isWoken, isDraining, lends = [] } = token;
        if (!isWoken || isDraining || !ownEngines.some((engine) => engine === mainOf(lends))) continue;
        if (!isDue(token) || !isAway(token)) continue;
        wokenAt.set(name, now());
        wake(token).catch((error: unknown) =>
          log.warn({ err: error, machine: name }, 'failed to wake a machine'),
        );
      }
    },
  };
}

/** A command that is only transcribed does not need a machine with a language model. */
function mainOf(lends: readonly string[]): string | undefined {
  return lends.includes('llm') ? 'llm' : lends[0];
}

function noAddress(name: string): string {
  return `Hearth does not know the MAC address of "${name}". The machine tells it when it connects by cable or wireless network. You can also enter it.`;
}

function farAway(name: string, address: string): string {
  return `Hearth is not in the network of "${name}" (${address}), so it cannot wake it. In a container, Hearth needs the network of its host: docs/several-machines.md explains it.`;
}

function notSent(name: string, address: string): string {
  return `The packet to wake "${name}" cannot be sent to ${address}. Check the address.`;
}
