import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const root = new URL('../../', import.meta.url);

/** Each contract, and the file of types that is made from it. */
const outputs = [
  { contract: 'openapi.yaml', types: 'api/src/http/contract-types.ts', read: withoutExamples },
  {
    contract: 'listen-events.schema.json',
    types: 'api/src/listen/events/event-types.ts',
    read: asOpenApi,
  },
];

/** The document without its examples: they are for its readers, and fill a quarter of the types. */
function withoutExamples(text: string) {
  const isLeftOut = (key: string) => key === 'example' || key === 'examples';
  return JSON.parse(JSON.stringify(load(text)), (key, value) => (isLeftOut(key) ? undefined : value));
}

/** The same schemas as components of a document without routes. */
function asOpenApi(text: string) {
  const { $defs } = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'), withoutTrimmings);
  const info = { title: 'Events of /listen', version: '1' };
  return { openapi: '3.1.0', info, paths: {}, components: { schemas: $defs } };
}

/**
 * Drops schema parts that TypeScript cannot use: examples and conditions between fields. Also drops the
 * permission for more fields, which would let every misspelt name pass.
 */
function withoutTrimmings(key: string, value: unknown): unknown {
  return ['examples', 'allOf', 'additionalProperties'].includes(key) ? undefined : value;
}

const isCheck = process.argv.includes('--check');
for (const { contract, types, read } of outputs) {
  const file = new URL(types, root);
  const should =
    COMMENT_HEADER + astToString(await openapiTS(read(readFileSync(new URL(contract, root), 'utf8'))));
  if (!isCheck) writeFileSync(file, should);
  else if (readFileSync(file, 'utf8') !== should) {
    console.error(`${types} is not what ${contract} says: npm run types`);
    process.exitCode = 1;
  }
}
