import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** An engine that failed may still come: its container starts again by itself. Only so long do we wait for that. */
const failedForMs = 60_000;

const engineSchema = z.object({
  state: z.string(),
  reason: z.string().nullable(),
  model: z.string().nullable(),
  download: z.object({ bytes_done: z.number(), bytes_total: z.number() }).optional(),
});

const healthSchema = z.object({
  status: z.enum(['ready', 'starting', 'degraded']),
  note: z.string().nullable(),
  engines: z.record(z.string(), engineSchema),
});

type Health = z.infer<typeof healthSchema>;

process.exitCode = await main(`http://127.0.0.1:${process.env['PORT'] || '8765'}`);

/** Shows on the terminal what the assistant is still waiting for, until it can answer; then its address. Returns the exit code. */
async function main(address: string): Promise<number> {
  let shown = '';
  let degradedSince: number | undefined;
  for (;;) {
    const health = await look(address);
    const lines = health ? describe(health) : 'Hearth is starting.';
    if (lines !== shown) process.stdout.write(`${lines}\n`);
    shown = lines;
    if (health?.status === 'ready') return done(address, health);
    degradedSince = health?.status === 'degraded' ? (degradedSince ?? performance.now()) : undefined;
    if (health && degradedSince !== undefined && performance.now() - degradedSince > failedForMs)
      return done(address, health);
    await delay(500);
  }
}

async function look(address: string): Promise<Health | undefined> {
  try {
    const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(3_000) });
    return healthSchema.parse(await answer.json());
  } catch {
    return undefined; // not there yet
  }
}

/** One line for each engine that is not ready; downloads in steps of a tenth, so that a log does not fill with them. */
function describe({ engines, note }: Health): string {
  const waiting = Object.values(engines)
    .filter(({ state }) => state !== 'ready' && state !== 'off')
    .map(({ reason, download }) => (download ? progressOf(download) : (reason ?? 'Waiting for an engine.')));
  return [...(note ? [note] : []), ...new Set(waiting)].join('\n') || 'All engines are ready.';
}

function progressOf({
  bytes_done: done,
  bytes_total: total,
}: {
  bytes_done: number;
  bytes_total: number;
}): string {
  const tenths = Math.floor((10 * done) / Math.max(1, total));
  return `Downloading ${'#'.repeat(tenths).padEnd(10, '.')} ${tenths * 10} % of ${Math.round(total / 1e6)} MB`;
}

function done(address: string, { status, engines }: Health): number {
  const models = Object.values(engines).flatMap(({ state, model }) =>
    state === 'ready' && model ? [model] : [],
  );
  const port = new URL(address).port;
  if (models.length > 0) process.stdout.write(`Models: ${models.join(', ')}.\n`);
  if (status === 'ready') process.stdout.write(`Hearth answers at http://localhost:${port}\n`);
  else
    process.stdout.write(
      `Hearth answers at http://localhost:${port}, but not everything works. See /health and the logs.\n`,
    );
  return 0;
}
