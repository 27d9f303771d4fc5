/** @module-tag slow */
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { errorOf, replyOf } from '../support/clients/caller.ts';
import { hangs } from '../support/fakes/fake-llm.ts';
import { neverSpeaks } from '../support/fakes/fake-piper.ts';
import { isReady, type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type RunningProcess, startProcess } from '../support/servers/processes.ts';
import { type RedisProxy, startRedisProxy } from '../support/servers/redis-proxy.ts';
import { recordingOf, spokenAnswerOf, startVoiceEngines } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const sound = Buffer.from(recordingOf('sound'));

let house: Awaited<ReturnType<typeof startVoiceEngines>>;
let proxy: RedisProxy;
let api: RunningApi;
/** Workers that have not died. The next test needs some too. */
const alive = new Set<RunningProcess>();
/** Those behind the proxy, which are useless after their test. */
const doomed: RunningProcess[] = [];

beforeAll(async () => {
  house = await startVoiceEngines({ slots: 1 });
  proxy = await startRedisProxy(house.urls.redisUrl);
  api = await startApi(house.urls);
});
beforeEach(() => house.forget());
afterEach(async () => {
  await Promise.all(doomed.splice(0).map(({ end }) => end('SIGKILL')));
  for (const each of alive) goOn(each);
});
afterAll(async () => {
  await Promise.all([...alive].map(({ end }) => end('SIGKILL')));
  await api?.stop();
  await proxy?.stop();
  await house?.stop();
});

async function startWorker(redisUrl = house.urls.redisUrl): Promise<RunningProcess> {
  const { llmUrl, sttUrl, ttsUrl } = house.urls;
  const env = { REDIS_URL: redisUrl, LLM_URL: llmUrl, STT_URL: sttUrl, TTS_URL: ttsUrl };
  const worker = await startProcess('worker', env);
  if (redisUrl === proxy.url) doomed.push(worker);
  else {
    alive.add(worker);
    void worker.exit.then(() => alive.delete(worker));
  }
  const knows = (engine: string) => worker.output().includes(`"engine":"${engine}","state":"ready"`);
  await waitFor(() => ['llm', 'stt', 'tts'].every(knows), { what: 'a worker that is ready' });
  return worker;
}
const stop = (worker: RunningProcess) => worker.child.kill('SIGSTOP');
const goOn = (worker: RunningProcess) => worker.child.kill('SIGCONT');

/**
 * A worker that can be stopped between two of its commands, and others that are idle until they are needed.
 */
async function startWorkers(others = 1) {
  const missing = Array.from({ length: others - alive.size }, () => startWorker());
  const [doomed] = await Promise.all([startWorker(proxy.url), ...missing]);
  await isReady(api, others + 1);
  for (const each of alive) stop(each);
  return { doomed, spare: [...alive].slice(0, others) };
}
/** The model is busy: the next question waits in its queue until it is free. */
async function occupyModel() {
  const redis = new Redis(house.urls.redisUrl);
  onTestFinished(() => redis.disconnect());
  await redis.lpush('hearth:think:active', 'other');
  await redis.set('hearth:think:other:lock', 'other', 'EX', 120);
  const waits = async () => (await redis.zcard('hearth:think:prioritized')) > 0;
  const end = async () => {
    await redis.multi().lrem('hearth:think:active', 1, 'other').del('hearth:think:other:lock').exec();
    await redis.zadd('hearth:think:marker', 0, '0');
  };
  return {
    end,
    isAwaited: () => waitFor(waits, { what: 'a question that waits for the model' }),
  };
}
/** Kills a worker and returns the answer to the question it had. */
async function killed<T>(worker: RunningProcess, pending: Promise<T>): Promise<T> {
  await worker.end('SIGKILL');
  return pending;
}

test.each([
  ['has taken a question and not begun with it', /"stage":"respond"/, false],
  ['is about to ask the model', /"stage":"think"/, true],
])('a worker that %s dies: another answers, once', async (_when, begins, isBusy) => {
  const { doomed, spare } = await startWorkers();
  const model = isBusy ? await occupyModel() : null;
  const fromTheStart = model ? null : proxy.holdBack(begins);
  const pending = api.ask('What is the capital of France?');
  await model?.isAwaited();
  const isTaken = fromTheStart ?? proxy.holdBack(begins);
  await model?.end();
  await isTaken;
  stop(doomed);
  spare.map(goOn);

  const answer = await killed(doomed, pending);

  expect(replyOf(answer)).toBe('Yes.');
  expect(house.llm.calls).toHaveLength(1);
});

