/** @module-tag slow */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectListen, type ListenClient } from '../support/clients/listen-client.ts';
import { clip } from '../support/clients/room.ts';
import { isReady, startApi, startWorker } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { openTimers } from '../support/servers/timer-household.ts';
import { waitFor } from '../support/wait-for.ts';

/** One after the other in its household. */
const inTurn = { concurrent: false };
/** Often enough that tests need not wait for it. */
const sweepIntervalMs = 500;
/** Length of a timer, in ms: enough for the fault to start before the timer is due. */
const soonMs = 4_000;

type Household = Awaited<ReturnType<typeof startHousehold>>;

/** A worker and an api on a persistent Redis, which this household's tests may destroy. */
async function startHousehold() {
  const redis = await startRedis({ isKept: true });
  const startOwnWorker = () => startWorker({ redisUrl: redis.url, limits: { sweepIntervalMs } });
  let worker = startOwnWorker();
  const api = await startApi({ redisUrl: redis.url });
  await isReady(api);
  const timers = openTimers(redis.url);
  let satellites: ListenClient[] = [];

  return {
    redis,
    api,
    timers,
    states: async () => (await timers.store.all()).map(({ state }) => state),
    /**
     * A satellite until the end of the test, known to every process. Its microphone is closed: on a busy
     * machine, silence that it sent before would delay its events.
     */
    async enter(room: string, { address }: { address: string } = api): Promise<ListenClient> {
      const satellite = await connectListen(address, { client: `${room}-satellite`, room });
      satellites.push(satellite);
      const known = () => timers.redis.hvals('hearth:connected-satellites');
      await waitFor(async () => (await known()).some((each) => each.includes(`"${room}-satellite"`)));
      return satellite;
    },
    stopWorker: () => worker.stop(),
    async startWorker() {
      worker = startOwnWorker();
      await isReady(api);
    },
    /** All satellites disconnect, and no timer is left. */
    async tidy() {
      await Promise.all(satellites.map((satellite) => satellite.close()));
      satellites = [];
      for (const { id } of await timers.store.all()) await timers.store.remove(id);
    },
    async stop() {
      timers.close();
      await worker.stop();
      await api.stop();
      await redis.stop();
    },
  };
}

// The faults run in parallel, because most of their time is waiting. The households exist before the first
// fault, because a start in this process blocks everything else in it.
const households: Household[] = [];
const untouched: Household[] = [];
beforeAll(async () => {
  for (let count = 0; count < troubles.length + 1; count += 1) households.push(await startHousehold());
  untouched.push(...households);
});
afterAll(() => Promise.all(households.map((household) => household.stop())));

function take(): Household {
  const household = untouched.pop();
  if (!household) throw new Error('there is no household left');
  return household;
}

const finished = ({ events }: Pick<ListenClient, 'events'>) =>
  events.filter(({ event }) => event.type === 'timer.finished').length;
/** Rounds of ringing that have started to play. */
const rounds = ({ events }: Pick<ListenClient, 'events'>) =>
  events.filter(({ event }) => event.type === 'response.output_audio.started').length;
/** The delays of its announcement and its playback. */
async function lateMs(room: ListenClient, { dueAt }: { dueAt: number }): Promise<number[]> {
  const told = await room.event('timer.finished', 0);
  const ringing = await room.event('response.output_audio.started', 0);
  return [told, ringing].map(({ unixMs }) => unixMs - dueAt);
}
const pause = (ms: number) => {
  const until = performance.now() + ms;
  return waitFor(() => performance.now() >= until, { withinMs: ms + 5_000 });
};

const unreachable = 'Redis, the database of this server, cannot be reached.';
const silent = 'Redis, the database of this server, is running but does not answer.';
const troubles = [
  {
    name: 'is full',
    begins: (redis: OwnRedis) => redis.fill(),
    ends: (redis: OwnRedis) => redis.mend(),
    reason: 'Redis, the database of this server, is full and stores nothing new.',
  },
  {
    name: 'cannot write to its disk',
    begins: (redis: OwnRedis) => redis.loseDisk(),
    ends: (redis: OwnRedis) => redis.mend(),
    reason: 'Redis, the database of this server, cannot write to its disk and stores nothing new.',
  },
  {
    name: 'hangs',
    begins: (redis: OwnRedis) => redis.freeze(),
    ends: (redis: OwnRedis) => redis.thaw(),
    reason: silent,
  },
  {
    name: 'is gone',
    begins: (redis: OwnRedis) => redis.kill(),
    ends: (redis: OwnRedis) => redis.revive(),
    reason: unreachable,
  },
];

