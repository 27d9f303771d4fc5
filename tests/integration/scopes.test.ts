import { readFileSync } from 'node:fs';
import type { RouteOptions } from 'fastify';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../api/src/config.ts';
import { needOf, type RequiredScope, requiredScopes } from '../../api/src/http/scopes.ts';
import { createLog } from '../../api/src/log.ts';
import { covers, type Scope, scopes } from '../../api/src/tokens/device-token.ts';
import { wireApi } from '../../api/src/wiring/api.ts';
import type { CallOptions } from '../support/clients/caller.ts';
import { contractPath, type DocumentedOperation, documented } from '../support/clients/contract-check.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const owner = 'Correct-Horse-Battery-Staple';
const madeSchema = z.object({ token: z.string() });
const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

let redis: OwnRedis;
let api: RunningApi;
const tokens = new Map<Scope, string>();

beforeAll(async () => {
  redis = await startRedis();
  api = await startApi({ redisUrl: redis.url, env: { SERVICE_TOKEN: owner } });
  for (const scope of scopes) {
    const headers = { authorization: `Bearer ${owner}` };
    const { body } = await api.call('/admin/tokens', { headers, body: { name: `the-${scope}`, scope } });
    tokens.set(scope, madeSchema.parse(body).token);
  }
});
afterAll(async () => {
  await api?.stop();
  await redis?.stop();
});

const namedPath = ({ path }: DocumentedOperation): string =>
  path
    .replace('/servers/{name}/proxy/{path}', '/servers/llm/proxy/health')
    .replaceAll(/\{(\w+)\}/g, (_all, name) => (name === 'model' ? 'assistant' : 'nothing'));

/** A call that reaches the operation, which refuses it or does no harm. */
function tryOf(operation: DocumentedOperation, scope: Scope): [path: string, options: CallOptions] {
  const headers = { authorization: `Bearer ${tokens.get(scope)}` };
  const { method } = operation;
  if (method === 'POST' || method === 'PATCH' || method === 'PUT')
    return [namedPath(operation), { method, headers, body: { nonsense: [] } }];
  if (method === 'GET' || method === 'DELETE') return [namedPath(operation), { method, headers }];
  throw new Error(`how is ${method} tried?`);
}

async function outcomeOf(path: string, options: CallOptions): Promise<'let in' | 'refused'> {
  const { status, body } = await api.call(path, options);
  const error = errorSchema.safeParse(body).data?.error;
  if (status === 401) throw new Error(`${path} asked for another token`);
  if (status !== 403) return 'let in';
  expect(error?.code).toBe('insufficient_scope');
  expect(error?.message).toMatch(
    /^The access key "the-\w+" has the scope \w+\. This needs one with the scope \w+\.$/,
  );
  return 'refused';
}

const isEnough = (scope: Scope, need: RequiredScope) => need === 'open' || covers(scope, need);

/** As GET and as HEAD. */
const twice = (...paths: string[]) => paths.flatMap((path) => [path, path]);

