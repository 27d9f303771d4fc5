import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../api/src/errors.ts';
import { type Checked, type Contract, loadContract } from '../../../api/src/http/contract.ts';
import { type Handlers, methodsAt, registerContract } from '../../../api/src/http/contract-routes.ts';
import { contractPath, documented, mismatch, schemaPointer } from '../../support/clients/contract-check.ts';

const notCalled = () => {
  throw new Error('not called');
};

const handlers: Handlers = {
  ask: notCalled,
  listWakeWordFiles: notCalled,
  addWakeWord: notCalled,
  removeWakeWord: notCalled,
  listOwnSentences: notCalled,
  getShippedSentences: notCalled,
  saveOwnSentences: notCalled,
  removeOwnSentences: notCalled,
  voice: notCalled,
  announce: notCalled,
  listen: notCalled,
  lend: notCalled,
  getSatelliteWords: notCalled,
  getWakeWords: notCalled,
  listModels: notCalled,
  getModel: notCalled,
  createChatCompletion: notCalled,
  createResponse: notCalled,
  realtime: notCalled,
  createTranscription: notCalled,
  createTranslation: notCalled,
  createSpeech: notCalled,
  listVoices: notCalled,
  judgeName: notCalled,
  getNetwork: notCalled,
  changeNetwork: notCalled,
  confirmNetwork: notCalled,
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
  setTimer: notCalled,
  cancelTimer: notCalled,
  restoreTimer: notCalled,
  getLists: notCalled,
  putOnList: notCalled,
  renameList: notCalled,
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
  listMachines: notCalled,
  changeMachine: notCalled,
  wakeMachine: notCalled,
  getServer: notCalled,
  loadServer: notCalled,
  unloadServer: notCalled,
  runCheck: notCalled,
  getChecks: notCalled,
  listTokens: notCalled,
  listPauses: notCalled,
  forgetPauses: notCalled,
  makeToken: notCalled,
  beginPairing: notCalled,
  pair: notCalled,
  revokeToken: notCalled,
  changeTimer: notCalled,
  findExchanges: notCalled,
  listMistakes: notCalled,
  reportMistake: notCalled,
  removeMistakes: notCalled,
  listSatellites: notCalled,
  changeSatellite: notCalled,
  removeSatellite: notCalled,
  soundSatellite: notCalled,
  getMicrophone: notCalled,
  listSentences: notCalled,
  findUndoable: notCalled,
  askToJoin: notCalled,
  getJoining: notCalled,
  getJoiningSpeech: notCalled,
  listJoinings: notCalled,
  admitJoining: notCalled,
  refuseJoining: notCalled,
  listVoiceDevices: notCalled,
  listChanges: notCalled,
  downloadBackup: notCalled,
  restoreBackup: notCalled,
  getHomeAssistant: notCalled,
  listThings: notCalled,
  findHomeAssistants: notCalled,
  connectHomeAssistant: notCalled,
  disconnectHomeAssistant: notCalled,
  findVoiceDevices: notCalled,
  adoptVoiceDevice: notCalled,
  changeVoiceDevice: notCalled,
  removeVoiceDevice: notCalled,
  listModelChoices: notCalled,
  orderModel: notCalled,
  stopModelOrder: notCalled,
  findVoices: notCalled,
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

  test.each(documented)('$id shows examples of requests', ({ operation, pointer }) => {
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
    '$id documents the errors for wrong input and for outages',
    ({ responses }) => {
      const statuses = responses.map(({ status }) => status);

      for (const status of ['400', '401', '403', '413', '415', '429', '500'])
        expect(statuses).toContain(status);
    },
  );

  test.each(documented.filter(({ method }) => method !== 'GET'))(
    '$id documents that it refuses unknown parameters',
    ({ responses }) => {
      expect(responses.map(({ status }) => status)).toContain('400');
    },
  );

  test.each(documented.filter(({ method }) => method !== 'GET'))(
    '$id documents that it refuses new requests before a restart',
    ({ responses }) => {
      expect(responses.map(({ status }) => status)).toContain('503');
    },
  );
});

