import { AppError } from '../errors.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { FetcherState, ModelFetcher, ModelOrder } from '../status/model-orders.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';

type Choices = components['schemas']['ModelChoices'];

interface ModelRoutesOptions {
  /** Null: no local engine runs, so there is nothing to download. */
  fetcher: ModelFetcher | null;
  /** Whether the engine uses this model now. */
  answers: (model: FetcherState['models'][number]) => boolean;
  /** Called when a download starts, so that its progress is watched. */
  onOrder: () => void;
  log: { info: (fields: object, message: string) => void };
}

type ModelHandlers = Pick<Handlers, 'listModelChoices' | 'orderModel' | 'stopModelOrder' | 'findVoices'>;

const noFetcher = 'The engines of this household run elsewhere, so their models are chosen there.';

/** Selects and downloads models and voices while Hearth runs. */
export function adminModelRoutes({ fetcher, answers, onOrder, log }: ModelRoutesOptions): ModelHandlers {
  const needed = (): ModelFetcher => {
    if (fetcher) return fetcher;
    throw new AppError('not_possible', noFetcher);
  };
  const choicesOf = ({ models, order, voices }: FetcherState): Choices => ({
    possible: true,
    reason: null,
    models: models.map((model) => ({
      engine: model.kind,
      id: model.id,
      name: model.name,
      licence: model.licence,
      card: model.card,
      languages: model.languages,
      size_bytes: model.bytes,
      is_here: model.isHere,
      is_chosen: model.isChosen,
      answers: answers(model),
    })),
    order: order && toldOrder(order),
    published_voices: { state: voiceState(voices), reason: voices.reason },
  });

  return {
    async listModelChoices() {
      try {
        return choicesOf(await needed().look());
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_possible') return nothing(error.message);
        throw error;
      }
    },
    async orderModel({ body: { engine, id }, request: { caller } }) {
      const state = await needed().order({ kind: engine, id });
      log.info({ token_name: caller.tokenName, engine, model: id }, 'model change requested');
      onOrder();
      return choicesOf(state);
    },
    stopModelOrder: async () => choicesOf(await needed().stopOrder()),
    findVoices: async () => choicesOf(await needed().findVoices()),
  };
}

const nothing = (reason: string): Choices => ({
  possible: false,
  reason,
  models: [],
  order: null,
  published_voices: { state: 'unknown', reason: null },
});

function toldOrder({ kind, bytesDone, bytesTotal, ...order }: ModelOrder): NonNullable<Choices['order']> {
  return { engine: kind satisfies EngineName, bytes_done: bytesDone, bytes_total: bytesTotal, ...order };
}

function voiceState({ state, isKnown }: FetcherState['voices']): Choices['published_voices']['state'] {
  if (state === 'asking') return 'asking';
  if (state === 'failed') return 'unreachable';
  return isKnown ? 'listed' : 'unknown';
}
