import { utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { ConfigError, readConfig } from './config.ts';
import { watchLoop } from './restart/loop-watch.ts';
import { heartbeatEveryMs } from './status/engine-status.ts';
import { wireLog } from './wiring/log.ts';
import { wireWorker } from './wiring/worker.ts';

/** Running turns may finish within this. */
const graceMs = 15_000;
/** The same for a requested restart, which is not urgent. No turn takes longer. */
const drainMs = 65_000;

/** The container's health check reads the age of this file. */
const aliveFile = join(tmpdir(), 'hearth-worker-alive');

try {
  main();
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `The worker cannot start: ${error}`}\n`,
  );
  process.exit(1);
}

function main(): void {
  const config = readConfig(process.env);
  const { log, instance, close: closeLog } = wireLog(config, 'worker');
  watchLoop({
    names: { process: 'worker', instance },
    onError: (error) => log.warn({ err: error }, 'nothing watches the loop of this process'),
  });
  const worker = wireWorker(config, log, { instance });

  const pulse = setInterval(() => {
    worker
      .beat()
      .catch((error) => log.warn({ err: error }, 'the api processes cannot be told that this worker lives'));
    touch(aliveFile).catch((error) => log.warn({ err: error }, 'the health file cannot be written'));
  }, heartbeatEveryMs);

  const ending = closeWithGrace({ delay: graceMs + 4_000 }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'the worker ends after a fault');
    else log.info({ signal }, 'the worker ends');
    // Heartbeats continue until the last turn is reported, because the api treats a silent worker as dead.
    await worker.stop(graceMs);
    clearInterval(pulse);
    await closeLog();
  });
  worker.restartAsked
    .then(() => worker.drain(drainMs))
    .finally(() => ending.close())
    .catch((error) => log.error({ err: error }, 'the restart failed'));
  log.info('the worker is up');
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => writeFile(path, ''));
}
