import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { z } from 'zod';
import { AppError, type ErrorCode } from '../errors.ts';
import type { Access } from './auth.ts';
import type { Contract } from './contract.ts';
import {
  type Handlers,
  jsonTypes,
  methodsAt,
  registerContract,
  type SocketHandlers,
} from './contract-routes.ts';
import type { Page } from './page-routes.ts';
import { logRequests } from './request-log.ts';
import { chooseProtocol } from './sent-token.ts';

interface AppOptions {
  log: FastifyBaseLogger;
  access: Access;
  contract: Contract;
  handlers: Handlers;
  sockets?: SocketHandlers;
  /** What a browser gets to see at `/`. */
  page?: Page;
  /** Registers the pages of the model servers. */
  pagesOfServers?: (app: FastifyInstance) => void;
  /** It is about to start anew: what is there is finished, and nothing new taken. */
  isDraining?: () => boolean;
  /** Says goodbye on every socket that is open: the server ends. */
  closeSockets?: () => void;
}

/** The longest frame of a socket: two seconds of sound. */
const mostFrameBytes = 64 * 1024;

/** Fastify's own refusals, in our words. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
};

const refusalSchema = z.object({ code: z.string().optional(), statusCode: z.number().optional() });

/** The HTTP server: who may call, what they may send, one shape for every error. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { log, access, contract, handlers, sockets = {}, page, closeSockets = () => undefined } = options;
  const app = Fastify({
    loggerInstance: log,
    // Our own lines (request-log.ts) tell the end of a request in one.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: () => randomUUID(),
    // A name of 200 characters, percent-encoded.
    routerOptions: { maxParamLength: 2_000 },
    requestTimeout: 30_000,
    keepAliveTimeout: 30_000,
    // Without a Host the access check refuses, in the one shape; Node's own refusal has no body.
    http: {
      requireHostHeader: false,
      // Offers of other protocols, as curl makes them, are passed over.
      shouldUpgradeCallback: ({ headers }) => isSocket(headers),
    },
    // An address that cannot even be read passes by the hooks below, and tells strangers no more than any other.
    frameworkErrors: (error, request, reply) => {
      try {
        access.check(request, { needsToken: true });
        return sendError(reply, error);
      } catch (refused) {
        return sendError(reply, refused);
      }
    },
    clientErrorHandler: answerBrokenRequest,
    return503OnClosing: false,
  });
  const open = new Set([
    ...contract.operations.filter(({ needsToken }) => !needsToken).map(({ path }) => path),
    ...(page?.paths ?? []),
  ]);
  // Anywhere else the library would take a socket too, and log its address with the token in it.
  const withSockets = new Set(
    contract.operations.filter(({ id }) => Object.hasOwn(sockets, id)).map(({ path }) => path),
  );
  let isClosing = false;

  logRequests(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    access.check(request, { needsToken: !open.has(request.routeOptions.url ?? '') });
    if (isSocket(request.headers) && !withSockets.has(request.routeOptions.url ?? ''))
      throw new AppError('not_found', 'This address is not for WebSockets.');
    if (isClosing && request.routeOptions.url !== '/health') throw new AppError('shutting_down');
    if (options.isDraining?.() && isNewWork(request)) throw new AppError('restarting');
  });
  // A connection kept alive would hold up the end of the server.
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  // Nothing else reads what a refused WebSocket would send next.
  app.addHook('onResponse', async ({ raw }) => {
    if (isSocket(raw.headers)) raw.socket.end();
  });
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    // Node waits for those on which nothing was ever asked as for those that are being answered.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  });

  // Nothing that a caller may expect is of use here; Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...jsonTypes], { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    parseBody(body),
  );

  app.setErrorHandler((error, _request, reply) => sendError(reply, error));
  app.setNotFoundHandler(async (request, reply) => {
    const allowed = methodsAt(contract, request.url.split('?', 1)[0] ?? '');
    if (allowed.length === 0) throw new AppError('not_found');
    reply.header('allow', allowed.join(', '));
    throw new AppError('method_not_allowed', `This address takes ${allowed.join(' and ')} only.`);
  });

  app.register(websocket, {
    // Sound does not shrink, and what packs it costs more than it saves.
    options: { maxPayload: mostFrameBytes, perMessageDeflate: false, handleProtocols: chooseProtocol },
    preClose: (done) => {
      closeSockets();
      done();
    },
  });
  app.register((routes, _options, done) => {
    registerContract(routes, contract, handlers, sockets);
    page?.register(routes);
    options.pagesOfServers?.(routes);
    done();
  });
  return app;
}

/** Whoever only looks is answered to the end. */
function isNewWork({ method, headers }: FastifyRequest): boolean {
  return isSocket(headers) || !['GET', 'HEAD', 'OPTIONS'].includes(method);
}

function isSocket({ upgrade }: IncomingHttpHeaders): boolean {
  return upgrade?.toLowerCase() === 'websocket';
}

/** JSON is UTF-8; anything else in it is an error, never silently replaced. */
function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.';
    throw new AppError('invalid_request', why, { cause: error });
  }
}

function sendError(reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = asAppError(thrown);
  if (error.code === 'internal') reply.log.error({ err: error.cause }, 'a fault');
  reply.header('x-request-id', reply.request.id);
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error.status === 426) reply.header('upgrade', 'websocket');
  // The rest of such a body is not read: the connection cannot carry another request.
  if (error.status === 408 || error.status === 413) reply.header('connection', 'close');
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
  if (isTheirFault) return new AppError('invalid_request', undefined, { cause: thrown });
  return new AppError('internal', undefined, { cause: thrown });
}

function brokenRequest(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request_timeout');
  return new AppError('invalid_request', 'The request is not valid HTTP.');
}

/** What is no HTTP at all never reaches the routes; it still gets the one shape before its connection ends. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = brokenRequest(error.code);
  const body = JSON.stringify(refusal.toBody());
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
