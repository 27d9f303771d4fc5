import { AppError } from '../errors.ts';
import { onRedis } from '../redis/redis.ts';
import { type CallLog, percentile } from '../status/call-log.ts';
import { type EngineName, engineNames, type ServerStatus } from '../status/engine-status.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import type { WorkerCalls } from '../turn-client/worker-calls.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';
import { type EngineNowOptions, engineNow } from './health-routes.ts';

type ModelServer = components['schemas']['ModelServer'];
type Replica = ModelServer['replicas'][number];

/** A large model takes minutes to load from a slow disk. */
const commandMs = 150_000;

interface ServerRoutesOptions extends EngineNowOptions {
  workers: Pick<WorkerRegistry, 'engine' | 'noneAlive' | 'servers'>;
  redis: Parameters<typeof onRedis>[0];
  workerCalls: Pick<WorkerCalls, 'queued' | 'command'>;
  calls: Pick<CallLog, 'read'>;
  /** Whether its pages are available below `proxy/`. */
  hasPages: (name: EngineName) => boolean;
}

type ServerHandlers = Pick<Handlers, 'getServers' | 'getServer' | 'loadServer' | 'unloadServer'>;

/** The model servers: their state, their models and their recent results. */
export function adminServerRoutes(options: ServerRoutesOptions): ServerHandlers {
  const { redis, workerCalls, calls, workers, hasPages } = options;

  const describe = async (name: EngineName): Promise<ModelServer> => {
    const now = engineNow(name, options);
    const servers = workers.servers(name);
    const [queue, { tookMs, errors }] = await Promise.all([
      workerCalls.queued(name),
      onRedis(redis, () => calls.read(name)),
    ]);
    const best = servers.find(({ state }) => state === 'ready') ?? servers[0];
    return {
      name,
      ...now,
      download: now.download ?? null,
      version: best?.version ?? null,
      memory: best ? memoryOf(best) : null,
      replicas: servers.map(replicaOf),
      queue,
      latency: {
        p50_ms: percentile(tookMs, 0.5),
        p95_ms: percentile(tookMs, 0.95),
        count: tookMs.length,
      },
      last_errors: errors.map(({ at, url, message }) => ({ at: iso(at), url, message })),
      can: {
        load: servers.some(({ can }) => can.load),
        unload: servers.some(({ can }) => can.unload),
        proxy: hasPages(name),
      },
    };
  };

  const command = async (what: 'load' | 'unload', given: string, model: string | undefined) => {
    const name = nameOf(given);
    const title = engineNow(name, options);
    if (title.state === 'off') throw new AppError('not_possible', title.reason ?? undefined);
    const signal = AbortSignal.timeout(commandMs);
    await workerCalls.command({ what, engine: name, model: model || null, withinMs: commandMs, signal });
    return describe(name);
  };

  return {
    getServers: async () => ({ servers: await Promise.all(engineNames.map(describe)) }),
    getServer: async ({ path }) => describe(nameOf(path.name)),
    loadServer: ({ path, query }) => command('load', path.name, query.model),
    unloadServer: ({ path, query }) => command('unload', path.name, query.model),
  };
}

function nameOf(given: string): EngineName {
  const name = engineNames.find((each) => each === given);
  if (!name) throw new AppError('server_not_found', undefined, { param: 'name' });
  return name;
}

function replicaOf(server: ServerStatus): Replica {
  const { url, state, reason, since, model, version, paceMs = null, machine = null } = server;
  const pace = { pace_ms: paceMs === null ? null : Math.round(10 * paceMs) / 10 };
  return {
    url,
    machine,
    state,
    reason,
    since: iso(since),
    model,
    version,
    memory: memoryOf(server),
    ...pace,
  };
}

function memoryOf({ memory }: ServerStatus): ModelServer['memory'] {
  if (!memory) return null;
  return {
    resident_bytes: memory.residentBytes,
    model_bytes: memory.modelBytes,
    slots: memory.slots,
    slots_busy: memory.slotsBusy,
    context_tokens: memory.contextTokens,
    cached_tokens: memory.cachedTokens,
    device: memory.device,
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
