import { hostname } from 'node:os';
import closeWithGrace from 'close-with-grace';
import { ConfigError, readConfig } from './config.ts';
import { createLog } from './log.ts';
import { homeInterfaces } from './tls/machine-names.ts';
import { accessBySettings, announceNearby, askAccess, isOpenedByPage, servicesOf } from './wiring/nearby.ts';

/** How often to check for changes of the network and of the access to Hearth. */
const pollIntervalMs = 10_000;

try {
  main();
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `The announcer cannot start: ${error}`}\n`,
  );
  process.exit(1);
}

/**
 * Announces hearth.local and its services on the home network. A separate process, because it parses packets
 * from any device.
 */
function main(): void {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel, process: 'announcer' });
  let shown = '';
  let access = accessBySettings(config);
  let stop: () => Promise<void> = async () => undefined;
  const look = async (): Promise<void> => {
    // While the api does not answer, its last answer applies.
    if (isOpenedByPage(config)) access = (await askAccess(config)) ?? access;
    const interfaces = homeInterfaces();
    const services = servicesOf(config, hostname(), access);
    const wanted = JSON.stringify({ interfaces, services });
    if (wanted === shown) return;
    shown = wanted;
    await stop();
    stop = await announceNearby({ interfaces, services, log });
  };
  const lookSafely = () => void look().catch((error) => log.warn({ err: error }, 'announcement failed'));
  lookSafely();
  setInterval(lookSafely, pollIntervalMs);
  closeWithGrace({ delay: 3_000 }, async () => await stop());
}
