import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../api/src/config.ts';
import { homeAddresses } from '../../api/src/tls/machine-names.ts';
import { askAccess, isOpenedByPage, servicesOf } from '../../api/src/wiring/nearby.ts';
import { createCaller } from '../support/clients/caller.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { freePort } from '../support/servers/free-port.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const homeAddress = homeAddresses()[0] ?? '';
const networkSchema = z.object({
  is_open: z.boolean(),
  set_by: z.string(),
  url: z.string().nullable(),
  reverts_at: z.iso.datetime().nullable(),
});
const messageSchema = z.object({ error: z.object({ message: z.string() }) });
const network = '/admin/network';
const confirmation = `${network}/confirmation`;

describe.skipIf(homeAddress === '')('access from the home network (needs an address in a network)', () => {
  let redis: OwnRedis;
  let store: Redis;
  let folder: string;
  let httpsPort: number;
  let api: RunningApi;

  beforeAll(async () => {
    redis = await startRedis();
    store = await connectTo(redis.url);
    folder = mkdtempSync(join(tmpdir(), 'hearth-network-'));
    httpsPort = await freePort();
  });
  beforeEach(async () => {
    api = await start();
  });
  afterEach(async () => {
    await api.stop();
    await store.flushall();
  });
  afterAll(async () => {
    store?.disconnect();
    await redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (env: Record<string, string> = {}) =>
    startApi({
      redisUrl: redis.url,
      env: { HTTPS_DIR: folder, HTTPS_PORT: String(httpsPort), MACHINE_NAMES: homeAddress, ...env },
      limits: { networkIntervalMs: 50 },
    });
  const stateOf = async (at: Pick<RunningApi, 'call'>, headers: Record<string, string> = {}) =>
    networkSchema.parse((await at.call(network, { headers })).body);
  const change = (isOpen: boolean, at: Pick<RunningApi, 'call'> = api, headers = {}) =>
    at.call(network, { method: 'PATCH', body: { is_open: isOpen }, headers });

  /** A device at home: it comes from another address than this machine's own. */
  const fromHome = async <T>(use: (device: ReturnType<typeof createCaller>) => Promise<T>): Promise<T> => {
    const device = createCaller(`http://${homeAddress}:${api.port}`);
    try {
      return await use(device);
    } finally {
      await device.close();
    }
  };
  /** The answer to a phone's first question, which needs no token. Null: it cannot connect. */
  const phoneFacts = (): Promise<unknown> =>
    fetch(`http://${homeAddress}:${api.port}/phone.json`, { headers: { connection: 'close' } }).then(
      (answer) => answer.json(),
      () => null,
    );
  const reaches = async (): Promise<boolean> => (await phoneFacts()) !== null;
  /** Pairs a device, as its page does. Returns its headers. */
  const paired = async (scope: string) => {
    const { body } = await api.call('/admin/pairings', { body: { scope } });
    const { code } = z.object({ code: z.string() }).parse(body);
    const made = await fromHome(({ call }) => call('/pair', { body: { code, name: 'phone' } }));
    return { authorization: `Bearer ${z.object({ token: z.string() }).parse(made.body).token}` };
  };

  test('begins closed', async () => {
    expect(await stateOf(api)).toEqual({ is_open: false, set_by: 'page', url: null, reverts_at: null });
    expect(await reaches()).toBe(false);
  });

  test('opens at once with https, and a phone is paired through it', async () => {
    const opened = await change(true);

    expect(opened).toMatchObject({
      status: 200,
      body: { is_open: true, url: `https://${homeAddress}:${httpsPort}`, reverts_at: null },
    });
    expect(await phoneFacts()).toEqual({ is_open: true, https_port: httpsPort, has_certificate: true });
    const refused = await fromHome(({ call }) => call(network));
    expect(refused.status).toBe(401);
    const headers = await paired('look');
    expect(await fromHome((device) => stateOf(device, headers))).toMatchObject({ is_open: true });
    expect((await api.call(network)).status).toBe(200);
  });

  test('opens when make phone may open it, which then shows a code', async () => {
    expect(await phoneCommand(api.port)).toEqual({ code: 3, out: '' });
    expect(await stateOf(api)).toMatchObject({ is_open: false });

    const shown = await phoneCommand(api.port, { PHONE: '1' });

    expect(shown.code).toBe(0);
    expect(shown.out).toContain(`open http://${homeAddress}:${api.port}/phone#`);
    expect(await stateOf(api)).toMatchObject({ is_open: true });
    expect((await phoneCommand(api.port)).code).toBe(0);
  });

  test('is announced as hearth.local from the moment the page opens it', async () => {
    const config = readConfig({ TZ: 'UTC', PORT: String(api.port) });
    const announced = async () => servicesOf(config, 'box', (await askAccess(config)) ?? undefined).list;

    expect(isOpenedByPage(config)).toBe(true);
    expect(await announced()).toEqual([]);

    await change(true);

    expect(await announced()).toEqual([
      {
        type: 'hearth',
        hostname: 'hearth',
        port: api.port,
        txt: { path: '/', https_port: String(httpsPort) },
      },
    ]);
    await change(false);
    expect(await announced()).toEqual([]);
  });

  test('stays open after a restart', async () => {
    await change(true);
    await api.stop();
    api = await start();

    await waitFor(reaches);
  });

  test('closes for good when this machine asks', async () => {
    await change(true);

    expect(networkSchema.parse((await change(false)).body)).toMatchObject({
      is_open: false,
      reverts_at: null,
    });
    await waitFor(async () => !(await reaches()));
  });

  test('reverts when the device that closed it does not confirm', async () => {
    await change(true);
    const headers = await paired('administer');

    const { body } = await fromHome((device) => change(false, device, headers));

    expect(networkSchema.parse(body).reverts_at).not.toBeNull();
    await waitFor(async () => !(await reaches()));
    const key = 'hearth:network';
    expect(await store.get(key)).toContain('"isOpen":false');
    await store.set(key, JSON.stringify({ isOpen: false, revertsAtMs: 1 }));
    await store.publish('hearth:network-news', '');
    await waitFor(reaches);
    expect(await stateOf(api)).toMatchObject({ is_open: true, reverts_at: null });
  });

  test('stays closed when this machine confirms', async () => {
    await change(true);
    const headers = await paired('administer');
    await fromHome((device) => change(false, device, headers));

    const { body } = await api.call(confirmation, { method: 'POST' });

    expect(body).toMatchObject({ is_open: false, reverts_at: null });
    expect(await stateOf(api)).toMatchObject({ is_open: false, reverts_at: null });
  });

  test('stays closed when a port is taken, and the answer names the port', async () => {
    const other = await occupy(httpsPort);
    const { status, body } = await change(true);
    await new Promise((resolve) => other.close(resolve));

    expect(status).toBe(409);
    expect(messageSchema.parse(body).error.message).toContain(`Port ${httpsPort} is taken`);
    expect(await stateOf(api)).toMatchObject({ is_open: false });
    expect(await reaches()).toBe(false);
  });

  test.each([
    ['settings', { HOST: '0.0.0.0' }, 'HOST in .env'],
    ['containers', { HOST: '0.0.0.0', LISTEN_ADDRESS: '127.0.0.1' }, 'make phone'],
  ])('is not changed here when it is set by %s', async (setBy, env, words) => {
    const other = await start(env);
    const { status, body } = await change(true, other);

    expect(status).toBe(409);
    expect(messageSchema.parse(body).error.message).toContain(words);
    expect(await stateOf(other)).toMatchObject({ is_open: false, set_by: setBy });
    await other.stop();
  });
});

const phoneProgram = fileURLToPath(new URL('../../api/src/cli/phone.ts', import.meta.url));

/** Runs the program of make phone. */
function phoneCommand(
  port: number,
  env: Record<string, string> = {},
): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const own = { PATH: process.env['PATH'], PORT: String(port), ...env };
    const command = execFile(process.execPath, [phoneProgram], { env: own }, (_error, out) =>
      resolve({ code: command.exitCode ?? -1, out }),
    );
  });
}

function occupy(port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(port, '0.0.0.0', () => resolve(server));
  });
}
