import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isOnLoopback } from '../http/own-machine.ts';
import { announcedName, ownNames } from '../tls/machine-names.ts';
import { type Health, readHealth } from './health.ts';

/** An engine that failed may still come: its container starts again by itself. Only so long do we wait for that. */
const failedForMs = 60_000;

const titles: Readonly<Record<string, string>> = {
  llm: 'the language model',
  stt: 'the speech recognition',
  tts: 'the voice',
};

process.exitCode = await main(`http://127.0.0.1:${process.env['PORT'] || '8765'}`);

/** Shows on the terminal what the assistant is still waiting for, until it can answer; then its address. Returns the exit code. */
async function main(address: string): Promise<number> {
  let shown = '';
  let degradedSince: number | undefined;
  for (;;) {
    const health = await readHealth(address);
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

/**
 * One line for each engine that is not ready; downloads in steps of a tenth, so that a log does not fill with them. One that does not answer yet is
 * waited for: in the middle of a start that is no fault.
 */
function describe({ engines, note }: Health): string {
  const waiting = Object.entries(engines)
    .filter(([, { state }]) => state !== 'ready' && state !== 'off')
    .map(([name, { state, reason, download }]) => {
      if (download) return progressOf(download);
      return state === 'failed' || reason === null ? `Waiting for ${titles[name] ?? name}.` : reason;
    });
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

/** Where other devices find it; how to let them in, if they are not. */
function elsewhere(): string {
  const {
    HOST: host,
    LISTEN_ADDRESS: listen,
    SERVICE_TOKEN: token,
    HTTPS: https,
    HTTPS_PORT: securePort,
  } = process.env;
  if (isOnLoopback(listen ?? host ?? '127.0.0.1'))
    return token
      ? 'Other devices are not let in: HOST=0.0.0.0 make run opens Hearth to those with the token.'
      : 'Only this machine can use it. "make phone" opens it to your phone.';
  const names = process.env['MACHINE_NAMES']?.split(',') ?? ownNames();
  const at = [names.find((name) => isIP(name) === 4), names[0]].find(Boolean) ?? announcedName;
  const [scheme, port] =
    https === '1' ? ['https', securePort || '8443'] : ['http', process.env['PORT'] || '8765'];
  return `Other devices: ${scheme}://${at}:${port}. "make phone" shows a code that pairs a phone.`;
}

function done(address: string, { status, engines }: Health): number {
  const models = Object.values(engines).flatMap(({ state, model }) =>
    state === 'ready' && model ? [model] : [],
  );
  const port = new URL(address).port;
  if (models.length > 0) process.stdout.write(`Models: ${models.join(', ')}.\n`);
  if (status === 'ready') process.stdout.write(`Hearth answers at http://localhost:${port}\n`);
  else {
    const reasons = Object.values(engines).flatMap(({ state, reason }) =>
      state === 'failed' ? [reason] : [],
    );
    const told = reasons.filter((reason) => reason !== null).map((reason) => `${reason}\n`);
    process.stdout.write(
      `${told.join('')}Hearth answers at http://localhost:${port}, but not everything works. See "make check-up" and "make logs".\n`,
    );
  }
  process.stdout.write(`${elsewhere()}\n`);
  return 0;
}
