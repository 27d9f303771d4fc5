import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, METHODS } from 'node:http';
import websocket from '@fastify/websocket';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { AppError } from '../errors.ts';
import { repeatedKey } from '../json.ts';
import type { Suspension } from '../status/awake.ts';
import type { DeviceToken } from '../tokens/device-token.ts';
import { answerBrokenHandshake, answerBrokenRequest, answerGuards, sendError } from './app-errors.ts';
import type { Access } from './auth.ts';
import { anybody } from './caller.ts';
import { callerAddress } from './caller-address.ts';
import { type ConnectionLimits, limitConnections } from './connections.ts';
import type { Contract } from './contract.ts';
import {
  type Handlers,
  jsonTypes,
  methodsAt,
  registerContract,
  type SocketHandlers,
} from './contract-routes.ts';
import { answerOtherOrigins } from './cross-origin.ts';
import type { HeldCalls } from './held-calls.ts';
import { noteBody } from './idempotency-key.ts';
import { isOpenAiPath, nothingAt, plainPath } from './mistaken-address.ts';
import { isHouseholdHost, requireOwnSite, type TrustedNames } from './own-page.ts';
import type { Page } from './page-routes.ts';
import { logRequests } from './request-log.ts';
import { needOf, unknownRouteScope } from './scopes.ts';
import { chooseProtocol } from './sent-token.ts';
import { beginsTls, createTlsNote } from './tls-on-http.ts';
import { admitUnread } from './unread-requests.ts';

interface AppOptions extends TrustedNames {
  log: FastifyBaseLogger;
  access: Access;
  held: HeldCalls;
  /** Called for every request that uses the token of a device or program. */
  onUse: (token: DeviceToken, from: string) => void;
  /** Proxies whose forwarding headers are trusted for the caller's address. */
  trustedProxies?: readonly string[];
  contract: Contract;
  handlers: Handlers;
  sockets?: SocketHandlers;
  /** The web page at `/`. */
  page?: Page;
  /** Registers the pages of the model servers. */
  pagesOfServers?: (app: FastifyInstance) => void;
  /** Before a restart: the process finishes open work and refuses new work. */
  isDraining?: () => boolean;
  /** When this process was last suspended. */
  suspension: () => Suspension;
  connections?: ConnectionLimits | undefined;
  /** Maximum time the headers of a request may take to arrive. */
  headersMs?: number | undefined;
  /** Closes every open socket with a goodbye, because the server stops. */
  closeSockets?: () => void;
}

/** Headers arrive at once. A bad wireless network may need a few retries. */
const maxHeadersMs = 10_000;
const checkEveryMs = 1_000;
/** Maximum frame size on a socket: two seconds of sound. */
const maxFrameBytes = 1024 * 1024;

/** A socket that has not closed by then is terminated. */
const goodbyeMs = 2_000;

/** The HTTP server: access control, input checks and one error format. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { contract, handlers, sockets = {}, page, closeSockets = () => undefined } = options;
  const app = openServer(options);
  logRequests(app);
  prepareRequests(app);
  answerOtherOrigins(app, options);
  // A preflight carries no token, so it is answered before the access check.
  app.after(() => admitRequests(app, options));

  // No `Expect` value is supported here. Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  // No route uses these methods. Fastify would refuse them in different ways: some as unknown, QUERY by its
  // body first.
  const unused = METHODS.filter((method) => method === 'QUERY' || !app.supportedMethods.includes(method));
  for (const method of unused) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    [...jsonTypes],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      // Clients send this type with an empty body too; the address is wrong whatever the body holds.
      if (request.is404) return null;
      noteBody(request, body);
      return parseBody(body);
    },
  );

  app.setErrorHandler((error, _request, reply) => sendError(reply, error));
  app.setNotFoundHandler(async (request, reply) => {
    const path = plainPath(request.url);
    const allowed = methodsAt(contract, path);
    if (allowed.length === 0) throw nothingAt(request, contract, path);
    reply.header('allow', allowed.join(', '));
    throw new AppError('method_not_allowed', `This address takes ${allowed.join(' and ')} only.`);
  });

  app.register(websocket, {
    // Sound does not compress well, so compression costs more than it saves.
    options: { maxPayload: maxFrameBytes, perMessageDeflate: false, handleProtocols: chooseProtocol },
    preClose: (done) => {
      closeSockets();
      done();
    },
  });
  app.after(() => app.websocketServer.on('wsClientError', answerBrokenHandshake));
  app.register((routes, _options, done) => {
    registerContract(routes, contract, handlers, sockets);
    page?.register(routes);
    options.pagesOfServers?.(routes);
    done();
  });
  return app;
}

function openServer(options: AppOptions): FastifyInstance {
  const { log, access, trustedProxies = [], headersMs = maxHeadersMs } = options;
  const noteTls = createTlsNote(log);
  return Fastify({
    loggerInstance: log,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    // request-log.ts logs each finished request in one line instead.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: () => randomUUID(),
    routerOptions: {
      // A name of 250 characters, percent-encoded.
      maxParamLength: 2_500,
      // A base address with a trailing slash yields `/v1//models`. Some clients also end every path with a
      // slash.
      ignoreDuplicateSlashes: true,
      ignoreTrailingSlash: true,
    },
    requestTimeout: 30_000,
    keepAliveTimeout: 30_000,
    // The access check refuses requests without a Host in our error format. Node's own refusal has no body.
    http: {
      requireHostHeader: false,
      headersTimeout: headersMs,
      connectionsCheckingInterval: checkEveryMs,
      // Room for the token and for cookies of other servers on the same host name.
      maxHeaderSize: 16 * 1024,
      // Ignores offers to upgrade to other protocols, as curl sends them.
      shouldUpgradeCallback: ({ headers }) => isSocket(headers),
    },
    // A malformed address skips the hooks below. It gets the same access check, so that strangers learn no
    // more.
    frameworkErrors: (error, request, reply) => {
      try {
        request.caller = access.check(request, unknownRouteScope);
        return sendError(reply, error);
      } catch (refused) {
        return sendError(reply, refused);
      }
    },
    clientErrorHandler: (error, socket) => {
      if (beginsTls(error)) noteTls(socket.remoteAddress ?? '');
      answerBrokenRequest(error, socket);
    },
    return503OnClosing: false,
  });
}

/** Sets the headers of every response, including preflights and refusals. */
function prepareRequests(app: FastifyInstance): void {
  app.decorateRequest('caller');
  app.decorateRequest('bodyDigest', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', ...answerGuards });
    request.caller = anybody;
  });
}

