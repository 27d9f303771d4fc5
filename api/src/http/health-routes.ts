import { AppError } from '../errors.ts';
import type { Refusal } from '../redis/redis.ts';
import type { CrashWatch } from '../status/crashes.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import type { Contract } from './contract.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';

type Health = components['schemas']['Health'];
type Engine = components['schemas']['Engine'];

export interface EngineNowOptions {
  /** The reason an engine is off, by its name. An engine without an entry is on. */
  off: Partial<Record<EngineName, string>>;
  files: Pick<ModelFilesWatch, 'current'>;
  crashes: Pick<CrashWatch, 'reasonOf'>;
  workers: Pick<WorkerRegistry, 'engine' | 'noneAlive'>;
  redisIsReady: () => boolean;
}

interface HealthOptions extends EngineNowOptions {
  workers: Pick<WorkerRegistry, 'engine' | 'noneAlive' | 'alive'>;
  contract: Contract;
  version: string;
  /** The household's configuration, from memory. */
  configured: () => Omit<Health['configured'], 'models'>;
  /** Why Redis refuses writes although it answers; null: it accepts them. */
  refusal: () => Refusal | null;
  /** Why Redis cannot be used. Call it only while Redis is not ready. */
  away: () => AppError;
  /** Problems that are not failures yet. */
  warnings: () => Health['warnings'];
  openTurns: () => number;
}

/** The server's state. All data comes from memory, so the response never waits. */
export function healthRoutes(options: HealthOptions): Pick<Handlers, 'getHealth' | 'getContract'> {
  const { contract, version, configured, files, workers, warnings, openTurns } = options;
  return {
    getHealth() {
      const engines = {
        llm: engineNow('llm', options),
        stt: engineNow('stt', options),
        tts: engineNow('tts', options),
      };
      const { selection } = files.current;
      const redis = redisNow(options);
      return {
        ok: true,
        status: overall(Object.values(engines), redis, workers),
        version,
        uptime_s: Math.floor(process.uptime()),
        note: selection?.note ?? files.current.progress?.note ?? null,
        configured: { ...configured(), models: selection?.size ?? null },
        engines,
        redis,
        warnings: warnings(),
        workers: workers.alive().length,
        in_flight: { turns: openTurns() },
      };
    },
    getContract({ reply }) {
      // Already JSON: don't serialize it again for every call.
      return reply.type('application/json; charset=utf-8').send(contract.json);
    },
  };
}

/** An engine's state now, from memory. */
export function engineNow(name: EngineName, options: EngineNowOptions): Engine {
  const { off, files, crashes, workers, redisIsReady } = options;
  const reason = off[name];
  if (reason !== undefined) return { state: 'off', reason, since: null, model: null };

  const { progress, selection } = files.current;
  const file = progress?.models.find(({ kind }) => kind === name);
  const engine = redisIsReady() ? workers.engine(name) : undefined;
  const isOnItsWay =
    file !== undefined &&
    ['waiting', 'downloading', 'verifying'].includes(file.state) &&
    engine?.state !== 'ready';
  const download = isOnItsWay
    ? { download: { bytes_done: file.bytesDone, bytes_total: file.bytesTotal } }
    : {};
  if (!engine) return { ...stateWithoutNews(options), since: null, model: null, ...download };

  const { state, since, model } = engine;
  const title = model === 'local' ? (selection?.models[name]?.name ?? model) : model;
  const crash = state === 'ready' ? undefined : crashes.reasonOf(name);
  return {
    ...(crash === undefined ? { state, reason: engine.reason } : { state: 'failed', reason: crash }),
    since: new Date(since).toISOString(),
    model: title,
    ...download,
  };
}

/** Whether Redis can be used, and if not, why. */
function redisNow({ redisIsReady, crashes, refusal, away }: HealthOptions): Health['redis'] {
  if (!redisIsReady()) return { state: 'failed', reason: crashes.reasonOf('redis') ?? away().message };
  const code = refusal();
  return code === null
    ? { state: 'ready', reason: null }
    : { state: 'failed', reason: new AppError(code).message };
}

/** The state of an engine that no worker has reported. */
function stateWithoutNews(options: EngineNowOptions): Pick<Engine, 'state' | 'reason'> {
  const { redisIsReady, workers, crashes } = options;
  if (!redisIsReady())
    return { state: 'failed', reason: 'Redis cannot be reached, so the workers cannot report.' };
  return workers.noneAlive()
    ? { state: 'failed', reason: crashes.reasonOf('worker') ?? 'No worker is running.' }
    : { state: 'starting', reason: 'No worker has reported yet.' };
}

function overall(
  engines: Engine[],
  redis: Health['redis'],
  workers: Pick<WorkerRegistry, 'noneAlive'>,
): Health['status'] {
  if (redis.state === 'failed' || workers.noneAlive() || engines.some(({ state }) => state === 'failed'))
    return 'degraded';
  return engines.every(({ state }) => state === 'ready' || state === 'off') ? 'ready' : 'starting';
}
