import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { ConversationRoom } from '../conversations/conversation-budget.ts';
import { AppError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis, type Refusal, refusalOf } from '../redis/redis.ts';
import type { ProcessBeat } from '../status/process-registry.ts';
import { findConversations, findMemory, haveLess, readRedisInfo, readRedisMemory } from './room.ts';
import { type Finding, failed, fine, type Step, warning } from './step.ts';

const mendedSchema = z.object({ at: z.number(), lostBytes: z.number(), kept: z.string() });

interface RedisStepsOptions {
  redis: Redis;
  timeZone: string;
  /** The live processes, with the state of their clocks. */
  processes: () => readonly Pick<ProcessBeat, 'process' | 'instance' | 'machine' | 'clockAheadMs'>[];
  conversations: () => Promise<ConversationRoom>;
  now?: () => number;
}

const title = 'Redis';
const restart =
  'Look at its lines in "make logs"; "make down" and then "make up" or "make run" start it again.';

const makeRoom = 'Free up space on the disk with its data; then it continues by itself.';

/** Advice for each reason of rejected writes. A restart would not help. */
const remedies: Readonly<Record<Refusal, string>> = {
  redis_full: haveLess,
  redis_disk_full: makeRoom,
  redis_disk_failed: 'Check whether the disk with its data is full, broken or read-only.',
};

/**
 * Tolerance between clocks. Synchronized clocks differ by milliseconds. Timers and deadlines use Redis'
 * clock; logs and alarms use the local one.
 */
const maxClockMs = 2_000;
/** Earlier times are invalid. A machine without a clock starts in 1970. */
const earliest = Date.UTC(2026, 0, 1);

/** Checks that Redis writes, reads and persists data, and has room for more. */
export function redisSteps(options: RedisStepsOptions): Step[] {
  const { redis, timeZone, processes, conversations, now = Date.now } = options;

  const writeAndRead = async (): Promise<Finding> => {
    const [key, value] = [keys.checkTrial.of(randomUUID()), randomUUID()];
    const begunAt = performance.now();
    const read = await onRedis(redis, async () => {
      await redis.set(key, value, 'EX', keys.checkTrial.lastsS);
      return redis.getdel(key);
    });
    if (read !== value) return failed(`${title} returned something other than what was written.`, restart);
    return fine(`It stores and returns data in ${(performance.now() - begunAt).toFixed(1)} ms.`);
  };

  const refused = (error: unknown): Finding => {
    const refusal = error instanceof AppError ? refusalOf(error.cause) : null;
    if (refusal === null) throw error;
    return failed(new AppError(refusal).message, remedies[refusal]);
  };

  const persistence = async (): Promise<Finding> => {
    const info = await readRedisInfo(redis, 'persistence');
    if (info['aof_enabled'] !== '1') {
      return warning(
        'Redis saves nothing to disk: timers, lists and conversations are lost when it stops.',
        'Start it with "appendonly yes", as in the Redis that Hearth starts.',
      );
    }
    const [write, rewrite] = [info['aof_last_write_status'], info['aof_last_bgrewrite_status']];
    if (write !== 'ok' || rewrite !== 'ok') return failed('Redis could not write to its disk.', makeRoom);
    return (await wasMended()) ?? fine('Everything is on disk within a second.');
  };

  /** services/redis/start.sh leaves a record of the repair. */
  const wasMended = async (): Promise<Finding | null> => {
    const note = await onRedis(redis, () => redis.get(keys.mended.of()));
    const { data } = mendedSchema.safeParse(parseJson(note ?? ''));
    if (!data) return null;
    const when = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'long', timeStyle: 'short' });
    return warning(
      `The file of Redis was damaged. It was repaired on ${when.format(data.at)}, and what was in its last ${data.lostBytes} bytes is lost.`,
      `If something is missing, "make restore" brings back a backup. The damaged file is kept as "${data.kept}".`,
    );
  };

  const room = async (): Promise<Finding> => {
    const memory = await readRedisMemory(redis);
    if (memory.policy !== 'noeviction') {
      return warning(
        `Redis deletes data when its memory is full (${memory.policy}).`,
        'Start it with "maxmemory-policy noeviction", as in the Redis that Hearth starts.',
      );
    }
    return findMemory(memory);
  };

  const clock = async (): Promise<Finding> => {
    const [s, us] = await onRedis(redis, () => redis.time());
    const aheadMs = now() - (Number(s) * 1_000 + Number(us) / 1_000);
    const setIt = 'Let the machine set its clock from the network ("timedatectl set-ntp true").';
    if (now() < earliest) return failed('The clock of this machine is years behind.', setIt);
    const clocks = processes().map((each) => ({ name: nameOf(each), aheadMs: each.clockAheadMs ?? 0 }));
    const off = clocks.filter((each) => Math.abs(each.aheadMs) > maxClockMs);
    const first = off[0] ?? (Math.abs(aheadMs) > maxClockMs ? { name: 'this server', aheadMs } : undefined);
    if (first !== undefined) {
      const count = off.length - 1;
      const more =
        count > 0
          ? ` ${count} more ${count === 1 ? 'process has' : 'processes have'} a wrong clock too.`
          : '';
      return failed(
        `The clock of ${first.name} is ${apart(first.aheadMs)} the clock of Redis.${more}`,
        setIt,
      );
    }
    const shown = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(now());
    return fine(`It is ${shown} in ${timeZone}.`);
  };

  return [
    { name: 'redis', title, limitMs: 3_000, advice: restart, look: () => writeAndRead().catch(refused) },
    {
      name: 'persistence',
      title: 'What Redis saves to disk',
      limitMs: 3_000,
      needs: ['redis'],
      look: persistence,
    },
    { name: 'memory', title: "Redis's room", limitMs: 3_000, needs: ['redis'], look: room },
    {
      name: 'conversations',
      title: 'Conversations',
      limitMs: 3_000,
      needs: ['redis'],
      look: async () => findConversations(await conversations()),
    },
    { name: 'clock', title: 'The clock', limitMs: 3_000, needs: ['redis'], look: clock },
  ];
}

function nameOf({
  process,
  instance,
  machine,
}: {
  process: string;
  instance: string;
  machine?: string | undefined;
}) {
  return `the ${process} ${instance}${machine === undefined ? '' : ` on the machine ${machine}`}`;
}

/** Formats a difference: "90 seconds ahead of", "2 hours behind". */
function apart(aheadMs: number): string {
  const s = Math.round(Math.abs(aheadMs) / 1_000);
  const [n, unit] =
    s < 120
      ? [s, 'second']
      : s < 7_200
        ? [Math.round(s / 60), 'minute']
        : s < 172_800
          ? [Math.round(s / 3_600), 'hour']
          : [Math.round(s / 86_400), 'day'];
  return `${n} ${unit}${n === 1 ? '' : 's'} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
}