test('a worker dies between two stages: its caller gets an error', async () => {
  const { doomed, spare } = await startWorkers();
  const model = await occupyModel();
  const isHandedOn = proxy.holdBack(/hearth:think:id\r\n/);
  const pending = api.ask('What is the capital of France?');
  await isHandedOn;
  stop(doomed);
  spare.map(goOn);

  const answer = await killed(doomed, pending);

  expect(errorOf(answer)).toEqual({ status: 503, code: 'worker_unavailable' });
  await model.end();
});

test('a worker dies just before it passes a turn to the model: its caller gets an error', async () => {
  const { doomed, spare } = await startWorkers();
  const isTaken = proxy.holdBack(/"stage":"think"/);
  const pending = api.ask('What is the capital of France?');
  await isTaken;
  stop(doomed);
  spare.map(goOn);

  const answer = await killed(doomed, pending);

  expect(errorOf(answer)).toEqual({ status: 503, code: 'worker_unavailable' });
  expect(replyOf(await api.ask('What is the capital of Spain?'))).toBe('Yes.');
});

test('a worker dies while the model writes: its caller gets an error, and the next one its place', async () => {
  house.llm.answers(({ question }) => (question === 'Doomed?' ? hangs : 'Yes.'));
  const { doomed, spare } = await startWorkers();
  const pending = api.ask('Doomed?');
  await waitFor(() => house.llm.busy === 1, { what: 'the model writes' });
  // Before the next question, so that the dying worker cannot take it.
  await doomed.end('SIGKILL');
  spare.map(goOn);

  const [first, second] = await Promise.all([pending, api.ask('Is Mars cold?')]);

  expect(errorOf(first)).toEqual({ status: 503, code: 'worker_unavailable' });
  expect(replyOf(second)).toBe('Yes.');
  expect(house.llm.callsFor('Doomed?')).toHaveLength(1);
});

/** Sets a timer at a worker that falls silent at this command and resumes once its caller has the answer. */
async function settingAtSilent(command: RegExp) {
  const { doomed, spare } = await startWorkers();
  const isHeld = proxy.holdBack(command);
  const pending = api.ask('Set a timer for five minutes.');
  await isHeld;
  stop(doomed);
  const answer = await pending;
  goOn(doomed);
  proxy.release();
  await waitFor(() => /"stage":"respond".*"not answered"/.test(doomed.output()), { what: 'the turn ends' });
  spare.map(goOn);
  return { answer, timers: (await api.call('/admin/timers')).body };
}

// A connection sends a script in full the first time.
test('a worker that was silent for too long sets no timer after its caller got an error', async () => {
  const { answer, timers } = await settingAtSilent(/'acts', '1'/);

  expect(errorOf(answer)).toEqual({ status: 503, code: 'worker_unavailable' });
  expect(timers).toEqual({ timers: [] });
});

test('the caller learns that the outcome is unknown if a worker falls silent while it acts', async () => {
  const { answer, timers } = await settingAtSilent(/"kind":"timer"/);

  expect(errorOf(answer)).toEqual({ status: 504, code: 'outcome_unknown' });
  expect(answer.headers['x-should-retry']).toBe('false');
  expect(timers).toMatchObject({ timers: [{ kind: 'timer' }] });
});

test('a sentence on which two workers died comes without sound', async () => {
  house.llm.answers(() => 'This kills everyone.');
  house.piper.speaks((call) => (call.text.includes('kills') ? neverSpeaks(call) : sound));
  const said = () => house.piper.spoken.filter(({ text }) => text.includes('kills')).length;
  const { doomed, spare } = await startWorkers(2);
  const [second, third] = spare;
  if (!second || !third) throw new Error('two others are started');
  const pending = api.voice(recordingOf('Who is it?'));
  await waitFor(() => said() === 1, { what: 'the first says it' });
  goOn(second);
  await doomed.end('SIGKILL');
  await waitFor(() => said() === 2, { what: 'the second says it' });
  goOn(third);

  const answer = await killed(second, pending);

  expect(spokenAnswerOf(answer)).toMatchObject({ reply: 'This kills everyone.', sound: null });
});

test('a question on which two workers died fails', async () => {
  const { doomed, spare } = await startWorkers();
  const second = await startWorker(proxy.url);
  const takenTwice = [proxy.holdBack(/"stage":"respond"/)];
  stop(second);
  const pending = api.ask('Who kills everyone?');
  await takenTwice[0];
  stop(doomed);
  takenTwice.push(proxy.holdBack(/"stage":"respond"/));
  goOn(second);
  await doomed.end('SIGKILL');
  await takenTwice[1];
  stop(second);
  spare.map(goOn);

  const answer = await killed(second, pending);

  expect(errorOf(answer)).toEqual({ status: 503, code: 'worker_unavailable' });
});
