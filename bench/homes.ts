import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Household, startHousehold } from './household.ts';
import { onKnownEngines, type Speed } from './known-engines.ts';
import { roundTo, table } from './measure.ts';
import type { Part } from './part.ts';
import { cpuMs, residentMb } from './processes.ts';
import { openRedisUsage, rateOf } from './redis-usage.ts';
import { question, withSatellites } from './satellite.ts';

const idleS = 10;
const typedTurns = 150;
const spokenTurns = 8;
const satellites = 8;
/** Homes with real processes, each in a database of the same Redis. */
const realHomes = 3;
const busyCallers = 8;
const busyTurns = 400;
/** The use of a home in the table: a busy family. */
const usual = { turnsAnHour: 60, satellites: 4 };
const homeCounts = [1, 10, 100];
/** How far the use of several homes may lie from the multiplied use of one. */
const maxDeviation = 0.15;
/** Redis runs all commands on one core. */
const redisCoreMs = 1_000;

const speed: Speed = {
  hearMs: 50,
  msPerCharacter: 0,
  transcript: 'Why is the sky blue?',
  answer: { firstMs: 20, tokens: 24, perSecond: 480, isStory: true },
};

type Usage = Awaited<ReturnType<typeof openRedisUsage>>;
type Rate = ReturnType<typeof rateOf>;

/** The cost of a home, and of many homes on one Redis. */
export const homesPart: Part = {
  name: 'homes',
  async run(house) {
    const one = await onKnownEngines(house, 'homes', async (live, engines) => {
      await engines.set(speed);
      const usage = await openRedisUsage(live.redisUrl);
      try {
        const measured = await measureOne(live, usage);
        return { ...measured, several: await measureSeveral(live, usage, measured) };
      } finally {
        usage.close();
      }
    });
    const { several } = one;
    const isAlike = Math.abs(several.ratio - 1) <= maxDeviation;
    return {
      text: textOf(one),
      figures: one,
      missed: isAlike
        ? []
        : [`${realHomes} homes used ${several.ratio.toFixed(2)} of the multiplied commands of one.`],
    };
  },
};

type Measured = Awaited<ReturnType<typeof measureOne>>;

async function measureOne(live: Household, usage: Usage) {
  const { signal } = live;
  const over = async (work: () => Promise<unknown>): Promise<{ rate: Rate; seconds: number }> => {
    const before = await usage.read();
    await work();
    const after = await usage.read();
    return { rate: rateOf(before, after), seconds: (after.atMs - before.atMs) / 1_000 };
  };
  const idle = (await over(() => delay(idleS * 1_000, undefined, { signal }))).rate;
  /** The use of one piece of work, without that of the idle home. */
  const each = ({ rate, seconds }: { rate: Rate; seconds: number }, count: number, base = idle): Rate => ({
    commands: ((rate.commands - base.commands) * seconds) / count,
    bytes: ((rate.bytes - base.bytes) * seconds) / count,
    cpuMs: ((rate.cpuMs - base.cpuMs) * seconds) / count,
  });
  const memoryBefore = (await usage.read()).memoryBytes;
  const typed = each(await over(() => askInRow(live, typedTurns)), typedTurns);
  const after = await usage.read();

  const apiMbBefore = await residentMb(live.api.child);
  const clients = Array.from({ length: satellites }, (_, at) => `room-${at}`);
  const heard = await withSatellites({ url: live.api.url, clients }, async (all) => {
    const cpuBefore = await cpuMs(live.api.child);
    const { rate, seconds } = await over(() => delay(idleS * 1_000, undefined, { signal }));
    const cpu = ((await cpuMs(live.api.child)) ?? 0) - (cpuBefore ?? 0);
    const apiMb = (await residentMb(live.api.child)) - apiMbBefore;
    const [first] = all;
    if (!first) throw new Error('no satellite');
    const spoken = await over(async () => {
      for (let turn = 0; turn < spokenTurns; turn += 1) await first.ask(question);
    });
    return {
      redis: {
        commands: (rate.commands - idle.commands) / satellites,
        bytes: (rate.bytes - idle.bytes) / satellites,
        cpuMs: (rate.cpuMs - idle.cpuMs) / satellites,
      },
      coreShare: cpu / 1_000 / seconds / satellites,
      apiMb: apiMb / satellites,
      spoken: each(spoken, spokenTurns, rate),
    };
  });
  const { spoken, ...satellite } = heard;
  return {
    ...{ idle, typed, spoken, satellite },
    clients: after.clients,
    bytesKept: (after.memoryBytes - memoryBefore) / typedTurns,
    turnsAnHour: await busyRate(live),
  };
}

