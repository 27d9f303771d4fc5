import type { RoomWatch } from '../check/room-watch.ts';
import type { Contract } from '../http/contract.ts';
import { healthRoutes } from '../http/health-routes.ts';
import type { ApiCore } from './api-core.ts';
import { reasonsOff } from './engine-addresses.ts';

/** Routes for the health of the process and its dependencies, and for the contract. */
export function wireHealth(core: ApiCore, contract: Contract, room: RoomWatch) {
  const { config, version, settings, files, crashes, workers, redisIsReady, writes, chain } = core;
  return healthRoutes({
    contract,
    version,
    configured: () => ({
      token: config.serviceToken !== undefined,
      time_zone: config.timeZone,
      home: core.hasHome(),
      log_words: settings.current().log_words,
    }),
    off: reasonsOff(config),
    files,
    crashes,
    workers,
    redisIsReady,
    refusal: () => writes.refusal,
    away: writes.away,
    warnings: room.warnings,
    openTurns: () => chain.open,
  });
}
