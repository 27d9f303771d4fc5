/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, replyOf } from '../support/clients/caller.ts';
import { type FakeLlm, type Play, says, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ slots: 1 })]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url, workers: 2 });
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

/** Answers only once the gate is open. */
function gated(): { play: Play; open: () => void } {
  const gate = Promise.withResolvers<void>();
  return {
    play: async (wire, call) => {
      await gate.promise;
      await says('Yes.')(wire, call);
    },
    open: gate.resolve,
  };
}

describe('with more questions than can wait', () => {
  test('sixty-four wait for the model, the others get an error at once, and the clock is not blocked', async () => {
    const { play, open } = gated();
    llm.answers(() => play);
    const first = assistant.ask('First?', { client: 'first' });
    await waitFor(() => llm.busy === 1);

    let refusals = 0;
    const others = Array.from({ length: 100 }, async (_, index) => {
      const answer = await assistant.ask(`Question ${index}?`, { client: `caller ${index}` });
      if (answer.status !== 200) refusals += 1;
      return answer;
    });
    await waitFor(() => refusals >= 36, { what: '36 are refused' });
    const clock = await assistant.ask('What time is it?', { client: 'clock' });
    open();
    const answers = [await first, ...(await Promise.all(others))];

    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(errorOf)).toEqual(
      Array.from({ length: 36 }, () => ({ status: 429, code: 'overloaded' })),
    );
    expect(replyOf(clock)).toMatch(/^It is /);
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(65);
  });

  test('new ones are accepted when those are answered', async () => {
    llm.answers(() => 'Room.');

    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => assistant.ask(`${index}?`, { client: `later ${index}` })),
    );

    expect(answers.map(replyOf)).toEqual(Array.from({ length: 30 }, () => 'Room.'));
  });
});

describe('a waiting question', () => {
  let slow: Assistant;
  let busy: FakeLlm;
  let ownRedis: OwnRedis;
  beforeAll(async () => {
    [ownRedis, busy] = await Promise.all([startRedis(), startFakeLlm({ slots: 1 })]);
    slow = await startAssistant({
      redisUrl: ownRedis.url,
      llmUrl: busy.url,
      limits: { queueLimitMs: 3_000 },
    });
  });
  afterAll(async () => {
    await slow?.stop();
    await busy?.stop();
    await ownRedis?.stop();
  });

  test('soon gets an error that the model has no time, and a running one is not hurried', async () => {
    const { play, open } = gated();
    busy.answers(() => play);
    const first = slow.ask('First?', { client: 'first' });
    await waitFor(() => busy.busy === 1);

    const second = await slow.ask('Second?', { client: 'second' });
    open();

    expect(errorOf(second)).toEqual({ status: 503, code: 'queue_timeout' });
    expect(second.text).toContain('The language model was too busy to start on this question in time.');
    expect(replyOf(await first)).toBe('Yes.');
    expect(busy.callsFor('Second?')).toEqual([]);
  });
});
