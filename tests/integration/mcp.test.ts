/** @module-tag slow */
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createActionNotes } from '../../api/src/actions/action-notes.ts';
import { createIdempotencyGuard } from '../../api/src/actions/idempotency-guard.ts';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import type { McpAddress } from '../../api/src/engines/mcp-client.ts';
import { createMcpServers, mcpTimes } from '../../api/src/engines/mcp-servers.ts';
import { createMcpTools, type McpTools } from '../../api/src/respond/model/mcp-tools.ts';
import { effectivePipeline, type McpServer, type Pipeline } from '../../api/src/settings/pipeline.ts';
import { calls, type FakeLlm, startFakeLlm, type Wanted } from '../support/fakes/fake-llm.ts';
import { startHostileMcp } from '../support/fakes/hostile-mcp.ts';
import { startMcpHttp } from '../support/fakes/mcp-http.ts';
import { createLanguageModel, toolWords } from '../support/language-model.ts';
import { heldBytes } from '../support/memory.ts';
import { listenOnFreePort } from '../support/servers/listen.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { type Asked, englishSkills, question } from '../support/skills.ts';
import { waitFor } from '../support/wait-for.ts';

const program = join(import.meta.dirname, '../support/fakes/mcp-program.ts');
const notesFile = join(tmpdir(), `hearth-mcp-${process.pid}.txt`);
const times = { ...mcpTimes, callMs: 1_500, retryMs: 50, maxRetryMs: 400 };

let server: OwnRedis;
let redis: Redis;
let llm: FakeLlm;
let languageModel: ReturnType<typeof createLanguageModel>;
let mcp: McpTools;
let household: ReturnType<typeof englishSkills>;
let settings: Pipeline = effectivePipeline({}, {}).values;
let changes: { server: string; isConnected: boolean; failure: string | undefined }[] = [];
const open: { stop(): Promise<void> }[] = [];
let servers: ReturnType<typeof createMcpServers>;

beforeAll(async () => {
  [server, llm] = await Promise.all([startRedis(), startFakeLlm({ tools: true, contextTokens: 16_384 })]);
  redis = await connectTo(server.url);
});
beforeEach(async () => {
  await redis.flushall();
  await rm(notesFile, { force: true });
  changes = [];
  llm.calls.length = 0;
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop();
});
afterAll(async () => {
  redis?.disconnect();
  await llm?.stop();
  await server?.stop();
  await rm(notesFile, { force: true });
});

const acts = {
  forecast: 'read',
  write_note: 'act',
  fail: 'read',
  huge: 'read',
  environment: 'read',
} as const;
const asProgram = (mode = ''): McpServer => ({
  name: 'weather',
  command: process.execPath,
  args: [program, notesFile, mode],
  acts,
});

/** Adds these servers to the household's settings, and waits until their tools exist. */
async function named(all: readonly McpServer[], more: Partial<Pipeline> = {}, isThere = true) {
  settings = { ...effectivePipeline({}, {}).values, ...more, mcp_servers: [...all] };
  servers = createMcpServers({
    servers: (): readonly McpAddress[] => settings.mcp_servers,
    onChange: (state, failure) =>
      void changes.push({ server: state.server, isConnected: state.isConnected, failure }),
    times,
  });
  const asked = englishSkills(redis).pendingQuestions;
  mcp = createMcpTools({
    servers,
    pendingQuestions: asked,
    isFirstAttempt: createIdempotencyGuard({ redis }),
    notes: createActionNotes({ redis }),
    say: toolWords.say,
  });
  household = englishSkills(redis, [mcp.skill(() => settings)]);
  languageModel = createLanguageModel({ redis, url: llm.url, tools: () => mcp.tools(settings) });
  open.push(servers, { stop: async () => void (await languageModel.close()) });
  servers.follow();
  if (isThere) await waitFor(() => servers.states().every(({ tools }) => tools.length > 0));
}

/** One conversation: for each sentence the model makes these calls, then says this sentence. */
function talk(turn: Asked = {}) {
  const exchanges: Exchange[] = [];
  const keep = (text: string, id: string, kept: Pick<Exchange, 'assistant' | 'rounds'>) =>
    void exchanges.push({ user: text, ...kept, turn: id });
  return {
    async model(...rounds: readonly (readonly Wanted[])[]): Promise<string | undefined> {
      let at = -1;
      llm.answers(() => {
        at += 1;
        const wanted = rounds[at];
        return wanted ? calls(wanted) : 'So they say.';
      });
      const asked = { ...question('Please.', turn, [...exchanges]), settings };
      const answer = await languageModel.responder.respond(asked);
      if (answer) keep('Please.', asked.turn.id, answer.kept ?? { assistant: answer.text });
      return answer?.text;
    },
    async says(text: string): Promise<string | undefined> {
      const asked = question(text, turn, [...exchanges]);
      const answer = await household.responder.respond(asked);
      if (answer) keep(text, asked.turn.id, { assistant: answer.text });
      return answer?.text;
    },
    exchanges,
  };
}