async function askInRow(live: Household, count: number, name = 'anna'): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await ask(live, name);
}

async function ask({ api: { url }, signal }: Household, client: string): Promise<void> {
  const answer = await fetch(`${url}/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Why is the sky blue?', client }),
    signal,
  });
  await answer.text();
  if (!answer.ok) throw new Error(`the household answered ${answer.status}`);
}

/** Turns an hour of one api and one worker, on a model that is never the bottleneck. */
async function busyRate(live: Household): Promise<number> {
  const begunAt = performance.now();
  const each = busyTurns / busyCallers;
  await Promise.all(Array.from({ length: busyCallers }, (_, at) => askInRow(live, each, `busy-${at}`)));
  return (3_600_000 * busyTurns) / (performance.now() - begunAt);
}

/** Homes in other databases of the same Redis, all in use, beside the multiplied use of one. */
async function measureSeveral(first: Household, usage: Usage, { idle, typed }: Measured) {
  const { folder, signal, redisUrl, chatUrls } = first;
  const others: Household[] = [];
  try {
    for (let database = 1; database < realHomes; database += 1) {
      const own = join(folder, `home-${database}`);
      mkdirSync(own);
      const llmUrl = new URL(chatUrls.engine).origin;
      const more = { REDIS_URL: `${redisUrl}/${database}` };
      others.push(await startHousehold({ folder: own, signal, llmUrl, more }));
    }
    const all = [first, ...others];
    const before = await usage.read();
    await Promise.all(all.map((live) => askInRow(live, typedTurns)));
    const after = await usage.read();
    const seconds = (after.atMs - before.atMs) / 1_000;
    const expected = realHomes * (idle.commands * seconds + typed.commands * typedTurns);
    return { ratio: (after.commands - before.commands) / expected, clients: after.clients };
  } finally {
    for (const other of others) await other.end();
  }
}

function homesTable({ idle, typed, spoken, satellite, clients, bytesKept }: Measured): string[][] {
  const turnsEach = usual.turnsAnHour / 3_600;
  const of = (pick: (rate: Rate) => number): number =>
    pick(idle) + (turnsEach * (pick(typed) + pick(spoken))) / 2 + usual.satellites * pick(satellite.redis);
  const rows: [string, (homes: number) => string][] = [
    ['turns an hour', (homes) => String(homes * usual.turnsAnHour)],
    ['satellites', (homes) => String(homes * usual.satellites)],
    ['commands a second', (homes) => (homes * of(({ commands }) => commands)).toFixed(0)],
    ['kB a second', (homes) => ((homes * of(({ bytes }) => bytes)) / 1e3).toFixed(0)],
    [
      'of the core of Redis',
      (homes) => `${((100 * homes * of(({ cpuMs: ms }) => ms)) / redisCoreMs).toFixed(1)} %`,
    ],
    ['MB for 200 turns each', (homes) => ((homes * 200 * bytesKept) / 1e6).toFixed(1)],
    ['connections', (homes) => String(homes * clients)],
  ];
  return [
    ['homes on one Redis', ...homeCounts.map(String)],
    ...rows.map(([what, cell]) => [what, ...homeCounts.map(cell)]),
  ];
}

function textOf(one: Measured & { several: { ratio: number } }): string {
  const { idle, typed, spoken, satellite, several, turnsAnHour, bytesKept } = one;
  const row = (what: string, { commands, bytes, cpuMs: ms }: Rate) => [
    what,
    commands.toFixed(1),
    (bytes / 1e3).toFixed(1),
    ms.toFixed(2),
  ];
  return [
    'One home, measured',
    table([
      ['use of Redis', 'commands', 'kB', 'ms of its core'],
      row('idle, a second', idle),
      row('a connected satellite, a second', satellite.redis),
      row('a typed question', typed),
      row('a spoken question', spoken),
    ]),
    `A connected satellite takes ${(100 * satellite.coreShare).toFixed(2)} % of a core and ${satellite.apiMb.toFixed(1)} MB of the api.`,
    `A typed question leaves ${roundTo(bytesKept / 1e3, 1)} kB in Redis. One api and one worker answer ${Math.round(turnsAnHour)} questions an hour.`,
    `${realHomes} homes at once: ${several.ratio.toFixed(2)} of the multiplied commands of one`,
    '',
    `Multiplied: ${usual.turnsAnHour} turns an hour, half of them spoken, and ${usual.satellites} satellites in each home`,
    table(homesTable(one)),
  ].join('\n');
}
