import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { parse } from 'yaml';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { operations } from './contract-types.ts';

export type OperationId = keyof operations;

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;

/** What a handler gets: everything in it has been checked against the contract. */
export interface Call<Id extends OperationId> {
  body: operations[Id] extends { requestBody: infer Body } ? Json<Body> : undefined;
  query: operations[Id]['parameters'] extends { query?: infer Query }
    ? NonNullable<Query>
    : Record<never, never>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What a handler returns: the body of the 200 response, or the reply itself when it has sent one. */
export type Handler<Id extends OperationId> = (
  call: Call<Id>,
) => Promise<Answer<Id> | FastifyReply> | Answer<Id> | FastifyReply;

type Answer<Id extends OperationId> = Json<operations[Id]['responses'][200]>;

/** One handler for each operation, no more and no fewer: the compiler sees to it, and the start checks it again. */
export type Handlers = { [Id in OperationId]: Handler<Id> };

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const satisfies Lowercase<HTTPMethods>[];

const operationSchema = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  'x-max-body-bytes': z.number().optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), z.unknown()) }).optional(),
});

const documentSchema = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.partialRecord(z.enum(methods), operationSchema)),
});

export interface Operation {
  id: string;
  method: (typeof methods)[number];
  path: string;
  needsToken: boolean;
  mostBodyBytes: number;
  /** Null: the operation takes no body. */
  bodyTypes: readonly string[] | null;
}

export interface Contract {
  /** The document as it is served. */
  json: string;
  operations: readonly Operation[];
  /** The check of a JSON request body; undefined when there is nothing to check. */
  checkBody(operation: Operation): ValidateFunction | undefined;
}

/** Reads openapi.yaml, the one source of what this server understands. */
export function loadContract(path: URL): Contract {
  const document: unknown = parse(readFileSync(path, 'utf8'));
  const { paths } = documentSchema.parse(document);
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema(z.record(z.string(), z.unknown()).parse(document), 'contract');

  const operations = Object.entries(paths).flatMap(([route, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      return {
        id: operation.operationId,
        method,
        path: route,
        needsToken: operation.security?.length !== 0,
        mostBodyBytes: operation['x-max-body-bytes'] ?? 0,
        bodyTypes: operation.requestBody ? Object.keys(operation.requestBody.content) : null,
      };
    }),
  );

  return {
    json: JSON.stringify(document),
    operations,
    checkBody({ method, path: route, bodyTypes }) {
      if (!bodyTypes?.includes('application/json')) return undefined;
      const pointer = `/paths/${pointerPart(route)}/${method}/requestBody/content/application~1json/schema`;
      return ajv.compile({ $ref: `contract#${pointer}` });
    },
  };
}

/** Registers a route for each operation. Throws when an operation lacks its handler, or a handler its operation. */
export function registerContract(app: FastifyInstance, contract: Contract, handlers: Handlers): void {
  const table = new Map(Object.entries(handlers));
  for (const operation of contract.operations) {
    const handler = table.get(operation.id);
    if (!handler)
      throw new Error(`openapi.yaml has the operation ${operation.id}, but no handler answers it.`);
    table.delete(operation.id);
    const check = contract.checkBody(operation);
    app.route({
      method: operation.method,
      url: operation.path,
      bodyLimit: operation.mostBodyBytes || 1,
      preParsing: async (request) => checkContentType(operation, request),
      preValidation: async (request) => {
        if (check && !check(request.body)) throw bodyError(check.errors?.[0]);
      },
      // The checks above and the types of `Handlers` say the same, for both come from openapi.yaml.
      handler: (request, reply) =>
        handler({ body: request.body, query: request.query, request, reply } as never),
    });
  }
  const [unknown] = table.keys();
  if (unknown) throw new Error(`The handler ${unknown} answers no operation of openapi.yaml.`);
}

async function checkContentType({ bodyTypes }: Operation, request: FastifyRequest): Promise<void> {
  if (!bodyTypes) return;
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) throw new AppError('invalid_request', 'The request has no body.');
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (!type || !bodyTypes.includes(type)) {
    throw new AppError('unsupported_media_type', `Send the body as ${bodyTypes.join(' or ')}.`);
  }
}

/** A sentence that names the field and what is wrong with it, never the value. */
function bodyError(error: ErrorObject | undefined): AppError {
  const missing: unknown = error?.params['missingProperty'];
  const field = [
    error?.instancePath.slice(1).replaceAll('/', '.'),
    typeof missing === 'string' ? missing : '',
  ]
    .filter(Boolean)
    .join('.');
  const what =
    error?.keyword === 'pattern' ? 'holds characters that are no text' : (error?.message ?? 'is wrong');
  const message =
    error?.keyword === 'required'
      ? `"${field}" is missing.`
      : `${field ? `"${field}"` : 'The body'} ${what}.`;
  return new AppError('invalid_request', message, field ? { param: field } : {});
}

/** A JSON pointer's own escapes. */
function pointerPart(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
