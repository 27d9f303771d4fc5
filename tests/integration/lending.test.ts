/** @module-tag slow */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorOf, replyOf } from '../support/clients/caller.ts';
import { hangs, says, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type Machine, runCli, startMachine } from '../support/servers/lending-machine.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
beforeAll(async () => {
  redis = await startRedis();
});
// Each test has its own household, so that its machine gets the same name.
beforeEach(() => redis.flush());
afterAll(() => redis?.stop());

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

const owner = 'the-owner-of-this-house-knows-it';
const asOwner = { headers: { authorization: `Bearer ${owner}` } };
const daySchema = z.object({
  turns: z.array(z.object({ ran_on: z.array(z.object({ machine: z.string().nullable() })) })),
});
const householdSchema = z.object({ name: z.string(), token: z.string() });
const serverSchema = z.object({
  replicas: z.array(
    z.object({ machine: z.string().nullable(), state: z.string(), pace_ms: z.number().nullable() }),
  ),
});

/** A household with a slow model. Its data folder is new, and so is its certificate. */
async function startHouse() {
  const folder = mkdtempSync(join(tmpdir(), 'house-'));
  const slow = await startFakeLlm({ paceMs: 100, answers: () => 'The small one.' });
  running.push(slow.stop);
  const house = await startAssistant({
    redisUrl: redis.url,
    llmUrl: slow.url,
    sttUrl: 'off',
    ttsUrl: 'off',
    env: {
      ...{ LENT_DIR: folder, DATA_DIR: folder, HTTPS: '1', SERVICE_TOKEN: owner, HOST: '0.0.0.0' },
      ...{ MACHINE_NAMES: '127.0.0.1,house.local', HTTPS_PORT: String(await freePort()) },
    },
  });
  running.push(house.stop);
  return { house, slow };
}

/** The code that `make invite` shows. */
async function inviteFrom({ port }: Assistant): Promise<string> {
  const { text } = await runCli('phone', {
    ...{
      SCOPE: 'lend',
      PHONE_NAME: 'desktop',
      PORT: String(port),
      SERVICE_TOKEN: owner,
      ADDRESS: '127.0.0.1',
    },
  });
  return /make join CODE=(\S+)/.exec(text)?.[1] ?? text;
}

async function joinBy(...how: Parameters<typeof startMachine>): Promise<Machine> {
  const machine = await startMachine(...how);
  running.push(machine.stop);
  return machine;
}

const replicasOf = async ({ call }: Assistant) =>
  serverSchema.parse((await call('/admin/servers/llm', asOwner)).body).replicas;
const lentOf = async (house: Assistant) => (await replicasOf(house)).find(({ machine }) => machine !== null);
/** Ready, and both are measured: one without a speed comes first. */
const isPreferred = async (house: Assistant) => {
  const replicas = await replicasOf(house);
  return replicas.length === 2 && replicas.every((each) => each.state === 'ready' && each.pace_ms !== null);
};
const ask = async (house: Assistant, client = 'anna') =>
  replyOf(await house.ask('Why is the sky blue?', { client }, asOwner));

const machinesSchema = z.object({
  machines: z.array(
    z.looseObject({
      name: z.string().nullable(),
      draining: z.boolean(),
      connected_since: z.string().nullable(),
      engines: z.array(
        z.object({ engine: z.string(), model: z.string().nullable(), usual_ms: z.number().nullable() }),
      ),
    }),
  ),
});
const desktopOf = async ({ call }: Assistant) =>
  machinesSchema
    .parse((await call('/admin/machines', asOwner)).body)
    .machines.find(({ name }) => name === 'desktop');

/** The machines whose model answered the last turns, newest first. */
async function machinesOf({ call }: Assistant, count: number) {
  const { turns } = await waitFor(async () => {
    const day = daySchema.parse((await call('/admin/turns', asOwner)).body);
    return day.turns.length >= count && day;
  });
  return turns.slice(0, count).map(({ ran_on: ranOn }) => ranOn[0]?.machine);
}

/** A household that a strong machine has joined. */
async function startBoth() {
  const { house, slow } = await startHouse();
  const machine = await joinBy(await inviteFrom(house));
  await waitFor(() => isPreferred(house), { withinMs: 30_000 });
  return { house, slow, machine };
}

