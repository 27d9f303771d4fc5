import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Contract, loadContract } from '../../../api/src/http/contract.ts';
import { type Handlers, methodsAt, registerContract } from '../../../api/src/http/contract-routes.ts';
import { contractPath, documented, mismatch, schemaPointer } from '../../support/contract-check.ts';

const notCalled = () => {
  throw new Error('not called');
};

const handlers: Handlers = {
  ask: notCalled,
  voice: notCalled,
  listen: notCalled,
  listModels: notCalled,
  getModel: notCalled,
  createChatCompletion: notCalled,
  getPipeline: notCalled,
  changePipeline: notCalled,
  getPipelineHistory: notCalled,
  getPipelineOptions: notCalled,
  speakSample: notCalled,
  listConversations: notCalled,
  forgetConversations: notCalled,
  getConversation: notCalled,
  forgetConversation: notCalled,
  listTimers: notCalled,
  cancelTimer: notCalled,
  getLists: notCalled,
  removeList: notCalled,
  getHealth: notCalled,
  getLogs: notCalled,
  getTurns: notCalled,
  getTurn: notCalled,
  getMetrics: notCalled,
  getRestart: notCalled,
  restart: notCalled,
  getContract: notCalled,
  getServers: notCalled,
  getServer: notCalled,
  loadServer: notCalled,
  unloadServer: notCalled,
  runCheck: notCalled,
  getChecks: notCalled,
};

const load = (yaml: string): Contract => {
  const path = join(mkdtempSync(join(tmpdir(), 'contract-')), 'openapi.yaml');
  writeFileSync(path, yaml);
  return loadContract(pathToFileURL(path));
};

describe('openapi.yaml', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();

    const { valid, errors } = await validator.validate(fileURLToPath(contractPath));

    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('names every operation once', () => {
    const ids = documented.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
  });

  const promises = documented.flatMap(({ id, responses }) =>
    responses.flatMap((response) =>
      Object.entries(response.response.content).map(([type, content]) => ({ id, response, type, content })),
    ),
  );

  test.each(promises)('shows an example of $id, $response.status as $type', ({ response, type, content }) => {
    expect(content.example).toBeDefined();
    expect(mismatch(schemaPointer(response, type), content.example)).toBeNull();
  });

  test.each(documented)('$id shows examples of what is sent', ({ operation, pointer }) => {
    for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
      expect(example).toBeDefined();
      expect(mismatch(schemaPointer({ pointer: `${pointer}/requestBody` }, type), example)).toBeNull();
    }
    for (const [index, { example }] of operation.parameters.entries()) {
      expect(example).toBeDefined();
      expect(mismatch(`${pointer}/parameters/${index}/schema`, example)).toBeNull();
    }
  });

  test.each(documented.filter(({ method }) => method === 'POST'))(
    '$id tells what happens to input that is wrong, and when something is down',
    ({ responses }) => {
      const statuses = responses.map(({ status }) => status);

      for (const status of ['400', '401', '403', '413', '415', '429', '500'])
        expect(statuses).toContain(status);
    },
  );
});

describe('the contract', () => {
  test('is served as it is written', () => {
    expect(JSON.parse(loadContract(contractPath).json)).toMatchObject({
      openapi: '3.1.1',
      info: { version: '1' },
    });
  });

  test('registers every operation', async () => {
    const app = Fastify();

    registerContract(app, loadContract(contractPath), handlers);

    // A model server's own pages are registered by engine-proxy.ts.
    for (const { method, path } of documented.filter(({ operation }) => !operation['x-proxied'])) {
      expect(app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') }), path).toBe(true);
    }
  });

  test('stops the start when an operation has no handler', () => {
    const more = load(`openapi: 3.1.1
paths:
  /more:
    get: { operationId: more, responses: {} }
`);

    expect(() => registerContract(Fastify(), more, handlers)).toThrow(
      'openapi.yaml has the operation more, but no handler answers it.',
    );
  });

  test('stops the start when a handler has no operation', () => {
    const less = load(`openapi: 3.1.1
paths:
  /ask:
    post: { operationId: ask, responses: {} }
`);

    expect(() => registerContract(Fastify(), less, handlers)).toThrow(
      /^The handler \w+ answers no operation/,
    );
  });

  test.each(['', 'openapi: 3.1.1', 'paths: { /x: { get: {} } }', '[: broken'])('cannot be %o', (yaml) => {
    expect(() => load(yaml)).toThrow();
  });

  test('knows the methods of a path', () => {
    const contract = loadContract(contractPath);

    expect(methodsAt(contract, '/ask')).toEqual(['POST']);
    expect(methodsAt(contract, '/v1/models/some-model')).toEqual(['GET']);
    expect(methodsAt(contract, '/ask/')).toEqual([]);
  });
});
