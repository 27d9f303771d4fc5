import { setTimeout as delay } from 'node:timers/promises';
import { frameBytes, frameMs } from '../api/src/audio/frames.ts';
import { createListener, type Listener } from '../api/src/audio/listener.ts';
import { loadVad, type Vad } from '../api/src/audio/vad.ts';
import { silencesAfter } from '../tests/support/audio/silences.ts';
import { roundTo, summary, table } from './measure.ts';
import type { Part } from './part.ts';

const satellites = 50;
const seconds = { one: 5, all: 10 };
const framesInRow = 1_500;
/** The chunks that satellites send. */
const chunkMs = 20;
const chunk = Buffer.alloc(chunkMs * 32);

/** The cost of listening during silence: satellites that send silence in real time, without their sockets. */
export const idleSatellitesPart: Part = {
  name: 'idle-satellites',
  async run({ signal }) {
    const vad = await loadVad();
    const frame = await timeFrames(vad);
    const one = await stream(vad, { count: 1, seconds: seconds.one, signal });
    const all = await stream(vad, { count: satellites, seconds: seconds.all, signal });
    const row = (what: string, { coreShare, late, lag }: Streamed) => [
      what,
      `${(coreShare * 100).toFixed(1)} %`,
      `${lag.medianMs.toFixed(1)} ms`,
      `${lag.p95Ms.toFixed(1)} ms`,
      `${lag.maxMs.toFixed(1)} ms`,
      `${late} of ${lag.calls}`,
    ];
    const rows = [
      ['silence in real time', 'of one core', 'decided after', 'p95', 'most', `later than ${frameMs} ms`],
      row('1 satellite', one),
      row(`${satellites} satellites`, all),
    ];
    const missed: string[] = [];
    if (all.coreShare > 1) missed.push(`${satellites} idle satellites take more than one core to listen to.`);
    if (all.late > 0) missed.push(`${all.late} frames of ${satellites} idle satellites were decided late.`);
    return {
      text: `Listening: one frame takes ${frame.medianMs.toFixed(2)} ms, p95 ${frame.p95Ms.toFixed(2)} ms\n${table(rows)}`,
      figures: { frame, one, all: { satellites, ...all } },
      missed,
    };
  },
};

/** Voice detection alone, frame after frame. */
async function timeFrames(vad: Vad) {
  const stream = vad.open();
  const silence = Buffer.alloc(frameBytes);
  const timesMs: number[] = [];
  for (let count = 0; count < framesInRow; count += 1) {
    const begunAt = performance.now();
    await stream.speech(silence);
    timesMs.push(performance.now() - begunAt);
  }
  return summary(timesMs);
}

type Streamed = Awaited<ReturnType<typeof stream>>;

/**
 * Satellites that send silence at separate moments. A chunk's lag is the time from when it was due until its
 * frames were judged.
 */
async function stream(vad: Vad, options: { count: number; seconds: number; signal: AbortSignal }) {
  const { count, signal } = options;
  const listeners = Array.from({ length: count }, () => createListener({ vad, silences: silencesAfter() }));
  const lagsMs: number[] = [];
  const begunAt = performance.now();
  const cpu = process.cpuUsage();
  const chunks = (options.seconds * 1_000) / chunkMs;
  const sends = listeners.map(async (listener, index) => {
    for (let sent = 0; sent < chunks; sent += 1) {
      const dueAt = begunAt + (sent + 1 + index / count) * chunkMs;
      await delay(Math.max(0, dueAt - performance.now()), undefined, { signal });
      lagsMs.push(await lagOf(listener, dueAt));
    }
  });
  await Promise.all(sends);
  const { user, system } = process.cpuUsage(cpu);
  const tookMs = performance.now() - begunAt;
  return {
    coreShare: roundTo((user + system) / 1_000 / tookMs, 4),
    late: lagsMs.filter((ms) => ms > frameMs).length,
    lag: summary(lagsMs),
  };
}

async function lagOf(listener: Listener, dueAt: number): Promise<number> {
  await listener.push(chunk);
  return performance.now() - dueAt;
}
