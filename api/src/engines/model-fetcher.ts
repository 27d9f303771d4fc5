import { z } from 'zod';
import { AppError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { type FetcherState, fetcherStateSchema, type ModelFetcher } from '../status/model-orders.ts';
import { createEngineClient, EngineError, parseAnswer } from './engine-client.ts';

/** It answers from memory and a few small files, even during a download. */
const withinMs = 10_000;

const away = 'The program that fetches models does not answer, so none can be chosen now.';
const refusalSchema = z.object({ code: z.enum(['not_found', 'conflict']), message: z.string() });

/** Client of the model fetcher (services/models/serve.py) on its Unix socket. Throws AppError. */
export function createModelFetcher(socket: string): ModelFetcher {
  const http = createEngineClient('fetcher', { socket });
  const call = async (
    path: string,
    method: 'GET' | 'POST' | 'DELETE',
    body?: object,
  ): Promise<FetcherState> => {
    const once = method === 'GET' ? {} : { isOnce: true as const };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const signal = AbortSignal.timeout(withinMs);
    try {
      const url = `http://fetcher.localhost${path}`;
      return parseAnswer(
        'fetcher',
        fetcherStateSchema,
        await http.json({ url, method, ...once, ...text, signal, idleMs: withinMs }),
      );
    } catch (error) {
      throw toAppError(error);
    }
  };

  return {
    look: () => call('/', 'GET'),
    order: (model) => call('/order', 'POST', model),
    stopOrder: () => call('/order', 'DELETE'),
    answered: (model) => call('/answered', 'POST', model),
    refused: (model) => call('/refused', 'POST', model),
    findVoices: () => call('/voices', 'POST'),
  };
}

function toAppError(error: unknown): AppError {
  const detail = error instanceof EngineError && error.failure === 'refused' ? error.detail : undefined;
  const refusal = refusalSchema.safeParse(detail && parseJson(detail)).data;
  if (!refusal) return new AppError('not_possible', away, { cause: error });
  return refusal.code === 'not_found'
    ? new AppError('not_found', refusal.message, { param: 'id' })
    : new AppError('not_possible', refusal.message);
}
