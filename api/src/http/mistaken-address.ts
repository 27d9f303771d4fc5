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

/**
 * Addresses of OpenAI that Hearth offers in another way. The first match counts. Match them after the prefix,
 * which a client may have omitted.
 */
const otherWays: readonly { path: RegExp; sentence: (base: string) => string }[] = [
  {
    path: /^(?:\/engines\/[^/]+)?\/completions$/,
    sentence: (base) =>
      `Hearth does not complete text. Send messages to ${base}/chat/completions, or choose another server for completions.`,
  },
  {
    path: /^\/(?:(?:chat\/completions|responses)\/|(?:conversations|assistants|threads)(?:\/|$))/,
    sentence: (base) =>
      `Hearth has no stored answers to read or change here. Send the conversation to ${base}/chat/completions or ${base}/responses.`,
  },
  {
    path: /^\/realtime\//,
    sentence: (base) =>
      `You need not create a session, key or call first. Open a WebSocket at ${base.replace(/^http/, 'ws')}/realtime with your token.`,
  },
  {
    path: /^\/messages(?:\/|$)/,
    sentence: (base) => `Hearth speaks OpenAI's protocol. Send messages to ${base}/chat/completions instead.`,
  },
];

/**
 * Whether an address is meant for the OpenAI routes. Every caller with the scope `talk` may learn what they
 * offer.
 */
export function isOpenAiPath(path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/**
 * The error for an unknown address. An OpenAI client with a wrong base address gets the right one. A client
 * that uses a missing part of OpenAI's API gets the list of existing parts.
 */
export function nothingAt(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  contract: Contract,
  path: string,
): AppError {
  const base = `${protocol}://${host}${prefix}`;
  if (path.startsWith(`${prefix}/models/`))
    return new AppError('model_not_found', undefined, { param: 'model' });
  const rest = path.replace(/^(?:\/v1)+(?=\/)/, '');
  const other = otherWays.find((each) => each.path.test(rest));
  if (other) return new AppError('not_found', other.sentence(base));
  if (endsLikeAnOperation(contract, path))
    return new AppError(
      'not_found',
      `There is nothing at this address. Set the base address of your client to ${base}`,
    );
  if (!isOpenAiPath(path)) return new AppError('not_found');
  const offered = contract.operations
    .map((operation) => operation.path)
    .filter((each) => each.startsWith(`${prefix}/`) && !each.includes('{'))
    .map((each) => each.slice(prefix.length + 1));
  return new AppError(
    'not_found',
    `Hearth does not offer this part of OpenAI's API. Under ${base} it has ${[...new Set(offered)].join(', ')}.`,
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
