import { utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { ConfigError, readConfig } from './config.ts';
import { watchLoop } from './restart/loop-watch.ts';
import { heartbeatEveryMs } from './status/engine-status.ts';
import { withChosenSettings } from './wiring/chosen-settings.ts';
import { wireLog } from './wiring/log.ts';
import { wireWorker } from './wiring/worker.ts';

/** Running turns may finish within this. */
const graceMs = 15_000;
/** Grace period for a requested restart, which is not urgent. Every turn ends within it. */
const drainMs = 65_000;

/** The container's health check reads the age of this file. */
const aliveFile = join(tmpdir(), 'hearth-worker-alive');

try {
  await main();
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `The worker cannot start: ${error}`}\n`,
  );
  process.exit(1);
}

async function main(): Promise<void> {
  const environment = readConfig(process.env);
  const { log, instance, close: closeLog } = wireLog(environment, 'worker');
  const config = await withChosenSettings(environment, log);
  watchLoop({
    names: { process: 'worker', instance },
    onError: (error) => log.warn({ err: error }, 'event loop watchdog is not running'),
  });
  const worker = wireWorker(config, log, { instance });

  const pulse = setInterval(() => {
    worker
      .beat()
      .catch((error) => log.warn({ err: error }, 'failed to send the heartbeat to the api processes'));
    touch(aliveFile).catch((error) => log.warn({ err: error }, 'failed to write the health file'));
  }, heartbeatEveryMs);

  const ending = closeWithGrace({ delay: graceMs + 4_000 }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'worker exits after an error');
    else log.info({ signal }, 'worker exits');
    // Heartbeats continue until the last turn is reported, because the api treats a silent worker as dead.
    await worker.stop(graceMs);
    clearInterval(pulse);
    await closeLog();
  });
  worker.restartAsked
    .then(() => worker.drain(drainMs))
    .finally(() => ending.close())
    .catch((error) => log.error({ err: error }, 'restart failed'));
  log.info('worker is ready');
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => writeFile(path, ''));
}
