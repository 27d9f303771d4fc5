import { readFileSync } from 'node:fs';
import { adminLogRoutes } from '../http/admin-log-routes.ts';
import { adminMetricRoutes } from '../http/admin-metric-routes.ts';
import { adminRestartRoutes } from '../http/admin-restart-routes.ts';
import { adminTurnRoutes } from '../http/admin-turn-routes.ts';
import { newestChanges } from '../http/change-log.ts';
import { queueDepths } from '../jobs/queues.ts';
import { createLogReader } from '../logs/log-reader.ts';
import { createLogTail } from '../logs/log-tail.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { ApiCore } from './api-core.ts';
import { reasonsOff } from './engine-addresses.ts';
import { projectFile } from './installation.ts';

/** Loading a large model from a slow disk takes minutes. */
const reloadMs = 150_000;

/** Routes for administration: logs, turns, metrics and restarts. */
export function wireUpkeep(core: ApiCore) {
  const { config, log, redis, running, turnLog, queues, workers, workerCalls, version } = core;
  const reader = createLogReader({ redis });
  const tail = createLogTail({ reader });
  const off = reasonsOff(config);
  const versions = newestChanges(readFileSync(projectFile('CHANGELOG.md'), 'utf8'));
  const metrics = createMetrics({
    turns: turnLog,
    queueDepths: () => queueDepths(queues),
    workers,
    isOff: (engine) => off[engine] !== undefined,
    processes: running.registry,
    version,
  });
  const reload = async (engine: EngineName): Promise<void> => {
    const order = { engine, model: null, withinMs: reloadMs, signal: AbortSignal.timeout(2 * reloadMs) };
    await workerCalls.command({ ...order, what: 'unload' });
    await workerCalls.command({ ...order, what: 'load' });
  };

  return {
    handlers: {
      ...adminLogRoutes({ reader, tail }),
      listChanges: () => ({ version, versions }),
      ...adminTurnRoutes({ log: turnLog }),
      ...adminMetricRoutes({ metrics }),
      ...adminRestartRoutes({
        ...running,
        canReload: (engine) => workers.servers(engine).some(({ can }) => can.load && can.unload),
        reload,
        onFault: (engine, error) => log.warn({ engine, err: error }, 'failed to reload a model'),
      }),
    },
    /** Ends log followers at shutdown. */
    endFollowers: tail.endAll,
  };
}
