import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Assistant, startAssistant } from '../support/assistant.ts';
import { replyOf } from '../support/caller.ts';
import { openChat } from '../support/chat-caller.ts';
import { wordsOf } from '../support/chat-events.ts';
import { calls, type FakeLlm, startFakeLlm, type Wanted } from '../support/fake-llm.ts';
import { type OwnRedis, startRedis } from '../support/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ tools: true, contextTokens: 8_192 })]);
  assistant = await startAssistant({
    redisUrl: redis.url,
    llmUrl: llm.url,
    env: { MCP_COMMANDS: process.execPath },
  });
});
beforeEach(() => {
  llm.calls.length = 0;
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

/** The model calls these once for the next question, then says this. */
function plays(wanted: readonly Wanted[], words: string): void {
  let isFirst = true;
  llm.answers(() => {
    const play = isFirst ? calls(wanted) : words;
    isFirst = false;
    return play;
  });
}

const timersSchema = z.object({
  timers: z.array(z.object({ label: z.string().nullable(), room: z.string().nullable() })),
});
const timers = async () => timersSchema.parse((await assistant.call('/admin/timers')).body).timers;

/** Nothing that a skill would take. */
const sentence = 'Be so kind and see to the thing with the pasta.';

describe('a question that the model answers with tools', () => {
  test('sets a real timer in the room that asked', async () => {
    plays([['set_timer', { duration_seconds: 300, label: 'pasta' }]], 'I set it to an hour.');

    const answer = await assistant.ask(sentence, { client: 'one', room: 'kitchen' });

    expect(answer.body).toMatchObject({ reply: 'Pasta timer, five minutes.', via: 'local' });
    expect(await timers()).toEqual([{ label: 'pasta', room: 'kitchen' }]);
  });

  test('can be undone by words', async () => {
    plays([['add_to_list', { list: 'shopping', item: 'milk' }]], 'Ok.');
    await assistant.ask(sentence, { client: 'two' });

    const undone = await assistant.ask('undo that', { client: 'two' });

    expect(replyOf(undone)).toBe('I took milk off the shopping list again.');
  });

  test('leaves a conversation that begins with its very bytes', async () => {
    plays([['get_time']], 'It is late.');
    await assistant.ask(sentence, { client: 'three' });
    const before = llm.calls.at(-1)?.prompt ?? 'none';
    llm.answers(() => 'Yes.');

    await assistant.ask('And then?', { client: 'three' });

    expect(llm.calls.at(-1)?.prompt.startsWith(`${before}<|assistant|>It is late.<|user|>`)).toBe(true);
  });

  test('is streamed in our words', async () => {
    plays([['add_to_list', { list: 'shopping', item: 'eggs' }]], 'I bought them.');

    const stream = await openChat(assistant.address, { messages: [{ role: 'user', content: sentence }] });
    const said = wordsOf(await stream.whole());

    expect(said).toBe('I added eggs to the shopping list.');
  });
});

test('a server of tools that is set while it runs is used, and gone when it is not set any more', async () => {
  const program = join(import.meta.dirname, '../support/mcp-program.ts');
  const patch = (servers: readonly object[]) =>
    assistant.call('/admin/pipeline', { method: 'PATCH', body: { mcp_servers: servers } });
  const names = async () => {
    llm.calls.length = 0;
    llm.answers(() => 'Yes.');
    await assistant.ask('What else?', { client: 'four' });
    return llm.calls[0]?.body.tools?.map(({ function: { name } }) => name) ?? [];
  };

  await patch([{ name: 'weather', command: process.execPath, args: [program, '/dev/null'] }]);
  await waitFor(async () => (await names()).includes('weather__forecast'), { withinMs: 15_000 });
  await patch([]);
  await waitFor(async () => !(await names()).some((name) => name.startsWith('weather')), {
    withinMs: 15_000,
  });

  expect(await names()).toContain('set_timer');
});