describe('a contract mismatch', () => {
  const { operations } = loadContract(contractPath);
  const complaint = (id: string, parts: Checked) => {
    const operation = operations.find((each) => each.id === id);
    if (!operation) throw new Error(`There is no operation ${id}.`);
    try {
      operation.check({ path: {}, query: {}, header: {}, ...parts });
    } catch (error) {
      return error instanceof AppError ? [error.message, error.param] : error;
    }
    return 'nothing';
  };
  const mcp = (server: object) => ({ mcp_servers: [{ name: 'a', ...server }] });

  test.each([
    [{ speeed: 1 }, 'There is no field "speeed".', 'speeed'],
    [mcp({ url: 'http://a', to: 1 }), 'There is no field "mcp_servers.0.to".', 'mcp_servers.0.to'],
    [{ speed: '1' }, '"speed" must be a number.', 'speed'],
    [{ speed: 0.1 }, '"speed" must be at least 0.5.', 'speed'],
    [{ speed: 3 }, '"speed" must be at most 2.', 'speed'],
    [{ reply_tokens: 16.5 }, '"reply_tokens" must be a whole number.', 'reply_tokens'],
    [{ tools: 'yes' }, '"tools" must be true or false.', 'tools'],
    [{ hints: 'Anna' }, '"hints" must be a list.', 'hints'],
    [{ hints: [''] }, '"hints.0" must not be empty.', 'hints.0'],
    [
      { hints: Array.from({ length: 41 }, () => 'word') },
      '"hints" must have no more than 40 entries.',
      'hints',
    ],
    [{ persona: 'x'.repeat(2_001) }, '"persona" must have no more than 2000 characters.', 'persona'],
    [{ voice: 7 }, '"voice" must be a string or null.', 'voice'],
    [
      { quiet_to: '9:00' },
      '"quiet_to" is not valid: When the quiet hours end. There are none unless you set both.',
      'quiet_to',
    ],
    [[], 'The body must be an object.', null],
    [mcp({}), '"mcp_servers.0" must have either "url" or "command".', 'mcp_servers.0'],
    [
      mcp({ url: 'http://a', command: 'b' }),
      '"mcp_servers.0" must have either "url" or "command".',
      'mcp_servers.0',
    ],
  ])('in a body is reported: %j', (body, message, param) => {
    expect(complaint('changePipeline', { body })).toEqual([message, param]);
  });

  test('names no empty value as a choice', () => {
    const body = { input: 'Hello.', response_format: 'ogg' };
    const sentence = '"response_format" must be one of mp3, opus, aac, flac, wav, pcm.';

    expect(complaint('createSpeech', { body })).toEqual([sentence, 'response_format']);
  });

  test.each([
    [{ level: 'loud' }, '"level" must be one of trace, debug, info, warn, error, fatal.', 'level'],
    [
      { since: '2026-11-20T22:00:00 01:00' },
      '"since" must be a time with its time zone, like 2026-11-20T22:00:00Z; in an address, write + as %2B.',
      'since',
    ],
    [{ limit: 'many' }, '"limit" must be a whole number.', 'limit'],
    [{ limit: ['1', '2'] }, '"limit" must be a whole number.', 'limit'],
    [{ follow: 'perhaps' }, '"follow" must be true or false.', 'follow'],
  ])('in an address is reported: %j', (query, message, param) => {
    expect(complaint('getLogs', { query })).toEqual([message, param]);
  });

  test.each([
    ['removeList', { path: { key: 'shopping' }, query: { itme: 'egg' } }, 'itme'],
    ['forgetConversation', { path: { name: 'anna' }, query: { before: '2026-01-01T00:00:00Z' } }, 'before'],
    ['cancelTimer', { path: { id: 'x' }, query: { room: 'kitchen' } }, 'room'],
  ])('removes nothing by mistake: %s', (id, parts, param) => {
    expect(complaint(id, parts)).toEqual([`There is no parameter "${param}" here.`, param]);
  });

  test.each([
    ['removeList', { path: { key: 'shopping' }, query: { item: 'egg', token: 'secret' } }],
    ['cancelTimer', { path: { id: 'x' }, query: { token: 'secret' } }],
    ['getLogs', { query: { nothing: 'known' } }],
  ])('is not reported for valid input: %s', (id, parts) => {
    expect(complaint(id, parts)).toBe('nothing');
  });
});

describe('the contract', () => {
  test.each(loadContract(contractPath).operations)('can check the requests of $id', (operation) => {
    const parts = { path: {}, query: {}, header: {}, body: {} };
    let thrown: unknown;
    try {
      operation.check(parts);
    } catch (error) {
      thrown = error;
    }

    expect(thrown === undefined || thrown instanceof AppError).toBe(true);
  });

  test('is served unchanged', () => {
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
