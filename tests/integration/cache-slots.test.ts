import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { replyOf } from '../support/clients/caller.ts';
import { type FakeLlm, saysAfter, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, isReady, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ slots: 2 })]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url, workers: 3 });
});
beforeEach(() => {
  llm.calls.length = 0;
  llm.answers(() => 'Yes.');
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

const slotsOf = (client: string) => [
  ...new Set(llm.calls.filter(({ question }) => question.startsWith(client)).map(({ body }) => body.id_slot)),
];

const askMany = (count: number, name: string) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => assistant.ask(`${index}?`, { client: name + index })),
  );

describe('the slots of the language model', () => {
  test('stay with their conversations through twenty turns each', { tags: 'slow' }, async () => {
    for (let turn = 1; turn <= 20; turn += 1) {
      await assistant.ask(`kitchen ${turn}`, { client: 'kitchen' });
      await assistant.ask(`bedroom ${turn}`, { client: 'bedroom' });
    }

    const [kitchen, bedroom] = [slotsOf('kitchen'), slotsOf('bedroom')];
    expect([...kitchen, ...bedroom].toSorted()).toEqual([0, 1]);
  });

  test('are never used beyond their number, however many workers wait', { tags: 'slow' }, async () => {
    llm.answers(() => saysAfter(20, 'Yes.'));

    const answers = await askMany(24, 'caller ');

    expect(answers.map(replyOf)).toEqual(Array.from({ length: 24 }, () => 'Yes.'));
    expect(llm.maxAsked).toBe(2);
  });

  test('keep their limit when Redis comes back without its memory', { tags: 'slow' }, async () => {
    await redis.kill();
    await redis.revive();
    await waitFor(async () => (await assistant.ask('Back?')).status === 200, { what: 'it works again' });
    await isReady(assistant, 3);
    llm.answers(() => saysAfter(30, 'Yes.'));

    await askMany(24, 'late ');

    expect(llm.maxAsked).toBe(2);
  });
});
