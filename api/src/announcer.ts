import { hostname } from 'node:os';
import closeWithGrace from 'close-with-grace';
import { ConfigError, readConfig } from './config.ts';
import { createLog } from './log.ts';
import { homeInterfaces } from './tls/machine-names.ts';
import { announceNearby, servicesOf } from './wiring/nearby.ts';

/** How soon a change of the network is noticed. */
const lookEveryMs = 10_000;

try {
  main();
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `The announcer cannot start: ${error}`}\n`,
  );
  process.exit(1);
}

/**
 * Announces hearth.local and its services in the home network. A separate process, because it parses packets
 * from any device.
 */
function main(): void {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel, process: 'announcer' });
  let shown = '';
  let stop: () => Promise<void> = async () => undefined;
  const look = async (): Promise<void> => {
    const interfaces = homeInterfaces();
    if (interfaces.join() === shown) return;
    shown = interfaces.join();
    await stop();
    stop = await announceNearby({ interfaces, services: servicesOf(config, hostname()), log });
  };
  const lookSafely = () => void look().catch((error) => log.warn({ err: error }, 'announcement failed'));
  lookSafely();
  setInterval(lookSafely, lookEveryMs);
  closeWithGrace({ delay: 3_000 }, async () => await stop());
}
