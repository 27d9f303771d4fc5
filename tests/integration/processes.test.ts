/** @module-tag slow */
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCaller, replyOf } from '../support/clients/caller.ts';
import { type FakeLlm, saysAfter, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { isReady } from '../support/servers/assistant.ts';
import { freePort } from '../support/servers/free-port.ts';
import { listenOnFreePort } from '../support/servers/listen.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { type RunningProcess, startProcess } from '../support/servers/processes.ts';
import { waitFor } from '../support/wait-for.ts';

const token = 'Correct-Horse-Battery-Staple-1234567890';

let redis: OwnRedis;
let llm: FakeLlm;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
});
afterAll(async () => {
  await llm?.stop();
  await redis?.stop();
});

async function startBoth(env: Record<string, string> = {}) {
  const port = await freePort();
  const shared = { REDIS_URL: redis.url, LLM_URL: llm.url, PORT: String(port), LOG_LEVEL: 'trace', ...env };
  const [server, worker] = await Promise.all([
    startProcess('server', shared),
    startProcess('worker', shared),
  ]);
  const caller = createCaller(`http://127.0.0.1:${port}`);
  await isReady(caller);
  return { server, worker, caller, port };
}

describe('the two processes', () => {
  let both: {
    server: RunningProcess;
    worker: RunningProcess;
    caller: ReturnType<typeof createCaller>;
    port: number;
  };
  beforeAll(async () => {
    both = await startBoth({ SERVICE_TOKEN: token, LLM_API_KEY: 'sk-engine-key-that-is-secret' });
  });
  afterAll(async () => {
    both?.server.child.kill('SIGKILL');
    both?.worker.child.kill('SIGKILL');
    await both?.caller.close();
  });

  test('log neither a token nor a spoken word', async () => {
    const { caller, server, worker } = both;
    const bearer = { authorization: `Bearer ${token}` };
    llm.answers(() => 'Nobody must read this answer.');

    await caller.ask('Nobody must read this question?', { client: 'Secret-Name' }, { headers: bearer });
    await caller.call(`/ask?token=${token}`, { body: { text: 'Nobody must read this either?' } });
    await caller.call(`/nothing?token=${token}&secret=1`);
    await caller.call(`/%zz?token=${token}`);
    await caller.call(`/ask?token=${token}`, { method: 'DELETE' });
    await caller.call(`/ask?token=${token}`, { body: '{broken' });
    await caller.call('/ask?token=Wrong-Token-1', {
      headers: { authorization: 'Bearer Wrong-Token-2' },
      body: {},
    });
    const { headers } = await caller.call(`/openapi.json?token=${token}`);
    await waitFor(() => server.output().includes(String(headers['x-request-id'])), { what: 'it is logged' });

    const logged = server.output() + worker.output();
    expect(logged).not.toMatch(/Correct-Horse|Wrong-Token|sk-engine-key|Nobody must|Secret-Name|secret=1/);
    expect(logged).toContain('"path":"/ask"');
  });

  test('send the engine its own key and never the token', async () => {
    llm.calls.length = 0;

    await both.caller.call(`/ask?token=${token}`, { body: { text: 'Hello?' } });

    expect(llm.calls[0]?.headers.authorization).toBe('Bearer sk-engine-key-that-is-secret');
    expect(JSON.stringify(llm.calls[0])).not.toContain('Correct-Horse');
  });

  test('end on SIGTERM with the question answered', async () => {
    const { caller, server, worker } = both;
    llm.answers(() => saysAfter(700, 'It is blue.'));
    const pending = caller.call(`/ask?token=${token}`, { body: { text: 'Before you go?' } });
    await waitFor(() => llm.busy === 1);

    const codes = await Promise.all([server.end('SIGTERM'), worker.end('SIGTERM')]);

    expect(replyOf(await pending)).toBe('It is blue.');
    expect(codes).toEqual([0, 0]);
  });
});

test('an api that listens has reached Redis, even after a slow connection', async () => {
  const slow = createServer((socket) => {
    const onward = connect(Number(new URL(redis.url).port), '127.0.0.1');
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    setTimeout(() => socket.pipe(onward).pipe(socket), 400);
  });
  const port = await freePort();
  const REDIS_URL = (await listenOnFreePort(slow)).replace('http', 'redis');
  const server = await startProcess('server', { REDIS_URL, LLM_URL: llm.url, PORT: String(port) });
  const caller = createCaller(`http://127.0.0.1:${port}`);

  const { redis: first } = await waitFor(() => caller.health());

  expect(first.state).toBe('ready');
  await caller.close();
  await server.end('SIGKILL');
  slow.close();
});

describe('an impossible start', () => {
  test('ends with a sentence that names the variable', async () => {
    const started = await startProcess('server', { PORT: 'eighty' });

    expect(await started.exit).toBe(1);
    expect(started.output()).toBe('PORT must be a port number from 1 to 65535, but is "eighty".\n');
  });

  test('of a worker ends the same way', async () => {
    const started = await startProcess('worker', { LLM_URL: 'llm:8080' });

    expect(await started.exit).toBe(1);
    expect(started.output()).toMatch(/^LLM_URL must be "off" or a comma-separated list of addresses/);
  });

  test.each(['203.0.113.5', 'no-such-host.invalid'])('names HOST when it is %s', async (host) => {
    const port = String(await freePort());
    const started = await startProcess('server', { HOST: host, PORT: port, REDIS_URL: redis.url });

    expect(await started.exit).toBe(1);
    expect(started.output()).toContain(
      `HOST must be an address of this machine, like 127.0.0.1 or 0.0.0.0, but is "${host}".\n`,
    );
  });

  test('reports that the port is taken', async () => {
    const port = Number(new URL(llm.url).port);
    const started = await startProcess('server', {
      PORT: String(port),
      LOG_LEVEL: 'silent',
      REDIS_URL: redis.url,
    });

    expect(await started.exit).toBe(1);
    expect(started.output()).toBe(
      `Port ${port} is taken by another program. Stop it, or choose another port with PORT.\n`,
    );
  });
});
