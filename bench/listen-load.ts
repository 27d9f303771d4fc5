import { setTimeout as delay } from 'node:timers/promises';
import type { Household } from './household.ts';
import type { KnownEngines, Speed } from './known-engines.ts';
import { roundTo, summary, table } from './measure.ts';
import { cpuMs, residentMb } from './processes.ts';
import { type Clip, type Satellite, withSatellite, withSatellites } from './satellite.ts';

const idleSatellites = 50;
const talkingSatellites = 8;
const seconds = 6;
/** How often one of the idle satellites asks how far the server has listened. */
const probeEveryMs = 100;
const frameMs = 32;

const turnsInRow = 1_000;
/** A few words, whose sound is sent all at once. */
const tokens = 4;
/** Multiple of real time, within the server's limit. */
const fast = 6;
/** Growth over the second half that still counts as chance. */
const maxGrowthMb = 10;

interface LoadOptions {
  engines: KnownEngines;
  clips: { question: Clip; shout: Clip };
  /** The speed of the engines while people talk. */
  speed: Speed;
}

/** The cost of connected satellites, of satellites with speech, and of one with long speech. */
export async function measureLoad(live: Household, { engines, clips, speed }: LoadOptions) {
  await engines.set(speed);
  const idle = await idleCost(live);
  const talking = await talkingCost(live, clips.question);
  const memory = await memoryOver(live, engines, { clip: clips.shout, speed });
  const share = (value: number) => `${(value * 100).toFixed(2)} %`;
  const mb = (value: number) => `${value.toFixed(0)} MB`;
  const rows = [
    ['of one core, per satellite', 'api', 'worker'],
    [`of ${idleSatellites} that send silence`, share(idle.api), share(idle.worker)],
    [`of ${talkingSatellites} with speech all the time`, share(talking.api), share(talking.worker)],
  ];
  const memoryRows = [
    ['resident after turns on one connection', ...memory.map(({ turns }) => String(turns))],
    ['api', ...memory.map(({ api }) => mb(api))],
    ['worker', ...memory.map(({ worker }) => mb(worker))],
  ];
  return {
    name: 'load',
    text: `${table(rows)}\nLag of silence after sending: median ${idle.lag.medianMs.toFixed(1)} ms, maximum ${idle.lag.maxMs.toFixed(1)} ms\n\n${table(memoryRows)}`,
    figures: { idle, talking, memory },
    missed: [...missedIdle(idle), ...missedMemory(memory)],
  };
}

function missedIdle({ api, lag }: Awaited<ReturnType<typeof idleCost>>): string[] {
  const missed: string[] = [];
  if (api * idleSatellites > 1) missed.push(`${idleSatellites} idle satellites take more than one core.`);
  if (lag.p95Ms > frameMs)
    missed.push(`The server processes idle satellites ${lag.p95Ms.toFixed(0)} ms late.`);
  return missed;
}

interface Resident {
  turns: number;
  api: number;
  worker: number;
}

function missedMemory(memory: readonly Resident[]): string[] {
  const [halfway, end] = memory.slice(-2);
  return (['api', 'worker'] as const).flatMap((name) => {
    const growthMb = (end?.[name] ?? Number.NaN) - (halfway?.[name] ?? Number.NaN);
    return growthMb <= maxGrowthMb
      ? []
      : [`The ${name} grew by ${growthMb.toFixed(0)} MB over the last ${turnsInRow / 2} turns.`];
  });
}

/** The share of a core that each process takes per satellite, minus its share without them. */
async function costOf(live: Household, satellites: number, work: () => Promise<unknown>) {
  const begunAt = performance.now();
  const before = [await cpuMs(live.api.child), await cpuMs(live.worker)];
  await work();
  const tookMs = performance.now() - begunAt;
  const after = [await cpuMs(live.api.child), await cpuMs(live.worker)];
  const [api = 0, worker = 0] = after.map((ms, index) => {
    const [from, to] = [before[index] ?? Number.NaN, ms ?? Number.NaN];
    return roundTo((to - from) / tookMs / satellites, 5);
  });
  return { api, worker };
}

const manyOf = (live: Household, count: number, name: string) => ({
  url: live.api.url,
  clients: Array.from({ length: count }, (_, index) => `${name}-${index}`),
});

async function idleCost(live: Household) {
  return await withSatellites(manyOf(live, idleSatellites, 'idle'), async (satellites) => {
    const lagsMs: number[] = [];
    const cost = await costOf(live, idleSatellites, async () => {
      const endsAt = performance.now() + seconds * 1_000;
      while (performance.now() < endsAt) {
        for (const satellite of satellites.slice(0, 1)) lagsMs.push(await lagOf(satellite));
        await delay(probeEveryMs, undefined, { signal: live.signal });
      }
    });
    return { ...cost, lag: summary(lagsMs) };
  });
}

/** The server answers "Forget what you heard" only after it has processed everything sent before. */
async function lagOf({ line }: Satellite): Promise<number> {
  const nth = line.events.filter(({ event }) => event.type === 'input_audio_buffer.cleared').length;
  const askedAt = performance.now();
  line.send({ type: 'input_audio_buffer.clear' });
  return (await line.event('input_audio_buffer.cleared', nth)).atMs - askedAt;
}

async function talkingCost(live: Household, clip: Clip) {
  return await withSatellites(manyOf(live, talkingSatellites, 'talking'), async (satellites) => {
    let turns = 0;
    const cost = await costOf(live, talkingSatellites, async () => {
      const endsAt = performance.now() + seconds * 1_000;
      const talk = async (satellite: Satellite) => {
        while (performance.now() < endsAt) {
          await satellite.ask(clip);
          turns += 1;
        }
      };
      await Promise.all(satellites.map(talk));
    });
    return { ...cost, turns };
  });
}

/** Turn after turn on one connection, at full speed. */
async function memoryOver(
  live: Household,
  engines: KnownEngines,
  { clip, speed }: { clip: Clip; speed: Speed },
) {
  await engines.set({
    ...speed,
    hearMs: 0,
    msPerCharacter: 0,
    answer: { ...speed.answer, tokens, firstMs: 0, perSecond: 0 },
  });
  const seen: Resident[] = [];
  await withSatellite({ url: live.api.url, client: 'memory', speed: fast }, async (satellite) => {
    for (let turns = 1; turns <= turnsInRow; turns += 1) {
      await satellite.ask(clip, { listenMs: 1_000 });
      if (![turnsInRow / 10, turnsInRow / 2, turnsInRow].includes(turns)) continue;
      seen.push({ turns, api: await residentMb(live.api.child), worker: await residentMb(live.worker) });
    }
  });
  return seen;
}
