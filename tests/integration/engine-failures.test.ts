import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf, replyOf } from '../support/clients/caller.ts';
import {
  babbles,
  breaksOff,
  circles,
  dies,
  type FakeLlm,
  failsMidway,
  hangs,
  onlyPings,
  type Play,
  says,
  sends,
  stalls,
  startFakeLlm,
} from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const answerIdleMs = 500;
const turnDeadlineMs = 3_000;

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  assistant = await startAssistant({
    redisUrl: redis.url,
    llmUrl: llm.url,
    limits: { answerIdleMs, turnDeadlineMs },
  });
});
beforeEach(() => llm.answers(() => 'Fine.'));
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

const worksAgain = async () => {
  llm.answers(() => 'Fine again.');
  const reply = replyOf(await assistant.ask('And now?', { client: 'afterwards' }));
  expect(reply).toBe('Fine again.');
};
/** A silent engine gets a separate probe before the next request. */
const isTrusted = () =>
  waitFor(async () => (await assistant.ask('Now?')).status === 200, { what: 'it is asked again' });

const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;
const sse = (body: string) => sends(200, 'text/event-stream', body);
const json = (status: number, body: object) => sends(status, 'application/json', JSON.stringify(body));

/** The engine's failure and the caller's error. */
const failures: [how: string, play: Play, status: number, code: string][] = [
  ['says nothing', hangs, 504, 'llm_timeout'],
  ['falls silent midway', stalls, 504, 'llm_timeout'],
  ['reads the prompt for ever', onlyPings, 504, 'turn_timeout'],
  ['never comes to an end', babbles, 502, 'llm_bad_answer'],
  ['dies midway', dies, 503, 'llm_unavailable'],
  ['ends without an end', breaksOff, 502, 'llm_bad_answer'],
  ['fails midway', failsMidway, 502, 'llm_bad_answer'],
  ['answers with a page', sends(200, 'text/html', '<html>/models/llm.gguf</html>'), 502, 'llm_bad_answer'],
  ['answers with other JSON', json(200, { choices: [] }), 502, 'llm_bad_answer'],
  ['sends an event that is not JSON', sse('data: {"choices"\n\n'), 502, 'llm_bad_answer'],
  [
    'sends an event of another shape',
    sse('data: {"choices":[{"delta":{"content":5}}]}\n\n'),
    502,
    'llm_bad_answer',
  ],
  ['sends a line without an end', sse(`data: ${'x'.repeat(3_000_000)}`), 502, 'llm_bad_answer'],
  ['gives no words', says(''), 502, 'llm_bad_answer'],
  ['gives only white space', says(' \n\n '), 502, 'llm_bad_answer'],
  ['only thinks', says('<think>hm, hm</think>'), 502, 'llm_bad_answer'],
  ['never stops thinking', says('<think>hm, hm'), 502, 'llm_bad_answer'],
  ['answers 500', json(500, { error: { message: '/models/llm.gguf', code: 500 } }), 502, 'llm_bad_answer'],
  ['answers 404', json(404, { error: { message: 'model not found' } }), 502, 'llm_bad_answer'],
  ['answers 401', json(401, { error: { message: 'bad key' } }), 502, 'llm_bad_answer'],
  ['answers 429', json(429, { error: { message: 'slow down' } }), 429, 'overloaded'],
  ['answers 503', json(503, { error: { message: 'Loading model' } }), 503, 'llm_unavailable'],
  ['answers with a part only', sse(`${chunk({ content: 'It is' })}`), 502, 'llm_bad_answer'],
];

describe('an engine that', () => {
  test.each(failures)('%s costs one question', async (how, play, status, code) => {
    llm.answers(() => play);

    const answer = await assistant.ask('How are you?', { client: how });

    expect(errorOf(answer)).toEqual({ status, code });
    expect(answer.text).not.toMatch(/models\/llm|127\.0\.0\.1/);
    expect(answer.headers['retry-after'] !== undefined).toBe(status === 503 || status === 429);
    await waitFor(() => llm.busy === 0, { what: 'the engine is left alone' });
    if (code === 'llm_timeout') {
      llm.answers(() => 'Now.');
      await isTrusted();
    }
    await worksAgain();
  });

  test('repeats itself is stopped, and its text so far is the answer', async () => {
    llm.answers(() => circles);

    const reply = replyOf(await assistant.ask('How do I boil an egg?', { client: 'cook' }));

    expect(reply).toMatch(/^Boil it\.( You can use a pan\.){3,20}$/);
    await waitFor(() => llm.busy === 0, { what: 'the engine is left alone' });
  });

  test('failed leaves nothing in the conversation', async () => {
    llm.answers(() => dies);
    await assistant.ask('Lost question?', { client: 'loser' });
    llm.answers(() => 'Fine.');

    await assistant.ask('Kept question?', { client: 'loser' });

    expect(llm.callsFor('Kept question?')[0]?.prompt).not.toContain('Lost question?');
  });

  test('is loading is reported as such, and answers afterwards', async () => {
    llm.load(true);
    const during = await assistant.ask('Too early?');
    const told = await waitFor(async () => {
      const answer = await assistant.ask('Still too early?');
      return answer.text.includes('is being loaded') && answer;
    });
    const health = await waitFor(async () => {
      const seen = await assistant.health();
      return seen.engines.llm.state === 'loading' && seen;
    });
    llm.load(false);

    expect(errorOf(during)).toEqual({ status: 503, code: 'llm_unavailable' });
    expect(errorOf(told)).toEqual({ status: 503, code: 'llm_unavailable' });
    expect(health.engines.llm).toMatchObject({
      state: 'loading',
      reason: 'The language model is being loaded.',
    });
    await worksAgain();
  });

  test('is away is reported as such, and answers once it is back', async () => {
    await llm.stop();
    const during = await assistant.ask('Anybody there?');
    await waitFor(async () => (await assistant.health()).engines.llm.state === 'failed');
    const later = await assistant.ask('Anybody there now?');
    const health = await assistant.health();
    await llm.start();

    expect(errorOf(during)).toEqual({ status: 503, code: 'llm_unavailable' });
    expect(errorOf(later)).toEqual({ status: 503, code: 'llm_unavailable' });
    expect(later.text).toContain('The language model cannot be reached. Is its server running?');
    expect(health.status).toBe('degraded');
    await worksAgain();
  });
});