describe('a strong machine that has joined', () => {
  test('answers, and the small one does at once when it has died', async () => {
    const { house, slow, machine } = await startBoth();
    expect(await ask(house)).toBe('The strong one.');

    machine.lender.kill('SIGKILL');
    expect(await ask(house)).toBe('The small one.');
    await waitFor(async () => (await lentOf(house)) === undefined);
    expect(await ask(house)).toBe('The small one.');

    machine.lend();
    await waitFor(() => isPreferred(house), { withinMs: 30_000 });
    expect(await ask(house)).toBe('The strong one.');
    expect(await machinesOf(house, 4)).toEqual(['desktop', null, null, 'desktop']);
    expect([machine.llm.calls.length, slow.calls.length]).toEqual([2, 2]);
  });

  test.each(['SIGKILL', 'SIGSTOP'] as const)('costs a question one more try after %s', async (signal) => {
    const { house, slow, machine } = await startBoth();
    machine.llm.answers(() => hangs);

    const answer = ask(house);
    await waitFor(() => machine.llm.busy > 0);
    machine.lender.kill(signal);

    expect(await answer).toBe('The small one.');
    expect([machine.llm.calls.length, slow.calls.length]).toEqual([1, 1]);
    await waitFor(() => machine.llm.left === 1 || signal === 'SIGSTOP');
  });

  test('takes over again after it slept', async () => {
    const { house, machine } = await startBoth();
    machine.lender.kill('SIGSTOP');
    expect(await ask(house)).toBe('The small one.');
    await waitFor(async () => (await lentOf(house)) === undefined);

    machine.lender.kill('SIGCONT');
    await waitFor(() => isPreferred(house), { withinMs: 30_000 });
    expect(await ask(house)).toBe('The strong one.');
  });

  test('lends by the newest of two programs, and the other one waits', async () => {
    const { house, machine } = await startBoth();

    const newer = machine.lend();

    await waitFor(() => machine.output().includes('This one tries again in a minute.'));
    await waitFor(() => newer.output().includes('Lends llm'));
    await waitFor(async () => (await ask(house)) === 'The strong one.', { withinMs: 30_000 });
  });

  test('gets no new questions while it drains, also after it connects again', async () => {
    const { house, machine } = await startBoth();
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    machine.llm.answers(() => async (wire, call) => {
      begun.resolve();
      await gate.promise;
      await says('The strong one, to the end.')(wire, call);
    });
    const drain = (draining: boolean) =>
      house.call('/admin/machines/desktop', { ...asOwner, method: 'PATCH', body: { draining } });

    const running = ask(house);
    await begun.promise;
    expect((await drain(true)).body).toMatchObject({ name: 'desktop', draining: true });
    await waitFor(async () => (await lentOf(house)) === undefined);
    expect(await ask(house, 'ben')).toBe('The small one.');
    gate.resolve();
    expect(await running).toBe('The strong one, to the end.');

    machine.lender.kill('SIGKILL');
    await waitFor(async () => (await desktopOf(house))?.connected_since === null);
    machine.lend();
    await waitFor(async () => (await desktopOf(house))?.connected_since !== null);
    expect(await desktopOf(house)).toMatchObject({ draining: true, engines: [] });
    expect(await ask(house)).toBe('The small one.');

    machine.llm.answers(() => 'The strong one.');
    await drain(false);
    await waitFor(() => isPreferred(house), { withinMs: 30_000 });
    expect(await ask(house)).toBe('The strong one.');
    // The worker reports the duration with its next heartbeat.
    const isMeasured = async () => {
      const { draining, engines } = (await desktopOf(house)) ?? {};
      return draining === false && engines?.[0]?.usual_ms !== null;
    };
    await waitFor(isMeasured);
  });

  test('lends the chosen model of a server that runs there already', async () => {
    const { house } = await startHouse();
    await joinBy(await inviteFrom(house), { model: 'qwen3:8b' });
    await waitFor(() => isPreferred(house), { withinMs: 30_000 });

    expect(await ask(house)).toBe('The strong one.');
    expect((await desktopOf(house))?.engines).toMatchObject([{ engine: 'llm', model: 'qwen3:8b' }]);
  });

  test('is woken by a question that it would have answered, and gets the next ones', async () => {
    const { house, machine } = await startBoth();
    const card = createSocket('udp4').bind(0, '127.0.0.1');
    await once(card, 'listening');
    running.push(() => card.close());
    let packets = 0;
    card.on('message', () => (packets += 1));
    const change = (body: object) =>
      house.call('/admin/machines/desktop', { ...asOwner, method: 'PATCH', body });
    const wake = () => house.call('/admin/machines/desktop/wake', { ...asOwner, method: 'POST' });

    // Over loopback, a machine has no network card to tell.
    expect(errorOf(await wake())).toEqual({ status: 409, code: 'not_possible' });
    const chosen = { mac: '3C-7C-3F-AA-BB-CC', wake_address: `127.0.0.1:${card.address().port}` };
    expect((await change({ ...chosen, wake: true })).body).toMatchObject({
      ...{ draining: false, wake: true, mac: '3c:7c:3f:aa:bb:cc', wake_address: chosen.wake_address },
    });
    expect(await ask(house)).toBe('The strong one.');
    machine.lender.kill('SIGKILL');
    await waitFor(async () => (await desktopOf(house))?.connected_since === null);
    expect(packets).toBe(0);

    expect(await ask(house)).toBe('The small one.');
    await waitFor(() => packets === 1);
    expect(await ask(house)).toBe('The small one.');
    expect((await wake()).status).toBe(200);
    await waitFor(() => packets === 2);

    machine.lend();
    await waitFor(() => isPreferred(house), { withinMs: 30_000 });
    expect(await ask(house)).toBe('The strong one.');
    expect(await desktopOf(house)).toMatchObject({ wake: true, mac: '3c:7c:3f:aa:bb:cc' });
    expect(packets).toBe(2);
  });

  test('answers each of many questions once while it dies again and again', async () => {
    const { house, slow, machine } = await startBoth();
    machine.llm.answers((call) => says(`strong ${call.question}`, { intervalMs: 5 }));
    slow.answers((call) => says(`small ${call.question}`, { intervalMs: 5 }));
    let { lender } = machine;
    let count = 0;
    const talk = async (client: string) => {
      for (let at = 0; at < 20; at += 1) {
        const question = `Tell me about ${client} ${at}`;
        const answer = await house.ask(question, { client }, asOwner);
        expect([`strong ${question}`, `small ${question}`]).toContain(replyOf(answer));
        count += 1;
      }
    };
    const kills = async () => {
      while (count < 80) {
        await waitFor(async () => count >= 80 || (await isPreferred(house)), { withinMs: 30_000 });
        lender.kill(count % 2 === 0 ? 'SIGKILL' : 'SIGSTOP');
        lender = machine.lend().lender;
      }
    };
    await Promise.all([kills(), ...['anna', 'ben', 'kitchen', 'hall'].map(talk)]);
    expect(count).toBe(80);
  });
});

