import { AppError } from '../errors.ts';
import type { Described } from './server-facts.ts';

/** Loading a large model from a slow disk takes minutes. */
const loadIdleMs = 120_000;

export interface ModelCommand {
  what: 'load' | 'unload';
  /** Which of several models; null if the server has only one. */
  model: string | null;
}

/**
 * Makes llama.cpp, started as a router of several models, load or unload one. Throws EngineError, or AppError
 * if the command names no model.
 */
export async function commandLlm(described: Described, { what, model }: ModelCommand): Promise<void> {
  await send(described, { path: `/models/${what}`, body: JSON.stringify({ model: named(model) }) });
}

/** Makes speaches load a model. Throws EngineError. */
export async function commandStt(described: Described, { model }: ModelCommand): Promise<void> {
  const path = named(model).split('/').map(encodeURIComponent).join('/');
  // 409: it is loaded already.
  await send(described, { path: `/api/ps/${path}`, accepts: [200, 201, 409] });
}

function named(model: string | null): string {
  // A path segment of only dots would lead to another route of the engine.
  if (model?.split('/').some((part) => /^\.*$/.test(part)))
    throw new AppError('invalid_request', `"${model}" is not the name of a model.`, { param: 'model' });
  if (model !== null) return model;
  throw new AppError('invalid_request', 'Say which of its models: ?model=...', { param: 'model' });
}

interface Command {
  path: string;
  body?: string;
  accepts?: readonly number[];
}

async function send(described: Described, { path, body, accepts = [200] }: Command): Promise<void> {
  const { http, baseUrl, apiKey, signal } = described;
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const call = {
    url: `${baseUrl}${path}`,
    method: 'POST',
    headers,
    accepts,
    signal,
    idleMs: loadIdleMs,
  } as const;
  for await (const _ of http.stream({ ...call, ...(body !== undefined && { body }) })) {
    // only the end matters
  }
}