describe('the table of scopes', () => {
  test('has exactly the operations of openapi.yaml', () => {
    expect(Object.keys(requiredScopes).toSorted()).toEqual(documented.map(({ id }) => id).toSorted());
  });

  test('leaves open what openapi.yaml leaves open', () => {
    const document: unknown = load(readFileSync(contractPath, 'utf8'));
    const isOpen = z.object({
      paths: z.record(
        z.string(),
        z.record(z.string(), z.looseObject({ security: z.array(z.unknown()).optional() })),
      ),
    });
    const { paths } = isOpen.parse(document);
    const open = documented.filter(
      ({ path, method }) => paths[path]?.[method.toLowerCase()]?.security?.length === 0,
    );

    expect(open.map(({ id }) => id)).toEqual(
      Object.entries(requiredScopes).flatMap(([id, need]) => (need === 'open' ? [id] : [])),
    );
  });

  test('allows no changing operation with a reading scope', () => {
    const exceptions = [
      'ask',
      'voice',
      'announce',
      'createChatCompletion',
      'createResponse',
      'createTranscription',
      'createTranslation',
      'createSpeech',
      'setTimer',
      'changeTimer',
      'cancelTimer',
      'restoreTimer',
      'speakSample',
      'postServerPage',
      // An administrator created its code.
      'pair',
      // A device in the house sends this; a person admits it.
      'askToJoin',
    ];
    const changing = documented.filter(({ id, method }) => method !== 'GET' && !exceptions.includes(id));

    expect(changing.length).toBeGreaterThan(9);
    expect(changing.filter(({ id }) => needOf(id) !== 'administer')).toEqual([]);
  });

  test('requires the highest scope for an unlisted operation', () => {
    expect(needOf('somethingNew')).toBe('administer');
    expect(needOf('getServerPage', 'somethingNew')).toBe('administer');
  });

  test('covers every route of the server: operations, the page, the pages of model servers', async () => {
    const config = readConfig({ REDIS_URL: redis.url, MODELS_DIR: '/nonexistent', TZ: 'Europe/Berlin' });
    const { app, close } = wireApi(config, createLog({ level: 'silent', process: 'api' }));
    const registered: RouteOptions[] = [];
    // Other code adds to a route after this, so it is read at the end.
    app.addHook('onRoute', (route) => {
      registered.push(route);
    });

    await app.ready();
    await app.close();
    close();
    const routes = registered.map(({ url, config: told }) => ({ url, need: told?.need }));

    // The answer to a preflight, which a browser sends without a token.
    expect(routes.filter(({ need }) => need === undefined)).toEqual([{ url: '*', need: undefined }]);
    expect(routes.flatMap(({ url, need }) => (need === 'open' ? [url] : [])).toSorted()).toEqual([
      ...twice(
        '/',
        '/assets/:name',
        '/favicon.ico',
        '/health',
        '/hearth-ca.crt',
        '/icon-192.png',
        '/icon-512.png',
        '/icon-filled.png',
      ),
      '/joinings',
      ...twice('/joinings/:id', '/joinings/:id/speech'),
      ...twice('/manifest.webmanifest', '/offline.css', '/offline.html', '/offline.js'),
      '/pair',
      ...twice('/phone', '/phone.json', '/reachable', '/service-worker.js'),
    ]);
    expect(routes.filter(({ url }) => url.includes('/proxy')).map(({ need }) => need)).toEqual([
      'look',
      'look',
    ]);
    expect(routes.length).toBeGreaterThan(documented.length);
  });
});

describe.each(scopes)('a token that may %s', (scope) => {
  test.each(documented)('has access to $id only if that is enough', async (operation) => {
    const outcome = await outcomeOf(...tryOf(operation, scope));

    expect(outcome).toBe(isEnough(scope, needOf(operation.id)) ? 'let in' : 'refused');
  });

  test.each([
    ['/nothing', {}],
    ['/%zz', {}],
    ['/ask', { method: 'DELETE' }],
    ['/admin', {}],
    ['/admin/servers/llm/proxy/completion', { method: 'POST', body: {} }],
    ['/assets', {}],
  ] satisfies [string, CallOptions][])(
    '%s %o is for tokens that may administer, or read pages',
    async (path, options) => {
      const headers = { authorization: `Bearer ${tokens.get(scope)}` };
      const need = path.includes('/proxy/') ? 'look' : 'administer';

      expect(await outcomeOf(path, { ...options, headers })).toBe(covers(scope, need) ? 'let in' : 'refused');
    },
  );

  test('learns what a missing address of OpenAI is replaced by', async () => {
    const headers = { authorization: `Bearer ${tokens.get(scope)}` };
    const { status, body } = await api.call('/v1/completions', { headers, body: { prompt: 'x' } });

    if (!covers(scope, 'talk')) return expect(status).toBe(403);
    expect(status).toBe(404);
    expect(errorSchema.parse(body).error.message).toContain('/v1/chat/completions');
  });

  test('reads with HEAD no more than with GET', async () => {
    const statuses = new Map<string, number>();
    for (const operation of documented.filter(({ method }) => method === 'GET')) {
      const url = `${api.address}${namedPath(operation)}?token=${tokens.get(scope)}`;
      statuses.set(operation.id, (await fetch(url, { method: 'HEAD' })).status);
    }

    const refused = [...statuses].flatMap(([id, status]) => (status === 403 ? [id] : []));
    const small = documented.filter(({ id, method }) => method === 'GET' && !isEnough(scope, needOf(id)));
    expect(refused).toEqual(small.map(({ id }) => id));
  });
});

test('a token that may only talk is refused everything except this', async () => {
  const told: string[] = [];
  for (const operation of documented) {
    if ((await outcomeOf(...tryOf(operation, 'talk'))) === 'let in') told.push(operation.id);
  }

  expect(told.toSorted()).toEqual([
    'announce',
    'ask',
    'askToJoin',
    'cancelTimer',
    'changeTimer',
    'createChatCompletion',
    'createResponse',
    'createSpeech',
    'createTranscription',
    'createTranslation',
    'findUndoable',
    'getContract',
    'getHealth',
    'getJoining',
    'getJoiningSpeech',
    'getModel',
    'getSatelliteWords',
    'getWakeWords',
    'listModels',
    'listSentences',
    'listTimers',
    'listVoices',
    'listen',
    'pair',
    'realtime',
    'restoreTimer',
    'setTimer',
    'voice',
  ]);
});
