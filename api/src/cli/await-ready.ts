import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { isOnLoopback } from '../http/own-machine.ts';
import { announcedName, ownNames } from '../tls/machine-names.ts';
import { gettext } from './gettext.ts';
import { type Health, readHealth } from './health.ts';

/** How long to wait for a failed engine, because its container restarts by itself. */
const failedForMs = 60_000;
const askMs = 5_000;

const networkSchema = z.object({ url: z.string().nullable() });

const waits: Readonly<Record<string, string>> = {
  llm: gettext('Waiting for the language model.'),
  stt: gettext('Waiting for the speech recognition.'),
  tts: gettext('Waiting for the voice.'),
};

process.exitCode = await main(`http://127.0.0.1:${process.env['PORT'] || '8765'}`);

/** Shows what the assistant waits for until it can answer, then its address. Returns the exit code. */
async function main(address: string): Promise<number> {
  let shown = '';
  let degradedSince: number | undefined;
  for (;;) {
    const health = await readHealth(address);
    const lines = health ? describe(health) : gettext('Hearth is starting.');
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
 * One line for each engine that is not ready. Downloads advance in steps of 10 percent, to keep logs short.
 * An engine without an answer counts as starting.
 */
function describe({ engines, note }: Health): string {
  const waiting = Object.entries(engines)
    .filter(([, { state }]) => state !== 'ready' && state !== 'off')
    .map(([name, { state, reason, download }]) => {
      if (download) return progressOf(download);
      return state === 'failed' || reason === null
        ? (waits[name] ?? gettext('Waiting for %s.', name))
        : reason;
    });
  return [...(note ? [note] : []), ...new Set(waiting)].join('\n') || gettext('All engines are ready.');
}

function progressOf({
  bytes_done: done,
  bytes_total: total,
}: {
  bytes_done: number;
  bytes_total: number;
}): string {
  const tenths = Math.floor((10 * done) / Math.max(1, total));
  const bar = '#'.repeat(tenths).padEnd(10, '.');
  return gettext('Downloading %s %s %% of %s MB', bar, tenths * 10, Math.round(total / 1e6));
}

/** The address that the page opened to the home network. Null: it is closed. */
async function openedUrl(address: string): Promise<string | null> {
  const token = process.env['SERVICE_TOKEN']?.trim();
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await fetch(`${address}/admin/network`, { headers, signal: AbortSignal.timeout(askMs) })
    .then((response) => response.json())
    .catch(() => null);
  return networkSchema.safeParse(answer).data?.url ?? null;
}

/** The address for other devices, or how to give them access. */
async function elsewhere(address: string): Promise<string> {
  const { HOST: host, LISTEN_ADDRESS: listen, HTTPS: https, HTTPS_PORT: securePort } = process.env;
  if (isOnLoopback(listen ?? host ?? '127.0.0.1')) {
    const url = listen === undefined ? await openedUrl(address) : null;
    if (url !== null) return othersAt(url);
    // In containers, the page cannot open it.
    return listen === undefined
      ? gettext(
          'Only this machine can use it. "make phone", or Settings on the page, opens it to your phone.',
        )
      : gettext('Only this machine can use it. "make phone" opens it to your phone.');
  }
  const names = process.env['MACHINE_NAMES']?.split(',') ?? ownNames();
  const at = [names.find((name) => isIP(name) === 4), names[0]].find(Boolean) ?? announcedName;
  const [scheme, port] =
    https === '1' ? ['https', securePort || '8443'] : ['http', process.env['PORT'] || '8765'];
  return othersAt(`${scheme}://${at}:${port}`);
}

function othersAt(url: string): string {
  return gettext('Other devices: %s. "make phone" shows a code that pairs a phone.', url);
}

async function done(address: string, { status, engines, warnings }: Health): Promise<number> {
  const models = Object.values(engines).flatMap(({ state, model }) =>
    state === 'ready' && model ? [model] : [],
  );
  const shown = `http://localhost:${new URL(address).port}`;
  if (models.length > 0) process.stdout.write(`${gettext('Models: %s.', models.join(', '))}\n`);
  if (status === 'ready') process.stdout.write(`${gettext('Hearth answers at %s', shown)}\n`);
  else {
    const reasons = Object.values(engines).flatMap(({ state, reason }) =>
      state === 'failed' ? [reason] : [],
    );
    const lines = reasons.filter((reason) => reason !== null).map((reason) => `${reason}\n`);
    const still = gettext(
      'Hearth answers at %s, but not everything works. See "make check-up" and "make logs".',
      shown,
    );
    process.stdout.write(`${lines.join('')}${still}\n`);
  }
  for (const { message, advice } of warnings) process.stdout.write(`${message} ${advice}\n`);
  process.stdout.write(`${await elsewhere(address)}\n`);
  return 0;
}
