import { z } from 'zod';
import { engineNames } from './engine-status.ts';

const orderSchema = z.object({
  kind: z.enum(engineNames),
  id: z.string(),
  name: z.string(),
  state: z.enum(['checking', 'downloading', 'verifying', 'trying', 'done', 'failed']),
  bytesDone: z.number(),
  bytesTotal: z.number(),
  reason: z.string().nullable(),
});

/** What the fetcher tells whenever it is asked anything. */
export const fetcherStateSchema = z.object({
  models: z.array(
    z.object({
      kind: z.enum(engineNames),
      id: z.string(),
      name: z.string(),
      licence: z.string(),
      card: z.string().nullable(),
      languages: z.array(z.string()),
      bytes: z.number(),
      isHere: z.boolean(),
      isChosen: z.boolean(),
      /** Below the models folder: a language model's file, or the folder of another one. */
      file: z.string(),
    }),
  ),
  /** The latest order. */
  order: orderSchema.nullable(),
  voices: z.object({
    state: z.enum(['idle', 'asking', 'failed']),
    reason: z.string().nullable(),
    /** The list of all published voices has been fetched. */
    isKnown: z.boolean(),
  }),
});

/** The models that can be chosen, and how far the latest order is. */
export type FetcherState = z.infer<typeof fetcherStateSchema>;

export type ModelOrder = z.infer<typeof orderSchema>;
export type ModelWish = Pick<ModelOrder, 'kind' | 'id'>;

/** Takes orders for models. Each call answers with what there is then, and throws AppError. */
export interface ModelFetcher {
  look: () => Promise<FetcherState>;
  order: (wish: ModelWish) => Promise<FetcherState>;
  stopOrder: () => Promise<FetcherState>;
  /** The engine has answered with this model, so the choice counts. */
  answered: (wish: ModelWish) => Promise<FetcherState>;
  /** The engine is down with this model, so the old one comes back. */
  refused: (wish: ModelWish) => Promise<FetcherState>;
  findVoices: () => Promise<FetcherState>;
}

export function isUnderWay(order: ModelOrder | null): boolean {
  return order !== null && order.state !== 'done' && order.state !== 'failed';
}
