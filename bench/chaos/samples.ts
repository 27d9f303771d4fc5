import { readdirSync, readFileSync } from 'node:fs';
import { table } from '../measure.ts';
import { type ChaosHouse, type ProgramName, programs } from './house.ts';
import type { Count } from './verdict.ts';

const intervalMs = 5_000;

interface Figures {
  memoryMb: number;
  files: number;
  threads: number;
}
export interface Sample {
  atS: number;
  of: Map<ProgramName, Figures>;
  redisMb: number;
  keys: number;
}

/** Growth per hour beyond the noise of a run of this length. */
interface Growth {
  what: string;
  perHour: number;
  from: number;
  to: number;
}

/** Samples memory, open files, threads and keys every few seconds until it is stopped. */
export function takeSamples(house: ChaosHouse, tell: (sample: Sample) => void) {
  const samples: Sample[] = [];
  const begunAt = performance.now();
  let isOn = true;
  const look = async (): Promise<void> => {
    const of = new Map<ProgramName, Figures>();
    for (const program of programs) {
      const figures = figuresOf(await house.pidOf(program));
      if (figures) of.set(program, figures);
    }
    const info = String(await house.redis('INFO', 'memory'));
    const redisMb = Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? 0) / 1e6;
    const keys = Number(await house.redis('DBSIZE'));
    const sample = { atS: (performance.now() - begunAt) / 1_000, of, redisMb, keys };
    samples.push(sample);
    tell(sample);
  };
  const done = (async () => {
    while (isOn) {
      // Skip a failed sample: a program is restarting.
      await look().catch(() => undefined);
      await new Promise((wait) => setTimeout(wait, intervalMs));
    }
  })();
  return {
    samples,
    async stop(): Promise<void> {
      isOn = false;
      await done;
    },
  };
}

function figuresOf(pid: number): Figures | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const value = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return {
      memoryMb: value('VmRSS') / 1_000,
      threads: value('Threads'),
      files: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    return null; // It has just ended.
  }
}

/** The growth of every figure over the second half of a run, after the warm-up. */
export function growthOf(samples: readonly Sample[]): Growth[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  const line = (what: string, read: (sample: Sample) => number | undefined): Growth => {
    const points = half.flatMap((sample) => {
      const value = read(sample);
      return value === undefined ? [] : [{ atS: sample.atS, value }];
    });
    return {
      what,
      perHour: slopePerHour(points),
      from: points[0]?.value ?? 0,
      to: points.at(-1)?.value ?? 0,
    };
  };
  return [
    ...programs.map((program) => line(`${program}: memory, MB`, ({ of }) => of.get(program)?.memoryMb)),
    ...programs.map((program) => line(`${program}: open files`, ({ of }) => of.get(program)?.files)),
    ...programs.map((program) => line(`${program}: threads`, ({ of }) => of.get(program)?.threads)),
    line('data in Redis, MB', ({ redisMb }) => redisMb),
    line('keys in Redis', ({ keys }) => keys),
  ];
}

/** Method of least squares. */
function slopePerHour(points: readonly { atS: number; value: number }[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [atS, value] = [mean(points.map((point) => point.atS)), mean(points.map((point) => point.value))];
  const above = points.reduce((sum, point) => sum + (point.atS - atS) * (point.value - value), 0);
  const below = points.reduce((sum, point) => sum + (point.atS - atS) ** 2, 0);
  return below === 0 ? 0 : (above / below) * 3_600;
}

export function growthTable(growth: readonly Growth[]): string {
  const rows = growth.map(({ what, from, to, perHour }) => [
    what,
    from.toFixed(1),
    to.toFixed(1),
    perHour.toFixed(1),
  ]);
  return table([['second half of the run', 'from', 'to', 'per hour'], ...rows]);
}

/** Variation of the programs' memory in ten minutes without a leak, in MB. */
const restlessMb = 25;
const restlessFiles = 10;

/** The figures that grew by more than the noise of an idle program. */
export function growthCounts(growth: readonly Growth[]): Count[] {
  return growth
    .filter(({ what }) => what.includes('memory') || what.includes('files') || what.includes('threads'))
    .map(({ what, from, to }) => ({
      what: `growth of ${what}`,
      found: Math.round(to - from),
      max: what.includes('memory') ? restlessMb : restlessFiles,
    }));
}
