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

/** The fetcher's state, which is part of every response. */
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
      /** Path below the models folder: a file for a language model, otherwise a folder. */
      file: z.string(),
    }),
  ),
  /** The latest order. */
  order: orderSchema.nullable(),
  voices: z.object({
    state: z.enum(['idle', 'asking', 'failed']),
    reason: z.string().nullable(),
    /** The list of all published voices was fetched. */
    isKnown: z.boolean(),
  }),
});

/** The available models, and the progress of the latest order. */
export type FetcherState = z.infer<typeof fetcherStateSchema>;

export type ModelOrder = z.infer<typeof orderSchema>;
type ModelRef = Pick<ModelOrder, 'kind' | 'id'>;

/** Orders models. Each call returns the state after it, and throws AppError. */
export interface ModelFetcher {
  look: () => Promise<FetcherState>;
  order: (model: ModelRef) => Promise<FetcherState>;
  stopOrder: () => Promise<FetcherState>;
  /** The engine has answered with this model, so the choice is final. */
  answered: (model: ModelRef) => Promise<FetcherState>;
  /** The engine fails with this model, so the old one is restored. */
  refused: (model: ModelRef) => Promise<FetcherState>;
  findVoices: () => Promise<FetcherState>;
}

export function isUnderWay(order: ModelOrder | null): boolean {
  return order !== null && order.state !== 'done' && order.state !== 'failed';
}
