import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type FakePiper, startFakePiper } from '../support/fakes/fake-piper.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let folder: string;
let redis: OwnRedis;
let llm: FakeLlm;
let piper: FakePiper;
let relays: Server[];
let house: Assistant;

/** A Unix socket in place of an engine's port. */
async function socketBefore(url: string, path: string): Promise<Server> {
  const relay = createServer((caller) => {
    const engine = connect(Number(new URL(url).port), '127.0.0.1');
    for (const end of [caller, engine]) end.on('error', () => [caller, engine].map((each) => each.destroy()));
    caller.pipe(engine).pipe(caller);
  }).listen(path);
  await once(relay, 'listening');
  return relay;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sockets-'));
  [redis, llm, piper] = await Promise.all([startRedis(), startFakeLlm(), startFakePiper()]);
  const sockets = { llm: join(folder, 'llm.sock'), tts: join(folder, 'tts.sock') };
  relays = await Promise.all([socketBefore(llm.url, sockets.llm), socketBefore(piper.url, sockets.tts)]);
  house = await startAssistant({
    redisUrl: redis.url,
    llmUrl: 'http://llm.localhost',
    ttsUrl: 'http://tts.localhost',
    env: { LLM_SOCKET: sockets.llm, TTS_SOCKET: sockets.tts },
  });
});
afterAll(async () => {
  await house?.stop();
  for (const relay of relays ?? []) relay.close();
  llm?.stop();
  piper?.stop();
  await redis?.stop();
  await rm(folder, { recursive: true });
});

describe('engines on Unix sockets', () => {
  test('answer like those on ports', async () => {
    llm.answers(() => 'Paris.');

    const { status, text } = await house.call('/ask', { body: { text: 'What is the capital of France?' } });

    expect([status, text]).toEqual([200, expect.stringContaining('Paris.')]);
  });

  test('show their own pages, each its own', async () => {
    const pages = ['llm/proxy/v1/models', 'tts/proxy/voices'];
    const seen = await Promise.all(pages.map((page) => house.call(`/admin/servers/${page}`)));

    expect(seen.map(({ status }) => status)).toEqual([200, 200]);
    expect(seen[0]?.text).toContain('"data"');
    expect(seen[1]?.text).not.toContain('"data"');
  });
});
