import { setTimeout as delay } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { type Config, ConfigError, readConfig } from './config.ts';
import { watchLoop } from './restart/loop-watch.ts';
import { wireApi } from './wiring/api.ts';
import { withChosenSettings } from './wiring/chosen-settings.ts';
import { wireLog } from './wiring/log.ts';

/** Running turns may finish within this time. Then connections are closed. */
const graceMs = 15_000;
/** Grace period for a requested restart, which is not urgent. Every turn ends within it. */
const drainMs = 65_000;
/** At startup, wait this long for Redis before serving. A running Redis connects faster. */
const redisMs = 1_000;

try {
  await main();
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `The api cannot start: ${error}`}\n`,
  );
  process.exit(1);
}

async function main(): Promise<void> {
  const environment = readConfig(process.env);
  const { log, instance, close: closeLog } = wireLog(environment, 'api');
  const config = await withChosenSettings(environment, log);
  watchLoop({
    names: { process: 'api', instance },
    onError: (error) => log.warn({ err: error }, 'event loop watchdog is not running'),
  });
  const { app, listenHttps, listenWyoming, redisWasReady, restartAsked, drain, close } = wireApi(
    config,
    log,
    {
      instance,
    },
  );

  const ending = closeWithGrace({ delay: graceMs + 3_000 }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'api exits after an error');
    else log.info({ signal }, 'api exits');
    const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
    await app.close();
    clearTimeout(cut);
    close();
    await closeLog();
  });

  restartAsked
    .then(() => drain(drainMs))
    // A recording that is still being uploaded is not a turn yet, but its caller also gets an answer.
    .then(() => Promise.race([app.close(), delay(drainMs, undefined, { ref: false })]))
    .finally(() => ending.close())
    .catch((error) => log.error({ err: error }, 'restart failed'));

  await Promise.race([redisWasReady, delay(redisMs, undefined, { ref: false })]);
  await app.listen({ host: config.host, port: config.port }).catch(notListening('HOST', 'PORT', config));
  const { https, wyoming } = config;
  if (https.isOn) {
    const at = { host: config.host, port: https.port };
    await listenHttps(at).catch(notListening('HOST', 'HTTPS_PORT', at));
    log.info(at, 'https is listening');
  }
  if (wyoming === null) return;
  const at = { host: wyoming.address, port: wyoming.port };
  await listenWyoming().catch(notListening('WYOMING_ADDRESS', 'WYOMING_PORT', at));
  log.info(at, 'Wyoming is listening');
}

type Listened = Pick<Config, 'host' | 'port'>;

/** Converts the system's error for an address into advice. */
function notListening(hostName: string, portName: string, at: Listened) {
  return (error: NodeJS.ErrnoException): never => {
    const why = whyNotListening(hostName, portName, at)[error.code ?? ''];
    throw why === undefined ? error : new ConfigError(why);
  };
}

function whyNotListening(hostName: string, portName: string, { host, port }: Listened) {
  const noAddress = `${hostName} must be an address of this machine, like 127.0.0.1 or 0.0.0.0, but is "${host}".`;
  const advice: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another program. Stop it, or choose another port with ${portName}.`,
    EACCES: `${portName} must be one that this user may use, usually 1024 or above, but is ${port}.`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
    EAI_AGAIN: noAddress,
  };
  return advice;
}
