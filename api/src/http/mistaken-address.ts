import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Contract } from './contract.ts';
import { methodsAt } from './contract-routes.ts';

const prefix = '/v1';

/** The path of a URL as the router reads it: single slashes and none at the end. */
export function plainPath(url: string): string {
  const path = (url.split('?', 1)[0] ?? '').replace(/\/{2,}/g, '/');
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}

/** The error for an unknown address. Tells an OpenAI client with a wrong base address the right one. */
export function nothingAt(
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  contract: Contract,
  path: string,
): AppError {
  if (!endsLikeAnOperation(contract, path)) return new AppError('not_found');
  const base = `${request.protocol}://${request.host}${prefix}`;
  return new AppError(
    'not_found',
    `There is nothing at this address. Set the base address of your client to ${base}`,
  );
}

/**
 * Whether the end of a path, placed after the prefix, is an operation: `/chat/completions`, `/v1/v1/models`,
 * `/api/openai/v1/responses`.
 */
function endsLikeAnOperation(contract: Contract, path: string): boolean {
  const parts = path.split('/').slice(1);
  return parts.some((_, at) => methodsAt(contract, [prefix, ...parts.slice(at)].join('/')).length > 0);
}
