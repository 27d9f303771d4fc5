import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Contract, Operation } from './contract.ts';
import type { operations } from './contract-types.ts';
import { noteBody } from './idempotency-key.ts';
import { createRecordingBody } from './recording-body.ts';
import { needOf } from './scopes.ts';

/** RFC 7396 defines the second type. */
export const jsonTypes: readonly string[] = ['application/json', 'application/merge-patch+json'];

/** A model server answers these (`x-proxied`), so they have no handler here. */
type Proxied = 'getServerPage' | 'postServerPage';
type OperationId = Exclude<keyof operations, Proxied>;

/** A body that is not JSON is a recording. */
type Body<T> = T extends { content: { 'application/json': infer Body } } ? Body : Buffer;
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;

type Parameters<Id extends OperationId, In extends 'path' | 'query' | 'header'> = NonNullable<
  operations[Id]['parameters'][In]
>;

/** The input of a handler, checked against the contract. */
export interface Call<Id extends OperationId> {
  body: operations[Id] extends { requestBody: infer Content } ? Body<Content> : undefined;
  path: Parameters<Id, 'path'>;
  query: Parameters<Id, 'query'>;
  headers: Parameters<Id, 'header'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Answer<Id extends OperationId> = operations[Id]['responses'] extends { 200: infer Success }
  ? Json<Success>
  : never;

/** Returns the body of the 200 response, or the reply itself if the handler has sent one. */
type Handler<Id extends OperationId> = (
  call: Call<Id>,
) => Promise<Answer<Id> | FastifyReply> | Answer<Id> | FastifyReply;

/** Exactly one handler per operation. The compiler enforces it, and startup checks it again. */
export type Handlers = { [Id in OperationId]: Handler<Id> };

/** WebSocket handlers by operation. The ordinary handler answers callers that do not upgrade. */
export type SocketHandlers = {
  [Id in OperationId]?: (socket: WebSocket, call: Omit<Call<Id>, 'body' | 'reply'>) => void;
};

/**
 * Registers a route for each operation. Throws if an operation lacks its handler or a handler lacks its
 * operation.
 */
export function registerContract(
  app: FastifyInstance,
  contract: Contract,
  handlers: Handlers,
  sockets: SocketHandlers = {},
): void {
  const recordings = createRecordingBody();
  const bodyTypes = contract.operations.map((operation) => operation.bodyTypes ?? []);
  // A recording is read as `anyType` whatever its declared type, because its content decides.
  const declared = bodyTypes.filter((types) => !types.includes(anyType)).flat();
  for (const type of new Set([anyType, ...declared.filter((each) => !isJson(each))])) {
    app.addContentTypeParser(type, async (request: FastifyRequest, body: IncomingMessage) => {
      const recording = await recordings.read(body, request.routeOptions.bodyLimit);
      noteBody(request, recording);
      return recording;
    });
  }
  const table = new Map(Object.entries(handlers));
  const socketTable = new Map(Object.entries(sockets));
  for (const operation of contract.operations.filter(({ isProxied }) => !isProxied)) {
    const handler = table.get(operation.id);
    if (!handler) {
      throw new Error(`openapi.yaml has the operation ${operation.id}, but no handler answers it.`);
    }
    table.delete(operation.id);
    const onSocket = socketTable.get(operation.id);
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: operation.maxBodyBytes || 1,
      config: { need: needOf(operation.id), operation: operation.id },
      preParsing: async (request, reply) => {
        checkContentType(operation, request);
        if (takesSound(operation)) recordings.keepRoom(request, reply, operation.maxBodyBytes);
      },
      preValidation: async (request) => operation.check(partsOf(request)),
      // Safe: the checks above and the types of `Handlers` both come from openapi.yaml.
      handler: (request, reply) =>
        handler({ ...partsOf(request), headers: request.headers, request, reply } as never),
      ...(onSocket && {
        wsHandler: (socket: WebSocket, request: FastifyRequest) =>
          onSocket(socket, { ...partsOf(request), headers: request.headers, request } as never),
      }),
    });
  }
  const [unknown] = table.keys();
  if (unknown) throw new Error(`The handler ${unknown} answers no operation of openapi.yaml.`);
}

/** The methods the contract defines at a path, in upper case. */
export function methodsAt({ operations }: Contract, path: string): string[] {
  const matches = (operation: Operation) => {
    const [want, have] = [operation.path.split('/'), path.split('/')];
    return (
      want.length === have.length && want.every((part, index) => part.startsWith('{') || part === have[index])
    );
  };
  return operations.filter(matches).map(({ method }) => method.toUpperCase());
}

function partsOf({ body, params: path, query, headers: header }: FastifyRequest) {
  return { body, path, query, header };
}

const isJson = (type: string): boolean => jsonTypes.includes(type);

function takesSound({ bodyTypes }: Operation): boolean {
  return bodyTypes !== null && !bodyTypes.some(isJson);
}

export function holdsBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The content decides what a recording is, because many clients declare no type or a wrong one. */
const anyType = 'application/octet-stream';
/** Content types of bodies that cannot be a recording. A client that sends one has made a mistake. */
const otherTypes = /^(?:text|image|font|model|message|multipart)\/|json$/;

function takesType(bodyTypes: readonly string[], declared = ''): boolean {
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return bodyTypes.includes(anyType) ? !otherTypes.test(type) : bodyTypes.includes(type);
}

function checkContentType({ bodyTypes, method }: Operation, request: FastifyRequest): void {
  const { headers } = request;
  const hasBody = holdsBody(headers);
  if (!bodyTypes) {
    // The body of a GET is never read.
    if (hasBody && method !== 'get') throw new AppError('invalid_request', 'This address accepts no body.');
    // Many clients send a type with every request; without a body it has no meaning.
    delete headers['content-type'];
    return;
  }
  const takesAny = bodyTypes.includes(anyType);
  if (!hasBody)
    throw takesAny ? new AppError('no_audio') : new AppError('invalid_request', 'The request has no body.');
  if (!takesType(bodyTypes, headers['content-type'])) {
    const wanted = takesAny ? `${anyType}, or with its audio type` : bodyTypes.join(' or ');
    throw new AppError('unsupported_media_type', `Send the body as ${wanted}.`);
  }
  // Fastify reads only the types that it can parse, and GStreamer separates parameters with commas.
  if (takesAny) request.headers = { ...headers, 'content-type': anyType };
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    throw new AppError('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.');
}
