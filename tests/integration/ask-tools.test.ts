import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { replyOf } from '../support/clients/caller.ts';
import { openChat } from '../support/clients/chat-caller.ts';
import { wordsOf } from '../support/clients/chat-events.ts';
import { calls, type FakeLlm, startFakeLlm, type Wanted } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
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

/** For the next question the model makes these calls, then says this. */
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

/** No skill understands these, although they state the request. */
const sentence = 'Time the pasta over there on the stove for five minutes and make no fuss, my good friend.';
const missing = 'Get some eggs and milk into this house by way of the shopping list, my good friend.';
/** This one is not a request. */
const speech = 'Ask not what your country can do for you, ask what you can do for your country.';

describe('a question that the model answers with tools', () => {
  test('sets a real timer in the room of the question', async () => {
    plays([['set_timer', { duration_seconds: 300, label: 'pasta' }]], 'I set it to an hour.');

    const answer = await assistant.ask(sentence, { client: 'one', room: 'kitchen' });

    expect(answer.body).toMatchObject({ reply: 'Pasta timer, five minutes.', via: 'local' });
    expect(await timers()).toEqual([{ label: 'pasta', room: 'kitchen' }]);
  });

  test('can be undone by words', async () => {
    plays([['add_to_list', { list: 'shopping', item: 'milk' }]], 'Ok.');
    await assistant.ask(missing, { client: 'two' });

    const undone = await assistant.ask('undo that', { client: 'two' });

    expect(replyOf(undone)).toBe('I took milk off the shopping list again.');
  });

  test('leaves a conversation that starts with exactly its bytes', async () => {
    plays([['get_time']], 'It is late.');
    await assistant.ask(sentence, { client: 'three' });
    const before = llm.calls.at(-1)?.prompt ?? 'none';
    llm.answers(() => 'Yes.');

    await assistant.ask('And then?', { client: 'three' });

    expect(llm.calls.at(-1)?.prompt.startsWith(`${before}<|assistant|>It is late.<|user|>`)).toBe(true);
  });

  test('streams our sentences', async () => {
    plays([['add_to_list', { list: 'shopping', item: 'eggs' }]], 'I bought them.');

    const stream = await openChat(assistant.address, { messages: [{ role: 'user', content: missing }] });
    const said = wordsOf(await stream.whole());

    expect(said).toBe('I added eggs to the shopping list.');
  });
});

describe('an unrequested tool', () => {
  test('needs a yes, and is used once', async () => {
    plays([['set_timer', { duration_seconds: 360, label: 'country' }]], 'I set it.');
    const before = await timers();

    const asked = await assistant.ask(speech, { client: 'five', room: 'hall' });
    const unchanged = await timers();
    const agreed = await assistant.ask('Yes.', { client: 'five', room: 'hall' });

    expect(replyOf(asked)).toBe('Shall I set a timer for six minutes, called country?');
    expect(unchanged).toEqual(before);
    expect(replyOf(agreed)).toBe('Country timer, six minutes.');
    expect(await timers()).toHaveLength(before.length + 1);
  });

  test('is not used after a no', async () => {
    plays([['add_to_list', { list: 'shopping', item: 'sholack' }]], 'I added it.');
    await assistant.ask('Add 5 minutes to it all, to my list for shopping.', { client: 'six' });

    await assistant.ask('No.', { client: 'six' });

    expect(replyOf(await assistant.ask('Is sholack on the shopping list?', { client: 'six' }))).toMatch(
      /^No/,
    );
  });
});

test('a tool server added at runtime is used, and gone when it is removed', async () => {
  const program = join(import.meta.dirname, '../support/fakes/mcp-program.ts');
  const patch = (servers: readonly object[]) =>
    assistant.call('/admin/pipeline', { method: 'PATCH', body: { mcp_servers: servers } });
  const names = async () => {
    llm.calls.length = 0;
    llm.answers(() => 'Yes.');
    await assistant.ask('What else?', { client: 'four' });
    return llm.calls[0]?.body.tools?.map(({ function: { name } }) => name) ?? [];
  };

  await patch([{ name: 'weather', command: process.execPath, args: [program, '/dev/null'] }]);
  await waitFor(async () => (await names()).includes('weather__forecast'));
  await patch([]);
  await waitFor(async () => !(await names()).some((name) => name.startsWith('weather')));

  expect(await names()).toContain('set_timer');
});
