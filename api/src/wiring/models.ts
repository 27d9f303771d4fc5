import { createModelFetcher } from '../engines/model-fetcher.ts';
import { adminModelRoutes } from '../http/admin-model-routes.ts';
import type { EngineName } from '../status/engine-status.ts';
import { type FetcherState, isUnderWay } from '../status/model-orders.ts';
import type { ApiCore } from './api-core.ts';

const pollIntervalMs = 2_000;
/**
 * An engine is unreachable for a few seconds while it loads another model. After this time, it has failed to
 * load it.
 */
const maxDownMs = 45_000;

type Model = FetcherState['models'][number];

/** Models chosen on the page: ordered from the fetcher, and tested by the workers' engines. */
export function wireModels({ config, log, workers }: ApiCore) {
  const fetcher = config.modelsSocket === undefined ? null : createModelFetcher(config.modelsSocket);

  /** Whether the engine works with this model now. */
  const answers = ({ kind, id, file }: Pick<Model, 'kind' | 'id' | 'file'>): boolean => {
    const now = workers.engine(kind);
    if (now?.state !== 'ready') return false;
    // llama.cpp always has the same model name, so compare the file.
    return kind === 'llm' ? (now.file?.endsWith(`/${file}`) ?? false) : now.model === id;
  };

  /** A voice is usable as soon as the engine offers it. The settings select the voice. */
  const isThere = (model: Model): boolean =>
    model.kind === 'tts' ? (workers.engine('tts')?.options?.includes(model.id) ?? false) : answers(model);

  let downSince: number | undefined;
  const isDown = (engine: EngineName): boolean => {
    const now = performance.now();
    downSince = workers.engine(engine)?.state === 'failed' ? (downSince ?? now) : undefined;
    return downSince !== undefined && now - downSince >= maxDownMs;
  };

  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const found = await fetcher?.look().catch(() => undefined);
    const order = found?.order ?? null;
    // If the fetcher is briefly unavailable, the order may still be running.
    if (found && !isUnderWay(order)) return stop();
    const model = found?.models.find(({ kind, id }) => kind === order?.kind && id === order.id);
    if (order?.state !== 'trying' || !model) {
      downSince = undefined;
      return;
    }
    const tell = isThere(model) ? fetcher?.answered : isDown(order.kind) ? fetcher?.refused : undefined;
    await tell?.(order).catch((error) => log.warn({ err: error }, 'failed to notify the model fetcher'));
  };
  const follow = (): void => {
    timer ??= setInterval(() => void look(), pollIntervalMs).unref();
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  // An order may be running since before this process was started.
  if (fetcher) follow();

  return { handlers: adminModelRoutes({ fetcher, answers, onOrder: follow, log }), stop };
}
