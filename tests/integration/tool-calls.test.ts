import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngineClient, EngineError } from '../../api/src/engines/engine-client.ts';
import type { ChatEvent } from '../../api/src/engines/llm-answer.ts';
import { readAnswer } from '../../api/src/engines/llm-answer.ts';
import { createLlmClient } from '../../api/src/engines/llm-client.ts';
import type { ChatMessage } from '../../api/src/engines/llm-request.ts';
import type { ToolSpec } from '../../api/src/engines/tool-calls.ts';
import { calls, type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';

const setTimer: ToolSpec = {
  name: 'set_timer',
  description: 'Sets a timer.',
  parameters: { type: 'object', properties: { duration_seconds: { type: 'integer' } } },
};

let llm: FakeLlm;
const http = createEngineClient('llm');

beforeAll(async () => {
  llm = await startFakeLlm({ tools: true });
});
afterAll(async () => {
  await http.close();
  await llm?.stop();
});

const hello: ChatMessage[] = [{ role: 'user', content: 'Hello.' }];

async function chat(messages: readonly ChatMessage[] = hello, tools: readonly ToolSpec[] = [setTimer]) {
  const client = createLlmClient({ http, baseUrl: llm.url });
  const { signal } = new AbortController();
  const events: ChatEvent[] = [];
  for await (const event of client.chat({ messages, tools, maxTokens: 100, signal })) events.push(event);
  return events;
}

const callsOf = (events: readonly ChatEvent[]) =>
  events.flatMap((event) => (event.type === 'calls' ? event.calls : []));

describe('the streamed tool calls of a model', () => {
  test('are assembled from their pieces, several at once', async () => {
    llm.answers(() =>
      calls([
        ['set_timer', { duration_seconds: 300 }],
        ['add_to_list', { list: 'shopping', item: 'milk "and" honey' }],
      ]),
    );

    expect(callsOf(await chat())).toEqual([
      { id: 'call-0-set_timer', name: 'set_timer', arguments: '{"duration_seconds":300}' },
      {
        id: 'call-1-add_to_list',
        name: 'add_to_list',
        arguments: '{"list":"shopping","item":"milk \\"and\\" honey"}',
      },
    ]);
  });

  test('come after the words before them and before the end', async () => {
    llm.answers(() => calls([['get_time']], { before: 'Let me see.' }));

    expect((await chat()).map(({ type }) => type)).toEqual(['text', 'calls', 'end']);
  });

  test('are dropped when the limit has cut them off', async () => {
    llm.answers(() => calls([['set_timer', '{"duration_sec']], { finish: 'length' }));

    expect(callsOf(await chat())).toEqual([]);
  });

  test('may end with any other reason', async () => {
    llm.answers(() => calls([['get_time']], { finish: 'stop' }));

    expect(callsOf(await chat())).toHaveLength(1);
  });

  test('are distinguished by their ids if all have the same index', async () => {
    const whole = (id: string) => ({ index: 0, id, function: { name: 'get_time', arguments: '{}' } });
    llm.answers(() => (wire) => {
      wire.delta({ tool_calls: [whole('a')] });
      wire.delta({ tool_calls: [whole('b')] });
      wire.end('tool_calls');
    });

    expect(callsOf(await chat()).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('get ids from us if the server sends none', async () => {
    llm.answers(() => (wire) => {
      wire.delta({ tool_calls: [{ index: 0, function: { name: 'get_time', arguments: '{}' } }] });
      wire.delta({ tool_calls: [{ index: 1, function: { name: 'get_time', arguments: '{}' } }] });
      wire.end('tool_calls');
    });

    expect(callsOf(await chat()).map(({ id }) => id)).toEqual(['call_1', 'call_2']);
  });

  test.each([
    ['more of them than anybody needs', (n: number) => ({ index: n, id: `${n}`, function: { name: 'x' } })],
    ['arguments without end', () => ({ index: 0, function: { arguments: 'x'.repeat(1_000) } })],
  ])('are an error when they are %s', async (_what, delta) => {
    llm.answers(() => (wire) => {
      for (let n = 0; n < 100; n += 1) wire.delta({ tool_calls: [delta(n)] });
      wire.end('tool_calls');
    });

    await expect(chat()).rejects.toMatchObject({ failure: 'broken' });
  });

  test('are the same for any split of the bytes', async () => {
    const bytes = Buffer.from(
      [
        { delta: { tool_calls: [{ index: 0, id: 'one', function: { name: 'add', arguments: '{"a":' } }] } },
        { delta: { tool_calls: [{ index: 0, function: { arguments: '"Käse 🧀"}' } }] } },
        { delta: {}, finish_reason: 'tool_calls' },
      ]
        .map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`)
        .join(''),
    );

    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const edges = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
        const pieces = edges.slice(1).map((edge, at) => bytes.subarray(edges[at], edge));
        const events: ChatEvent[] = [];
        for await (const event of readAnswer(streamOf(pieces), 1_000)) events.push(event);

        expect(callsOf(events)).toEqual([{ id: 'one', name: 'add', arguments: '{"a":"Käse 🧀"}' }]);
      }),
    );
  });
});

describe('the request to the model', () => {
  test('has the tools first, then the calls and their results', async () => {
    llm.answers(() => 'Done.');
    llm.calls.length = 0;
    const call = { id: 'one', name: 'set_timer', arguments: '{"duration_seconds":60}' };

    await chat([
      ...hello,
      { role: 'assistant', content: '', calls: [call] },
      { role: 'tool', callId: 'one', content: '{"ok":true}' },
    ]);

    const [sent] = llm.calls;
    expect(sent?.body.tools).toEqual([{ type: 'function', function: setTimer }]);
    expect(sent?.results).toEqual(['{"ok":true}']);
    expect(sent?.prompt).toContain('<|call|>set_timer{"duration_seconds":60}<|tool|>{"ok":true}');
  });

  test('has no tools if none exist', async () => {
    llm.answers(() => 'Hi.');
    llm.calls.length = 0;

    await chat(hello, []);

    expect(llm.calls[0]?.body).not.toHaveProperty('tools');
    expect(llm.calls[0]?.body).not.toHaveProperty('parallel_tool_calls');
  });

  test('omits a broken call of the history', async () => {
    const call = { id: 'one', name: 'set_timer', arguments: '{"dura' };

    const answer = chat([...hello, { role: 'assistant', content: '', calls: [call] }]);

    await expect(answer).rejects.toThrow(EngineError);
  });
});

test.each([
  [true, true],
  [false, false],
  [undefined, null],
])('a server whose template knows tools (%s) is known to call them (%s)', async (tools, known) => {
  const server = await startFakeLlm(tools === undefined ? {} : { tools });
  try {
    const facts = await createLlmClient({ http, baseUrl: server.url }).discover(new AbortController().signal);

    expect(facts.callsTools).toBe(known);
  } finally {
    await server.stop();
  }
});

async function* streamOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}