const written = async () => (await readFile(notesFile, 'utf8')).split('\n').filter((line) => line !== '');
const results = () => llm.calls.at(-1)?.results.map((result): unknown => JSON.parse(result));
const offered = () => llm.calls[0]?.body.tools?.map(({ function: { name } }) => name);

describe('a server program', () => {
  test('adds its tools, each under its name', async () => {
    await named([asProgram()]);

    await talk().model();

    expect(offered()).toEqual([
      'weather__die',
      'weather__environment',
      'weather__fail',
      'weather__forecast',
      'weather__hang',
      'weather__huge',
      'weather__write_note',
    ]);
  });

  test('starts without our environment', async () => {
    process.env['SERVICE_TOKEN_OF_TEST'] = 'secret';
    await named([asProgram()]);

    await talk().model([['weather__environment']]);

    const [found] = results() ?? [];
    const names = String(Object(found).text).split(' ');
    const allowed = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
    expect(names).toContain('PATH');
  });

  test('is restarted when it has died, and its tools keep their order', async () => {
    await named([{ ...asProgram(), acts: { ...acts, die: 'read' } }]);
    const { model } = talk();

    const reply = await model([['weather__die']]);
    await waitFor(() => changes.filter(({ isConnected }) => isConnected).length === 2);
    const after = await model([['weather__forecast', { city: 'Rome' }]]);

    expect(reply).toBe('Sorry, that is not available right now.');
    expect(after).toBe('So they say.');
    expect(llm.calls.map(({ body }) => body.tools?.length)).toEqual(llm.calls.map(() => 7));
  });

  test('that hangs times out', async () => {
    await named([{ ...asProgram(), acts: { ...acts, hang: 'read' } }]);

    expect(await talk().model([['weather__hang']])).toBe('Sorry, that is not available right now.');
  });

  test('that sends 50 MB is cut off and does no harm', async () => {
    await named([asProgram()]);
    const before = heldBytes();

    const reply = await talk().model([['weather__huge']]);

    expect(reply).toBe('Sorry, that is not available right now.');
    await waitFor(() => heldBytes() - before < 10 * 1024 * 1024, { what: 'nothing of it is kept' });
  });

  test('that sends without end is dropped', async () => {
    await named([asProgram('flood')], {}, false);

    await waitFor(() => changes.length >= 2, { withinMs: 15_000, what: 'it is let go' });
  });

  test('that is silent delays nothing', async () => {
    await named([asProgram('silent')], {}, false);

    expect(await talk().model()).toBe('So they say.');
  });

  test.each([['/nonexistent/program'], ['false']])(
    'that cannot start is not a fault of ours: %s',
    async (command) => {
      await named([{ name: 'weather', command, args: [] }], {}, false);

      await waitFor(() => changes.some(({ failure }) => failure === 'unreachable'));
      expect(await talk().model()).toBe('So they say.');
    },
  );

  test('ends when it is no longer configured', async () => {
    await named([asProgram()]);

    settings = { ...settings, mcp_servers: [] };

    expect(servers.states()).toEqual([]);
    expect(mcp.tools(settings)).toEqual([]);
  });
});

describe('a server at an address', () => {
  test('adds its tools, which answer', async () => {
    const http = await startMcpHttp();
    await named([{ name: 'weather', url: http.url, acts }]);
    open.unshift(http);

    const reply = await talk().model([['weather__forecast', { city: 'Rome' }]]);

    expect(reply).toBe('So they say.');
    expect(results()).toEqual([{ text: expect.stringContaining('Sunny in Rome.') }]);
  });

  test('that sends 50 MB is cut off', async () => {
    const http = await startMcpHttp();
    await named([{ name: 'weather', url: http.url, acts }]);
    open.unshift(http);

    expect(await talk().model([['weather__huge']])).toBe('Sorry, that is not available right now.');
  });

  test('does not delay answers when it is another kind of server', async () => {
    const web = createServer((_request, response) => response.end('<!doctype html>'));
    const url = await listenOnFreePort(web);
    open.push({ stop: async () => void web.close() });
    await named([{ name: 'weather', url }], {}, false);

    await waitFor(() => changes.length > 0);
    expect(await talk().model()).toBe('So they say.');
  });
});

