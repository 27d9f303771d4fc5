import type { IncomingHttpHeaders } from 'node:http';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { buildConnector } from 'undici';
import { AppError } from '../errors.ts';
import { isRecord } from '../json.ts';
import { type EngineName, engineNames } from '../status/engine-status.ts';
import { holdsBody } from './contract-routes.ts';
import { createPageReader, pageHeaders } from './engine-page.ts';
import { needOf } from './scopes.ts';

interface EngineProxyOptions {
  /** The server addresses of each engine; none if it is off. */
  urls: Readonly<Record<EngineName, readonly string[]>>;
  /** The Unix socket of an engine that listens on no port. */
  sockets: Readonly<Record<EngineName, string | undefined>>;
  /** The language model's key, which is sent to that engine only. */
  llmApiKey: string | undefined;
  /** The servers that can answer now. */
  ready: (name: EngineName) => readonly string[];
}

const below = '/admin/servers/:name/proxy';
const maxBodyBytes = 64 * 1024;

/**
 * Engine routes that callers may use: reads that reveal no spoken words, and token counts. None of them
 * generates an answer outside the queues or changes a model. Piper's /info is left out, because it shows the
 * last spoken text.
 */
const open: Readonly<Record<EngineName, { GET: readonly string[]; POST: readonly string[] }>> = {
  llm: {
    GET: ['/', '/health', '/v1/health', '/props', '/slots', '/metrics', '/v1/models', '/models'],
    POST: ['/tokenize', '/detokenize', '/apply-template'],
  },
  stt: { GET: ['/', '/health', '/metrics', '/v1/models', '/api/ps'], POST: [] },
  tts: { GET: ['/', '/voices'], POST: [] },
};

/**
 * Serves an engine's own pages. The engine sees only the caller's question, and the caller never sees the
 * engine's address.
 */
export function engineProxy(options: EngineProxyOptions) {
  const { urls, llmApiKey } = options;
  const hidden = Object.values(urls)
    .flat()
    .flatMap((url) => [url, new URL(url).host]);
  const read = createPageReader(hidden);
  const target = createTargetFinder(options);
  /** All headers that an engine receives. */
  const requestHeaders = ({ headers: received, params }: Asked, headers: Headers): Headers => ({
    accept: received.accept ?? '*/*',
    ...(headers['content-type'] !== undefined && { 'content-type': headers['content-type'] }),
    ...(headers['content-length'] !== undefined && { 'content-length': headers['content-length'] }),
    host: headers.host,
    ...(llmApiKey && nameIn(params) === 'llm' && { authorization: `Bearer ${llmApiKey}` }),
  });

  return (app: FastifyInstance): void => {
    app.register((scope, _options, done) => {
      scope.addHook('onRoute', (route) => {
        route.bodyLimit = maxBodyBytes;
        route.config = { ...route.config, need: needOf('getServerPage', 'postServerPage') };
      });
      scope.addHook('onRequest', async (request, reply) => checkBeforeBody(request, reply, target));
      scope.register(httpProxy, {
        upstream: '',
        prefix: below,
        httpMethods: ['GET', 'HEAD', 'POST'],
        websocket: false,
        // Our own parser reads the body with its size limit and only as JSON. A streamed body would bypass
        // both.
        proxyPayloads: false,
        disableRequestLogging: true,
        undici: { connections: 8, connect: connectorTo(options), headersTimeout: 5_000, bodyTimeout: 5_000 },
        preHandler: (request, reply, next) => {
          if (request.method === 'POST' && !isRecord(request.body)) {
            return next(new AppError('invalid_request', 'The body must be a JSON object.'));
          }
          reply.headers(pageHeaders);
          next();
        },
        handler: (request, reply, _dest, from) => {
          const { origin, path } = target(request);
          reply.from(path, { ...from, getUpstream: () => origin });
        },
        replyOptions: {
          getUpstream: (request) => target(request).origin,
          // Drop the query: it may hold our token, or name a model that the engine would then load.
          queryString: () => '',
          rewriteRequestHeaders: requestHeaders,
          rewriteHeaders: ({ 'content-type': type }) => (type === undefined ? {} : { 'content-type': type }),
          // The library's own retry would try ten times when an engine is busy.
          retryDelay: () => null,
          onError: (reply, { error }) => void reply.send(unreached(error)),
          onResponse: (_request, reply, answer) => read(reply, answer),
        },
      });
      done();
    });
  };
}

