import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { HTTPMethods } from 'fastify';
import { load } from 'js-yaml';
import { z } from 'zod';
import { mismatch } from './contract-mismatch.ts';

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const satisfies Lowercase<HTTPMethods>[];
const places = ['path', 'query', 'header'] as const;
type Place = (typeof places)[number];

const parameterSchema = z.looseObject({
  name: z.string(),
  in: z.enum(places),
  required: z.boolean().optional(),
});

const operationSchema = z.looseObject({
  operationId: z.string(),
  parameters: z.array(parameterSchema).default([]),
  'x-max-body-bytes': z.number().optional(),
  'x-proxied': z.boolean().default(false),
  requestBody: z.looseObject({ content: z.record(z.string(), z.unknown()) }).optional(),
});

const documentSchema = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.partialRecord(z.enum(methods), operationSchema)),
});

/** The parts of a request that the contract describes. */
export type Checked = Partial<Record<Place | 'body', unknown>>;

export interface Operation {
  id: string;
  method: (typeof methods)[number];
  /** With its parameters in braces. */
  path: string;
  /** A model server answers it, so it has no handler here. */
  isProxied: boolean;
  maxBodyBytes: number;
  /** In lower case, the most common first. Null: the operation takes no body. */
  bodyTypes: readonly string[] | null;
  /** Throws `invalid_request` at the first mismatch. Converts parameters to their declared types. */
  check(parts: Checked): void;
}

export interface Contract {
  /** The document as it is served. */
  json: string;
  operations: readonly Operation[];
}

/** Reads openapi.yaml, the single definition of the server's interface. */
export function loadContract(path: URL): Contract {
  const document: unknown = load(readFileSync(path, 'utf8'));
  const { paths } = documentSchema.parse(document);
  const check = createChecks(z.record(z.string(), z.unknown()).parse(document));

  const operations = Object.entries(paths).flatMap(([route, item]) =>
    methods.flatMap((method): Operation[] => {
      const operation = item[method];
      if (!operation) return [];
      const pointer = `contract#/paths/${pointerPart(route)}/${method}`;
      const types = operation.requestBody && Object.keys(operation.requestBody.content);
      const bodyTypes = types?.map((type) => type.toLowerCase()) ?? null;
      // A delete request must match exactly: a mistyped name must not delete more.
      const rules = { isStrict: method === 'delete' };
      let checks: readonly Check[] | null = null;
      return [
        {
          id: operation.operationId,
          method,
          path: route,
          isProxied: operation['x-proxied'],
          maxBodyBytes: operation['x-max-body-bytes'] ?? 0,
          bodyTypes,
          check: (parts) => {
            // Compiled for the first request: compiling all of them would slow down the start.
            checks ??= [
              ...check.parameters(pointer, operation.parameters, rules),
              ...check.body(pointer, bodyTypes),
            ];
            for (const { place, validate } of checks) {
              if (!validate(parts[place])) throw mismatch(validate.errors ?? [], place);
            }
          },
        },
      ];
    }),
  );
  return { json: JSON.stringify(document), operations };
}

interface Check {
  place: Place | 'body';
  validate: ValidateFunction;
}

/**
 * Creates the checks of the document's operations. Converts parameters from text and takes bodies unchanged.
 */
function createChecks(document: Record<string, unknown>) {
  const compiler = (coerceTypes: boolean) => {
    const ajv = new Ajv2020({ strict: false, coerceTypes, verbose: true });
    addFormats.default(ajv);
    return ajv.addSchema(document, 'contract');
  };
  const [bodies, parameters] = [compiler(false), compiler(true)];

  return {
    parameters: (
      pointer: string,
      all: z.infer<typeof parameterSchema>[],
      { isStrict }: { isStrict: boolean },
    ): Check[] =>
      places.flatMap((place) => {
        const isClosed = isStrict && place === 'query';
        const here = all.flatMap((parameter, index) =>
          parameter.in === place ? [{ ...parameter, index }] : [],
        );
        if (here.length === 0 && !isClosed) return [];
        const validate = parameters.compile({
          type: 'object',
          properties: {
            ...Object.fromEntries(
              here.map(({ name, index }) => [name, { $ref: `${pointer}/parameters/${index}/schema` }]),
            ),
            ...(isClosed && { token: {} }),
          },
          required: here.filter(({ required }) => required).map(({ name }) => name),
          ...(isClosed && { additionalProperties: false }),
        });
        return [{ place, validate }];
      }),
    body: (pointer: string, types: readonly string[] | null): Check[] => {
      if (!types?.includes('application/json')) return [];
      const validate = bodies.compile({ $ref: `${pointer}/requestBody/content/application~1json/schema` });
      return [{ place: 'body', validate }];
    },
  };
}

/** Escapes a JSON pointer part for use in a URI. */
function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
