import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conversationKeys } from '../../api/src/conversations/conversation-store.ts';
import { replyOf } from '../support/clients/caller.ts';
import { type FakeLlm, hangs, onlyPings, says, stalls, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;
let store: Redis;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ slots: 2 })]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  store = await connectTo(redis.url);
});
beforeEach(() => {
  llm.calls.length = 0;
});
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await llm?.stop();
  await redis?.stop();
});

/** A question whose caller can hang up. */
function ask(text: string, client: string) {
  const caller = new AbortController();
  const answer = assistant.ask(text, { client }, { signal: caller.signal }).catch(() => 'hung up' as const);
  return { answer, hangUp: () => caller.abort() };
}

const isIdle = () =>
  waitFor(async () => llm.busy === 0 && (await assistant.health()).in_flight.turns === 0, {
    what: 'nobody works on anything',
  });

const kept = (client: string) => store.llen(conversationKeys(client).exchanges);

const slowly = says('one two three four five six seven eight nine ten', { intervalMs: 30 });

describe('a caller who hangs up', () => {
  test.each([
    ['before its first word', hangs],
    ['while it reads the prompt', onlyPings],
    ['between two words', stalls],
    ['while it writes', slowly],
  ])('stops the engine %s, and nothing is stored', async (when, play) => {
    llm.answers(() => play);
    const { answer, hangUp } = ask('Who was Ada Lovelace?', when);
    await waitFor(() => llm.busy === 1);

    hangUp();

    await isIdle();
    expect(await answer).toBe('hung up');
    expect(llm.calls).toHaveLength(1);
    expect(await kept(when)).toBe(0);
  });

  test('while the question waits keeps it from the engine', async () => {
    llm.answers(() => hangs);
    const busy = [ask('Busy?', 'b1'), ask('Busy too?', 'b2')];
    await waitFor(() => llm.busy === 2);
    const waiting = ask('Waiting?', 'b3');
    await waitFor(async () => (await assistant.health()).in_flight.turns === 3);

    waiting.hangUp();
    await waitFor(async () => (await assistant.health()).in_flight.turns === 2);
    for (const { hangUp } of busy) hangUp();
    await isIdle();
    llm.answers(() => 'Yes.');
    await assistant.ask('And now?');

    expect(llm.calls.map(({ question }) => question).toSorted()).toEqual(['And now?', 'Busy too?', 'Busy?']);
    expect(await kept('b3')).toBe(0);
  });

  test("leaves another caller's question in the same conversation alone", async () => {
    llm.answers(() => slowly);
    const [gone, stays] = [ask('Going?', 'both'), ask('Staying?', 'both')];
    await waitFor(() => llm.busy === 2);

    gone.hangUp();

    const answer = await stays.answer;
    expect(answer !== 'hung up' && replyOf(answer)).toBe('one two three four five six seven eight nine ten');
    expect(await kept('both')).toBe(1);
  });

  test('at any moment leaves nothing running behind', async () => {
    llm.answers(() => babblesSlowly);
    for (let wave = 0; wave < 10; wave += 1) {
      const callers = Array.from({ length: 6 }, (_, index) => ask('Quick?', `wave ${index}`));
      await Promise.all(
        callers.map(async ({ hangUp }, index) => {
          await delay(index * 2 + wave);
          hangUp();
        }),
      );
      await Promise.all(callers.map(({ answer }) => answer));
      await isIdle();
    }

    llm.answers(() => 'Still here.');
    expect(replyOf(await assistant.ask('Still there?'))).toBe('Still here.');
  });
});

const babblesSlowly = says('and so on '.repeat(400), { intervalMs: 5 });