/** Returns the function that finds the address of the requested page. It throws AppError if there is none. */
function createTargetFinder({ urls, ready }: Pick<EngineProxyOptions, 'urls' | 'ready'>) {
  const chosen = (name: EngineName, request: Asked): string => {
    const all = urls[name];
    if (all.length === 0) throw new AppError('not_possible', `The engine ${name} is switched off.`);
    const wanted = replicaOf(request);
    const url = wanted === undefined ? (ready(name)[0] ?? all[0]) : all[wanted];
    if (url !== undefined) return url;
    const has = all.length === 1 ? 'one server, whose number is 0' : `servers from 0 to ${all.length - 1}`;
    throw new AppError('server_not_found', `The engine ${name} has ${has}.`, { param: 'replica' });
  };
  return (request: Asked): { origin: string; path: string } => {
    const name = engineOf(request);
    const path = openPath(request, name);
    const url = new URL(chosen(name, request));
    return { origin: url.origin, path: `${url.pathname.replace(/\/$/, '')}${path}` };
  };
}

type TargetFinder = ReturnType<typeof createTargetFinder>;

/** Refuses a request before its body is read, so that the caller learns it at once. Throws AppError. */
function checkBeforeBody(request: Asked, reply: FastifyReply, target: TargetFinder): void {
  if (request.headers.upgrade !== undefined) throw new AppError('not_found', noSockets);
  const allowed = methodAt(request);
  if (allowed !== askedBy(request)) reply.header('allow', allowed);
  target(request);
  if (allowed === 'POST' && !holdsBody(request.headers)) {
    throw new AppError('invalid_request', 'The request has no body.');
  }
}

const connectMs = 2_000;

/** Connects to an engine's port or to its Unix socket, which a URL cannot name. */
function connectorTo({ urls, sockets }: Pick<EngineProxyOptions, 'urls' | 'sockets'>) {
  const byHost = new Map(
    engineNames.flatMap((name) => {
      const socketPath = sockets[name];
      return socketPath === undefined
        ? []
        : urls[name].map((url) => [new URL(url).hostname, socketPath] as const);
    }),
  );
  const connectors = new Map<string | undefined, buildConnector.connector>();
  return ((options, done) => {
    const socketPath = byHost.get(options.hostname);
    const connect =
      connectors.get(socketPath) ??
      buildConnector({ timeout: connectMs, ...(socketPath !== undefined && { socketPath }) });
    connectors.set(socketPath, connect);
    connect(options, done);
  }) satisfies buildConnector.connector;
}

type Headers = IncomingHttpHeaders;

/** The part of a request used here. */
interface Asked {
  url: string;
  method: string;
  params: unknown;
  query: unknown;
  headers: Headers;
}

const noSockets = 'This address is not for WebSockets.';

function nameIn(params: unknown): string {
  return typeof params === 'object' && params !== null && 'name' in params ? String(params.name) : '';
}

function engineOf({ params }: Asked): EngineName {
  const name = engineNames.find((each) => each === nameIn(params));
  if (!name) throw new AppError('server_not_found', undefined, { param: 'name' });
  return name;
}

type Method = 'GET' | 'POST';

/** A page that allows GET allows HEAD too. */
function askedBy({ method }: Asked): Method {
  return method === 'POST' ? 'POST' : 'GET';
}

/** The raw path: nothing is decoded, so encoded characters cannot hide a path. */
function pathBelow({ url }: Asked, name: EngineName): string {
  return (url.split('?', 1)[0] ?? '').slice(below.length - ':name'.length + name.length) || '/';
}

/** The only method a page accepts. Throws if the page is not open. */
function methodAt(request: Asked): Method {
  const name = engineOf(request);
  const path = pathBelow(request, name);
  const { GET, POST } = open[name];
  if (GET.includes(path)) return 'GET';
  if (POST.includes(path)) return 'POST';
  throw new AppError('not_found', `This server shows only: ${[...GET, ...POST].join(' ')}`);
}

function openPath(request: Asked, name: EngineName): string {
  const allowed = methodAt(request);
  if (allowed === askedBy(request)) return pathBelow(request, name);
  throw new AppError('method_not_allowed', `This address takes ${allowed} only.`);
}

function replicaOf({ query }: Asked): number | undefined {
  const given = typeof query === 'object' && query !== null && 'replica' in query ? query.replica : undefined;
  if (given === undefined) return undefined;
  return /^\d{1,3}$/.test(String(given)) ? Number(given) : -1;
}

function unreached(error: Error & { statusCode?: number }): AppError {
  const code = error.statusCode === 504 ? 'server_timeout' : 'server_unreachable';
  return new AppError(code, undefined, { cause: error });
}
