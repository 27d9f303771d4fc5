/** @module-tag slow */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, createCaller } from '../support/clients/caller.ts';
import { enterRoom, voiceOf } from '../support/clients/room.ts';
import { saysAfter } from '../support/fakes/fake-llm.ts';
import { isReady } from '../support/servers/assistant.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type RunningProcess, startProcess } from '../support/servers/processes.ts';
import { startVoiceEngines } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let engines: Awaited<ReturnType<typeof startVoiceEngines>>;
let programs: RunningProcess[];
let caller: Caller;
let address: string;

beforeAll(async () => {
  engines = await startVoiceEngines();
  engines.piper.speaks(voiceOf);
  const port = await freePort();
  const { redis, llm, stt, piper } = engines;
  const urls = { REDIS_URL: redis.url, LLM_URL: llm.url, STT_URL: stt.url, TTS_URL: piper.url };
  const env = { ...urls, PORT: String(port), LOG_LEVEL: 'debug' };
  programs = await Promise.all([startProcess('server', env), startProcess('worker', env)]);
  address = `http://127.0.0.1:${port}`;
  caller = createCaller(address);
  await isReady(caller);
});
afterAll(async () => {
  for (const { child } of programs ?? []) child.kill('SIGKILL');
  await caller?.close();
  await engines?.stop();
});

test('the api finishes a spoken answer before it restarts', {
  timeout: 60_000,
}, async () => {
  engines.stt.hears('Why is the sky blue?');
  engines.llm.answers(() =>
    saysAfter(500, 'Because air scatters the blue light of the sun more than the red.'),
  );
  const busy = await enterRoom(address, { client: 'busy', room: 'kitchen' });
  const idle = await enterRoom(address, { client: 'idle', room: 'bath' });
  void busy.say('weather');
  await waitFor(() => engines.llm.calls.length > 0, { what: 'the answer is under way' });

  await caller.call('/admin/restart', { body: { what: 'api' } });
  const { done } = await busy.exchange();
  const codes = await Promise.all([busy.closed, idle.closed]);

  expect(done).toMatchObject({ status: 'completed', reply: expect.stringContaining('blue light') });
  expect(codes.map(({ code }) => code)).toEqual([1001, 1001]);
  expect(await programs[0]?.exit).toBe(0);
});
