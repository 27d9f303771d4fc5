import type { Redis } from 'ioredis';
import { z } from 'zod';
import { compareNames } from '../name-order.ts';
import { channelOn, subscribeToMessages } from '../redis/channel.ts';
import { engineNames } from './engine-status.ts';

const machineSchema = z.object({
  /** The name of its token. */
  name: z.string(),
  /** Unix time in ms of its connection. */
  since: z.number(),
  /** The Unix socket of each engine that it lends. */
  sockets: z.partialRecord(z.enum(engineNames), z.string()),
  /** The model to request from an engine that has several. */
  models: z.partialRecord(z.enum(engineNames), z.string()).default({}),
  /** It gets no new calls; running ones may end. */
  isDraining: z.boolean().default(false),
  /** It lends nothing any more. */
  hasLeft: z.boolean(),
});

/** Another machine that lends its engines to the household. */
export type LendingMachine = z.infer<typeof machineSchema>;

const channel = 'hearth:machines';
/** How often the api process that holds a machine's connection reports it. */
export const machineNewsEveryMs = 1_000;
/** Silence after which that process counts as dead. A live process reports that a machine has left. */
const aliveMs = 5_000;

interface RegistryOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  onBadEvent: (error: Error) => void;
  /** Called after every message. */
  onNews?: () => void;
}

export type MachineRegistry = ReturnType<typeof createMachineRegistry>;

/** Tracks which machines lend their engines now. */
export function createMachineRegistry(options: RegistryOptions) {
  const { redis, subscriber, onBadEvent, onNews = () => undefined } = options;
  const seen = new Map<string, { machine: LendingMachine; at: number }>();

  subscribeToMessages({
    subscriber,
    channel,
    schema: machineSchema,
    onNews: (machine) => {
      const known = seen.get(machine.name)?.machine;
      // Another process may report an older connection of the same machine.
      if (known && known.since > machine.since) return;
      if (machine.hasLeft) seen.delete(machine.name);
      else seen.set(machine.name, { machine, at: performance.now() });
      onNews();
    },
    onError: onBadEvent,
  });

  return {
    /** The machines, by name. */
    alive(): LendingMachine[] {
      for (const [name, { at }] of seen) if (performance.now() - at > aliveMs) seen.delete(name);
      const all = [...seen.values()].map(({ machine }) => machine);
      return all.sort((one, other) => compareNames(one.name, other.name));
    },
    async tell(machine: LendingMachine): Promise<void> {
      if (redis.status === 'ready') await redis.publish(channelOn(redis, channel), JSON.stringify(machine));
    },
  };
}