describe.concurrent.each(troubles)('while Redis $name', ({ reason, ...trouble }) => {
  let house: Household;
  let kitchen: ListenClient;
  let isIll = false;
  const begins = async () => {
    isIll = true;
    await trouble.begins(house.redis);
  };
  const ends = async () => {
    if (isIll) await trouble.ends(house.redis);
    isIll = false;
  };
  beforeAll(() => {
    house = take();
  });
  beforeEach(async () => {
    kitchen = await house.enter('kitchen');
  });
  afterEach(async () => {
    await ends();
    await waitFor(async () => (await house.api.health()).status === 'ready');
    await waitFor(() => house.timers.redis.status === 'ready');
    await house.tidy();
  });

  test(
    'a timer rings once, health reports the reason, and the button ends it permanently',
    inTurn,
    async () => {
      const timer = await house.timers.set(soonMs);
      await kitchen.event('timer.started');
      await begins();

      const late = await lateMs(kitchen, timer);
      const told = async () => {
        const { status, redis } = await house.api.health();
        return status === 'degraded' && redis.state === 'failed' && redis.reason === reason;
      };
      await waitFor(told, { what: `health reports "${reason}"` });
      await kitchen.event('response.output_audio.started', 1);
      kitchen.send({ type: 'response.cancel' });
      await kitchen.event('timer.stopped');
      const roundsBefore = rounds(kitchen);
      await ends();
      await waitFor(async () => (await house.states()).length === 0, {
        what: 'it is over',
      });
      await pause(3 * sweepIntervalMs); // The worker looks too.

      for (const each of late) expect(each).toBeGreaterThanOrEqual(0);
      expect([finished(kitchen), rounds(kitchen) - roundsBefore]).toEqual([1, 0]);
      expect(kitchen.events.filter(({ event }) => event.type === 'timer.stopped')).toHaveLength(1);
    },
  );

  test(
    'speech during the ringing ends it, although transcription is down',
    inTurn,
    async ({ onTestFinished }) => {
      await house.timers.set(soonMs);
      await kitchen.event('timer.started');
      await begins();
      await kitchen.event('response.output_audio.started', 0);

      const microphone = kitchen.openMicrophone();
      onTestFinished(microphone.close);
      await microphone.say(clip('hello'));
      await kitchen.event('timer.stopped', 0);
      await ends();
      await waitFor(async () => (await house.states()).length === 0, { what: 'it is over' });

      expect(finished(kitchen)).toBe(1);
      // It is done, so no failure is reported.
      expect(kitchen.events.filter(({ event }) => event.type === 'error')).toEqual([]);
    },
  );

  test('a ringing timer continues when Redis is back, in its normal state', inTurn, async () => {
    const timer = await house.timers.set(soonMs);
    await kitchen.event('timer.started');
    await begins();
    await kitchen.event('response.output_audio.started', 0);
    await ends();

    const record = await waitFor(
      async () => (await house.timers.store.all()).find(({ heardAt }) => heardAt !== null) ?? false,
      { what: 'the record follows' },
    );
    const before = rounds(kitchen);
    await waitFor(() => rounds(kitchen) > before);
    await waitFor(
      async () => (await house.api.call(`/admin/timers/${timer.id}`, { method: 'DELETE' })).status < 300,
      { what: 'the timer is cancelled' },
    );
    await kitchen.event('timer.stopped');

    expect(record.state).toBe('ringing');
    expect(record.ringingAt).toBeGreaterThanOrEqual(timer.dueAt);
    expect(finished(kitchen)).toBe(1);
  });
});

describe.concurrent('with another process, or no worker', () => {
  let house: Household;
  beforeAll(() => {
    house = take();
  });
  afterEach(() => house.tidy());

  test('a timer rings in its room, at any process, although Redis is full', inTurn, async () => {
    const other = await startApi({ redisUrl: house.redis.url });
    await isReady(other);
    const [kitchen, bath] = [await house.enter('kitchen', other), await house.enter('bath')];
    const timer = await house.timers.set(soonMs);
    await kitchen.event('timer.started');
    await house.redis.fill();

    const late = await lateMs(kitchen, timer);
    await kitchen.event('response.output_audio.started', 1);
    await house.redis.mend();
    const rung = finished(bath);
    await other.stop();

    for (const each of late) expect(each).toBeGreaterThanOrEqual(0);
    expect([finished(kitchen), rung]).toEqual([1, 0]);
  });

  test('a timer rings although no worker lives', inTurn, async () => {
    const kitchen = await house.enter('kitchen');
    await house.stopWorker();
    const timer = await house.timers.set(soonMs);

    const late = await lateMs(kitchen, timer);
    await waitFor(async () => (await house.states()).includes('ringing'));
    await house.startWorker();

    for (const each of late) expect(each).toBeGreaterThanOrEqual(0);
  });
});
