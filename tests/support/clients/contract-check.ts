import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { z } from 'zod';

const responseSchema = z.looseObject({
  $ref: z.string().optional(),
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), z.looseObject({ example: z.unknown().optional() })).default({}),
});

const operationSchema = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), example: z.unknown() })).default([]),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ example: z.unknown().optional() })) })
    .optional(),
  responses: z.record(z.string(), responseSchema),
});

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ responses: z.record(z.string(), responseSchema) }),
});

export const contractPath = new URL('../../../openapi.yaml', import.meta.url);
export const contractDocument = z
  .record(z.string(), z.unknown())
  .parse(load(readFileSync(contractPath, 'utf8')));

const { paths, components } = documentSchema.parse(contractDocument);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(contractDocument, 'contract');

/** The mismatch between a value and the schema at this JSON pointer; null if there is none. */
export function mismatch(pointer: string, value: unknown): string | null {
  const validate = ajv.getSchema(`contract#${pointer}`) ?? ajv.compile({ $ref: `contract#${pointer}` });
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

interface DocumentedResponse {
  /** JSON pointer of the response in the document. */
  pointer: string;
  status: string;
  response: z.infer<typeof responseSchema>;
}

export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  pointer: string;
  operation: z.infer<typeof operationSchema>;
  responses: DocumentedResponse[];
}

/** Every operation that openapi.yaml documents. */
export const documented: readonly DocumentedOperation[] = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => {
    const pointer = `/paths/${encodeURIComponent(part(path))}/${method}`;
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      pointer,
      operation,
      responses: Object.entries(operation.responses).map(([status, found]) =>
        resolved(`${pointer}/responses/${status}`, status, found),
      ),
    };
  }),
);

function resolved(
  pointer: string,
  status: string,
  found: z.infer<typeof responseSchema>,
): DocumentedResponse {
  const name = found.$ref?.split('/').at(-1);
  const response = name === undefined ? found : components.responses[name];
  if (!response) throw new Error(`${found.$ref} is not in the document`);
  return { pointer: name === undefined ? pointer : `/components/responses/${name}`, status, response };
}

export function schemaPointer({ pointer }: { pointer: string }, type: string): string {
  return `${pointer}/content/${encodeURIComponent(part(type))}/schema`;
}

function part(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Statuses that any path may return, even without an operation. */
const anywhere = [403, 404, 405, 429];

interface Seen {
  method: string;
  path: string;
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** Throws if openapi.yaml does not allow the response. */
export function checkResponse(seen: Seen): void {
  const fault = faultOf(seen);
  if (fault) {
    throw new Error(
      `${seen.method} ${seen.path} answered ${seen.status} against the contract: ${fault}\n${seen.text}`,
    );
  }
}

function faultOf(seen: Seen): string | null {
  if (typeof seen.headers['x-request-id'] !== 'string') return 'x-request-id is missing';
  const operation = operationAt(seen);
  const promised = operation?.responses.find(({ status }) => status === String(seen.status));
  if (promised) return faultOfPromised(seen, promised);
  // A browser's preflight belongs to no operation.
  if (seen.method === 'OPTIONS' && seen.status === 204) return seen.text === '' ? null : 'it has a body';
  const isAllowed =
    anywhere.includes(seen.status) || (operation === undefined && [400, 401, 431].includes(seen.status));
  if (!isAllowed) return 'the status is not in openapi.yaml';
  return isErrorShape(seen);
}

function faultOfPromised(seen: Seen, promised: DocumentedResponse): string | null {
  const type = String(seen.headers['content-type']).split(';', 1)[0] ?? '';
  if (!(type in promised.response.content)) return `the content type ${type} is not in openapi.yaml`;
  const optional = ['server-timing', 'x-hearth-via', 'idempotent-replayed', 'x-should-retry'];
  const missing = Object.keys(promised.response.headers).filter(
    (name) => !optional.includes(name) && seen.headers[name] === undefined,
  );
  if (missing.length > 0) return `the header ${missing.join(', ')} is missing`;
  if (type !== 'application/json') return null;
  return mismatch(schemaPointer(promised, type), JSON.parse(seen.text));
}

function isErrorShape({ headers, text }: Seen): string | null {
  if (!String(headers['content-type']).startsWith('application/json')) return 'an error must be JSON';
  return mismatch('/components/schemas/Error', JSON.parse(text));
}

function operationAt({ method, path }: Seen): DocumentedOperation | undefined {
  const plain = path.split('?', 1)[0] ?? '';
  // The path of a model server's page may have any number of slashes, and clients may send HEAD for it.
  const pattern = (each: DocumentedOperation) =>
    each.path.replaceAll('{path}', '.*').replaceAll(/\{\w+\}/g, '[^/]+');
  return documented.find((each) => each.method === method && new RegExp(`^${pattern(each)}$`).test(plain));
}
