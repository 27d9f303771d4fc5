import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { AppError, type ErrorCode } from '../errors.ts';

/** Our error codes for Fastify's own errors. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
};

/**
 * Sent with every response. Stops browsers from guessing types and other sites from loading it as a picture
 * or script.
 */
export const answerGuards = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Maximum time a caller may take to read why the connection ends. */
const lingerMs = 1_000;

/** A file of the page was requested under a condition (RFC 9110). */
const unmetCondition = 'No version of this file meets "If-Match" or "If-Unmodified-Since".';

const refusalSchema = z.object({ code: z.string().optional(), statusCode: z.number().optional() });

/** Sends an error in the contract's single error format. */
export function sendError(reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = asAppError(thrown);
  if (error.code === 'internal') reply.log.error({ err: error.cause }, 'internal error');
  // A repeated request gets the id of the turn whose error it receives.
  reply.headers({ 'x-request-id': reply.getHeader('x-request-id') ?? reply.request.id, ...answerGuards });
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error.status === 426) reply.header('upgrade', 'websocket');
  // The rest of such a body stays unread, so the connection cannot carry another request.
  if (error.status === 408 || error.status === 413) reply.header('connection', 'close');
  // OpenAI's clients send a request again after every other 5xx.
  if (error.code === 'outcome_unknown') reply.header('x-should-retry', 'false');
  if (error.retryAfterS !== undefined) reply.header('retry-after', error.retryAfterS);
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(error.toBody()));
}

function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const refused = refusalSchema.safeParse(thrown).data;
  const known = refusals[refused?.code ?? ''];
  if (known) return new AppError(known);
  const isTheirFault =
    refused?.statusCode !== undefined && refused.statusCode >= 400 && refused.statusCode < 500;
  const message = refused?.statusCode === 412 ? unmetCondition : undefined;
  if (isTheirFault) return new AppError('invalid_request', message, { cause: thrown });
  return new AppError('internal', undefined, { cause: thrown });
}

/** Errors of Node's HTTP parser that the caller can fix. */
const brokenParts: Readonly<Record<string, string>> = {
  HPE_INVALID_EOF_STATE: 'The request ended before all of its body had arrived.',
  HPE_INVALID_CONTENT_LENGTH: 'The "Content-Length" is not a number of bytes.',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'The request gives the length of its body twice.',
  HPE_INVALID_TRANSFER_ENCODING: '"Transfer-Encoding" must be "chunked" only, without a "Content-Length".',
  HPE_INVALID_CHUNK_SIZE: 'A chunk of the body has no valid size.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The extensions of a chunk are too long.',
  HPE_INVALID_HEADER_TOKEN: 'A header of the request is not valid.',
};

function brokenRequest(code = ''): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request_timeout');
  return new AppError('invalid_request', brokenParts[code] ?? 'The request is not valid HTTP.');
}

/**
 * Bytes that are not HTTP never reach the routes. Answers them in the single error format, then closes the
 * connection.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  else refuseOn(socket, brokenRequest(error.code));
}

/** Answers a handshake that is not a valid WebSocket handshake. */
export function answerBrokenHandshake(error: Error, socket: Duplex): void {
  refuseOn(socket, new AppError('invalid_request', `${error.message}.`));
}

function refuseOn(socket: Duplex, refusal: AppError): void {
  // Bytes after the refused ones raise a second error, which must not cut off the answer.
  if (socket.writableEnded) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(refusal.toBody());
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
    ...Object.entries(answerGuards).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Closing at once could lose the answer for a caller who still sends. Waiting forever would keep sent data
  // in memory.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