describe('a third-party action tool', () => {
  const note = ['weather__write_note', { words: 'Buy an umbrella' }] as const;

  test('is used after a yes, with exactly the confirmed arguments', async () => {
    await named([asProgram()]);
    const { model, says } = talk();

    const asked = await model([[...note]]);
    const before = await written();
    const reply = await says('yes please');
    const again = await says('yes');

    expect(asked).toBe('Shall I use write note from weather, with words Buy an umbrella?');
    expect(before).not.toContain('Buy an umbrella');
    expect(reply).toBe('Done: write note from weather.');
    expect(again).toBeUndefined();
    expect((await written()).filter((line) => line === 'Buy an umbrella')).toHaveLength(1);
  });

  test('is not used after a yes to a question that could not contain everything', async () => {
    await named([asProgram()]);
    const { model, says } = talk({ speaks: true });
    const long = [
      'weather__write_note',
      { words: `${'Milk and eggs '.repeat(15)} /etc/cron.d/evil` },
    ] as const;

    const asked = await model([[...long]]);
    await says('yes');

    expect(asked).toMatch(
      /^I would have to ask you before I use write note from weather, but .* too long to say\./,
    );
    expect((await written()).join()).not.toContain('evil');
  });

  test.each(['no', 'what time is it'])('is not used after any other answer: %s', async (answer) => {
    await named([asProgram()]);
    const { model, says } = talk();

    await model([[...note]]);
    await says(answer);
    await says('yes');

    expect(await written()).not.toContain('Buy an umbrella');
  });

  test('is used at once if the household allows it', async () => {
    await named([asProgram()], { mcp_confirms: false });

    expect(await talk().model([[...note]])).toBe('Done: write note from weather.');
    expect(await written()).toContain('Buy an umbrella');
  });

  test('can be reported afterwards, and is not called undone', async () => {
    await named([asProgram()], { mcp_confirms: false });
    const { model, says } = talk();
    await model([[...note]]);

    expect([await says('what did you just do'), await says('undo that')]).toEqual([
      'I used write note from weather.',
      'I used write note from weather, and I cannot undo that.',
    ]);
  });

  test('that died during its use is not called unreachable, and undo means nothing older', async () => {
    await named([{ ...asProgram(), acts: { ...acts, die: 'act' } }], { mcp_confirms: false });
    const { model, says } = talk();
    await says('add milk to the shopping list');

    const reply = await model([['weather__die']]);

    const unknown = 'I started die from weather, but I cannot tell whether it worked.';
    expect([reply, await says('what did you just do'), await says('undo that')]).toEqual([
      unknown,
      unknown,
      unknown,
    ]);
    expect(await says('read the shopping list')).toBe('On the shopping list: milk.');
  });

  test('is not used where a yes is impossible', async () => {
    await named([asProgram()]);

    const reply = await talk({ conversation: null }).model([[...note]]);

    expect(reply).toBe('I would have to ask you first, and I cannot do that here.');
  });

  test('is the default for an unmarked tool', async () => {
    await named([{ ...asProgram(), acts: {} }]);

    expect(await talk().model([['weather__forecast', { city: 'Rome' }]])).toBe(
      'Shall I use forecast from weather, with city Rome?',
    );
  });

  test('is not used after third-party text has been read', async () => {
    await named([asProgram()], { mcp_confirms: false });

    const reply = await talk().model([['weather__forecast', { city: 'Rome' }]], [[...note]]);

    expect(reply).toMatch(/something that other people wrote/);
    expect(await written()).not.toContain('Buy an umbrella');
  });

  test.each([[{ words: 5 }], [{}], [{ words: 'x', copies: 'many' }], ['{"words":']])(
    'is not even asked about with %j',
    async (args) => {
      await named([asProgram()]);

      expect(await talk().model([['weather__write_note', args]])).toBe('Sorry, that did not work.');
    },
  );
});

describe('a tool named like a property that every object has', () => {
  const names = ['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__'];

  /** As the household has configured it, with one marked tool. */
  const hostile = async (marked: Record<string, string>) => {
    const http = await startHostileMcp(names.concat('forecast').map((name) => ({ name })));
    const made = JSON.stringify([{ name: 'weather', url: http.url, acts: marked }]);
    await named(effectivePipeline({ mcp_servers: made }, {}).values.mcp_servers);
    open.unshift(http);
    return http;
  };

  test.each(names)('is asked about first: %s', async (name) => {
    const { used } = await hostile({ forecast: 'read' });

    const reply = await talk().model([[`weather__${name}`, {}]]);

    expect([reply, used]).toEqual([expect.stringMatching(/^Shall I use /), []]);
  });

  test.each(names)('is not used after third-party text: %s', async (name) => {
    const { used } = await hostile({ forecast: 'read' });

    const reply = await talk().model([['weather__forecast', {}]], [[`weather__${name}`, {}]]);

    expect([reply, used]).toEqual([expect.stringMatching(/something that other people wrote/), ['forecast']]);
  });

  test('may be marked like any other', async () => {
    const { used } = await hostile({ toString: 'read', constructor: 'read' });

    await talk().model([
      ['weather__toString', {}],
      ['weather__constructor', {}],
    ]);

    expect(used).toEqual(['toString', 'constructor']);
  });

  test('can only read or act', () => {
    const made = JSON.stringify([{ name: 'weather', url: 'http://nas/mcp', acts: { forecast: 'toString' } }]);

    expect(effectivePipeline({ mcp_servers: made }, {}).values.mcp_servers).toEqual([]);
  });
});

test("a server's error text is hidden from the model and from people", async () => {
  await named([asProgram()]);

  const reply = await talk().model([['weather__fail']]);

  expect(reply).toBe('Sorry, that did not work.');
  expect(JSON.stringify(llm.calls.map(({ prompt }) => prompt))).not.toContain('passwd');
});

test("a server's text is not stored in the conversation", async () => {
  await named([asProgram()]);
  const { model, exchanges } = talk();

  await model([['weather__forecast', { city: 'Rome' }]]);

  expect(JSON.stringify(exchanges)).not.toContain('Sunny');
});