/** Accepts or refuses requests while the server runs, drains and closes. */
function admitRequests(app: FastifyInstance, options: AppOptions): void {
  const { access, trustedHosts, contract, sockets = {}, isDraining = () => false, suspension } = options;
  // At other addresses the library would accept a socket too, and log its address with the token in it.
  const withSockets = new Set(
    contract.operations.filter(({ id }) => Object.hasOwn(sockets, id)).map(({ path }) => path),
  );
  const connections = limitConnections(app.server, {
    limits: options.connections,
    onLimit: noteLimits(options.log),
  });
  let isClosing = false;

  app.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url ?? '';
    const { need, isPage } = needOfRoute(request, trustedHosts);
    request.caller = access.check(request, need);
    holdCall(request, reply, options);
    // A link on another site may open the page.
    if (!isPage) requireOwnSite(request, options);
    if (isSocket(request.headers) && !withSockets.has(path))
      throw new AppError('not_found', 'This address is not for WebSockets.');
    if (isClosing && path !== '/health') throw new AppError('shutting_down');
    if (isDraining() && isNewWork(request)) throw new AppError('restarting');
    if (isNewWork(request) && !isSocket(request.headers)) await admitUnread(request, suspension);
  });
  // A keep-alive connection would delay the shutdown.
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  // A refused WebSocket may keep sending; close it, because nothing reads it.
  app.addHook('onResponse', async ({ raw }) => {
    if (isSocket(raw.headers)) raw.socket.destroySoon();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    connections.endUnused();
  });
}

/**
 * The scope a route needs. Open routes other than the page need a scope under an unknown host name, which a
 * stranger may own.
 */
function needOfRoute(request: FastifyRequest, trustedHosts: readonly string[]) {
  const { headers, routeOptions } = request;
  // Tells an OpenAI client which part is missing, instead of refusing access.
  const unknown =
    request.is404 && isOpenAiPath(plainPath(request.url)) ? needOf('listModels') : unknownRouteScope;
  const { need = unknown, operation } = routeOptions.config ?? {};
  const isPage = need === 'open' && operation === undefined;
  const isExposed = need === 'open' && !isPage && !isHouseholdHost(headers.host, trustedHosts);
  return { need: isExposed ? 'talk' : need, isPage } as const;
}

/** Records the use of a device's token and ends the call when the token is revoked. */
function holdCall(request: FastifyRequest, { raw }: FastifyReply, { held, onUse }: AppOptions): void {
  const { caller, routeOptions } = request;
  // A token that revokes itself still gets its answer.
  if (!caller.device || routeOptions.config?.operation === 'revokeToken') return;
  const from = callerAddress(request);
  onUse(caller.device, from);
  const { socket } = request;
  // The code that opened a socket first sends the reason.
  const end = isSocket(request.headers)
    ? () => setTimeout(() => socket.destroy(), goodbyeMs).unref()
    : () => socket.destroy();
  raw.once('close', held.hold({ token: caller.device, from, end }));
}

/** Reads may finish during a drain. */
function isNewWork({ method, headers }: FastifyRequest): boolean {
  return isSocket(headers) || !['GET', 'HEAD', 'OPTIONS'].includes(method);
}

/** Logs addresses with too many connections, each at most once a minute. */
function noteLimits(log: FastifyBaseLogger): (from: string) => void {
  let logged = new Set<string>();
  return (from) => {
    if (logged.size === 0) setTimeout(() => (logged = new Set()), 60_000).unref();
    if (logged.has(from) || logged.size >= 16) return;
    logged.add(from);
    log.warn({ from }, 'too many connections: closed idle ones from this address');
  };
}

function isSocket({ upgrade }: IncomingHttpHeaders): boolean {
  return upgrade?.toLowerCase() === 'websocket';
}

/** Longer bodies contain pictures or sound, and searching them would block other requests. */
const maxCheckedLength = 200_000;

/** JSON is UTF-8. Invalid bytes are an error and are never silently replaced. */
function parseBody(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const parsed: unknown = JSON.parse(text);
    const repeated = text.length > maxCheckedLength ? null : repeatedKey(text);
    if (repeated === null) return parsed;
    throw new AppError('invalid_request', `The body has the key ${repeated} twice in one object.`);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const why = error instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.';
    throw new AppError('invalid_request', why, { cause: error });
  }
}