describe('a stranger', () => {
  test('lends nothing: without a key, with one of another scope, with a used code', async () => {
    const { house } = await startHouse();
    const made = await inviteFrom(house);
    const { file } = await joinBy(made);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const again = join(mkdtempSync(join(tmpdir(), 'stranger-')), 'household.json');
    const second = await runCli('join', { CODE: made, HOUSEHOLD_FILE: again });
    expect(second).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('This link has been used already'),
    });
    expect(existsSync(again)).toBe(false);

    const elsewhere = made.replace(/\/[0-9a-f]{32}\//, `/${'0'.repeat(32)}/`);
    const other = await runCli('join', { CODE: elsewhere, HOUSEHOLD_FILE: again });
    expect(other).toMatchObject({ exitCode: 1, text: expect.stringContaining('is not the Hearth') });

    const path = '/machines/lend?engines=llm';
    expect(errorOf(await house.call(path))).toEqual({ status: 401, code: 'unauthorized' });
    const talks = await house.call('/admin/tokens', {
      ...asOwner,
      body: { name: 'hall', scope: 'administer' },
    });
    const { token } = z.object({ token: z.string() }).parse(talks.body);
    const asAdmin = { headers: { authorization: `Bearer ${token}` } };
    expect(errorOf(await house.call(path, asAdmin))).toEqual({ status: 403, code: 'insufficient_scope' });
  });

  test('with the key of a machine can only lend, and nothing once it is revoked', async () => {
    const { house, machine } = await startBoth();
    const { name, token } = householdSchema.parse(JSON.parse(readFileSync(machine.file, 'utf8')));
    const asMachine = { headers: { authorization: `Bearer ${token}` } };
    const tried = await house.ask('Hello?', {}, asMachine);
    expect(errorOf(tried).status).toBe(403);
    expect(errorOf(await house.call('/admin/tokens', asMachine)).status).toBe(403);

    await house.call(`/admin/tokens/${encodeURIComponent(name)}`, { ...asOwner, method: 'DELETE' });
    expect(await ask(house)).toBe('The small one.');
    await waitFor(async () => (await lentOf(house)) === undefined);
    await waitFor(() => machine.output().includes('has removed this machine'));
  });
});
