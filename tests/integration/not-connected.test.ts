import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { startMcpHttp } from '../support/fakes/mcp-http.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ tools: true, contextTokens: 16_384 })]);
});
beforeEach(() => {
  llm.calls.length = 0;
  llm.answers(() => 'Sunny.');
});
afterAll(async () => {
  await llm?.stop();
  await redis?.stop();
});

const noWeather = 'I do not know the weather: no weather service is connected.';
const noHouse = 'I cannot control your home: no Home Assistant is connected.';

describe('with nothing connected', () => {
  let assistant: Assistant;
  beforeAll(async () => {
    assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  });
  afterAll(() => assistant?.stop());

  test.each([
    ["What's the weather tomorrow?", noWeather],
    ['Turn off the bedroom lights.', noHouse],
    ['Turn off the bedroom lights in ten minutes.', noHouse],
    ['Is the front door locked?', 'I cannot check on your home: no Home Assistant is connected.'],
    ['Play some jazz.', 'I cannot do that: no music player is connected.'],
    ['Please speak more softly to me.', 'I can only change the volume of a speaker that you talk to.'],
    ['Where am I?', 'I do not know where this is: I have no map, and nobody has told me.'],
    ['Call my mother.', 'I cannot reach anybody: no phone or address book is connected.'],
  ])('%s is answered by rule, and the model is not asked', async (text, reply) => {
    const { body } = await assistant.ask(text);

    expect(body).toEqual({ reply, via: 'skills' });
    expect(llm.calls).toEqual([]);
  });

  test('general knowledge goes to the model', async () => {
    const { body } = await assistant.ask('What causes rain?');

    expect(body).toEqual({ reply: 'Sunny.', via: 'local' });
  });

  test('the same question for another day is refused like the first', async () => {
    await assistant.ask("What's the weather today?", { client: 'stove' });

    const { body } = await assistant.ask('And tomorrow?', { client: 'stove' });

    expect(body).toEqual({ reply: noWeather, via: 'skills' });
    expect(llm.calls).toEqual([]);
  });

  test('the model sees later that it was refused', async () => {
    await assistant.ask("What's the weather today?", { client: 'table' });

    await assistant.ask('Why do you not know that?', { client: 'table' });

    expect(llm.calls[0]?.body.messages.at(-1)?.content).toContain(noWeather);
  });

  test('a small model without tools does not see it, because it would continue in these words', {
    tags: 'slow',
  }, async () => {
    const [own, small] = await Promise.all([startRedis(), startFakeLlm({ tools: false })]);
    const alone = await startAssistant({ redisUrl: own.url, llmUrl: small.url });
    try {
      await alone.ask("What's the weather today?", { client: 'window' });

      await alone.ask('What is the capital of France?', { client: 'window' });

      expect(small.calls[0]?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    } finally {
      await alone.stop();
      await small.stop();
      await own.stop();
    }
  });

  test('"and tomorrow?" after another topic is not refused', async () => {
    await assistant.ask('What is the capital of France?', { client: 'sofa' });

    expect((await assistant.ask('And tomorrow?', { client: 'sofa' })).body).toMatchObject({ via: 'local' });
  });

  test('a tool server gets the question, because it may know', async () => {
    const station = await startMcpHttp();
    const patch = (mcp_servers: readonly object[]) =>
      assistant.call('/admin/pipeline', { method: 'PATCH', body: { mcp_servers } });
    try {
      await patch([{ name: 'weather', url: station.url, default_effect: 'read' }]);

      await waitFor(async () => {
        await assistant.ask("What's the weather tomorrow?");
        const offered = llm.calls.at(-1)?.body.tools?.map(({ function: { name } }) => name) ?? [];
        return offered.includes('weather__forecast');
      });

      await assistant.call('/admin/pipeline', { method: 'PATCH', body: { tools: false } });
      await waitFor(
        async () => {
          const { body } = await assistant.ask("What's the weather tomorrow?");
          return JSON.stringify(body).includes(noWeather);
        },
        { what: 'a model without tools is not asked' },
      );
    } finally {
      await assistant.call('/admin/pipeline', { method: 'PATCH', body: { mcp_servers: null, tools: null } });
      await station.stop();
    }
  });
});

describe('with a Home Assistant', () => {
  let home: FakeHome;
  let assistant: Assistant;
  beforeAll(async () => {
    home = await startFakeHome();
    assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url, env: home.env });
  });
  afterAll(async () => {
    await assistant?.stop();
    await home?.stop();
  });

  test('house commands work as usual', async () => {
    const { body } = await assistant.ask('Turn on the kitchen lights.');

    expect(body).toEqual({ reply: 'Turned on the lights.', via: 'home' });
  });

  test('a request that Home Assistant passes on goes to the model', async () => {
    const { body } = await assistant.ask('Preheat the oven to 180 degrees.');

    expect(body).toMatchObject({ via: 'local' });
  });

  test('a question that the house cannot answer goes only to a model that may look', async () => {
    const ask = async () => (await assistant.ask('Has the dishwasher stopped?')).body;
    expect(await ask()).toMatchObject({ via: 'local' });

    await assistant.call('/admin/pipeline', { method: 'PATCH', body: { tools: false } });
    try {
      await waitFor(async () => JSON.stringify(await ask()).includes('I cannot find that out in your home.'));
    } finally {
      await assistant.call('/admin/pipeline', { method: 'PATCH', body: { tools: null } });
    }
  });

  test('the weather is unknown, too', async () => {
    const { body } = await assistant.ask("What's the weather tomorrow?");

    expect(body).toEqual({ reply: noWeather, via: 'skills' });
    expect(llm.calls).toEqual([]);
  });

  test('no part of the house is called missing that may exist', async () => {
    const { body } = await assistant.ask('Play some jazz.');

    expect(body).toEqual({
      reply:
        'None of the players that are exposed to Assist in Home Assistant can search for music. Music Assistant adds players that can.',
      via: 'home',
    });
  });
});
