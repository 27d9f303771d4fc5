import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type OpenChat, openChat } from '../support/clients/chat-caller.ts';
import { wordsOf } from '../support/clients/chat-events.ts';
import { type FakeLlm, hangs, type Play, says, startFakeLlm, type Wire } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ slots: 8 })]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
});
beforeEach(() => {
  llm.calls.length = 0;
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

const open = (content: string, more: object = {}) =>
  openChat(assistant.address, { messages: [{ role: 'user', content }], ...more });

/** Sends one word after another, each only on request. */
function onCommand(words: readonly string[]) {
  const turns = words.map(() => Promise.withResolvers<void>());
  const play: Play = async (wire) => {
    wire.begin();
    for (const [index, word] of words.entries()) {
      await turns[index]?.promise;
      wire.delta({ content: word });
    }
    wire.end();
  };
  return { play, say: (index: number) => turns[index]?.resolve() };
}

describe('a streamed answer', () => {
  test('is sent word by word, each before the engine has the next', async () => {
    const words = ['One ', 'two ', 'three ', 'four.'];
    const { play, say } = onCommand(words);
    llm.answers(() => play);
    const stream = open('Count.');

    for (const [index, word] of words.entries()) {
      say(index);
      await (await stream).words(word.trim());
      expect(wordsOf((await stream).events)).toBe(
        words
          .slice(0, index + 1)
          .join('')
          .trimEnd(),
      );
    }

    expect((await (await stream).whole()).at(-1)).toEqual({ type: 'done' });
  });

  test('of a very fast engine arrives whole, in fewer pieces than it was written in', async () => {
    const words = Array.from({ length: 2_000 }, (_, index) => `${index} `);
    llm.answers(() => (wire) => {
      wire.begin();
      for (const word of words) wire.delta({ content: word });
      wire.end();
    });

    const events = await (await open('Count to two thousand.')).whole();

    expect(wordsOf(events)).toBe(words.join('').trim());
    expect(events.length).toBeLessThan(words.length / 2);
  });

  test('begins within two seconds and stays alive while the engine thinks', { tags: 'slow' }, async () => {
    const { play, say } = onCommand(['At last.']);
    llm.answers(() => play);

    const stream = await open('Think.');
    await stream.comment();
    say(0);
    const events = await stream.whole();

    expect(stream.headers).not.toHaveProperty('x-hearth-via');
    expect(wordsOf(events)).toBe('At last.');
    expect(events.at(-1)).toEqual({ type: 'done' });
  });

  test.each<[how: string, fail: (wire: Wire) => void, code: string]>([
    ['dies', (wire) => wire.response.destroy(), 'llm_unavailable'],
    ['fails', (wire) => wire.event({ error: { message: 'secret path /models/llm.gguf' } }), 'llm_bad_answer'],
  ])('ends with an error event when the engine %s midway', async (_how, fail, code) => {
    const firstWords = Promise.withResolvers<void>();
    llm.answers(() => async (wire) => {
      wire.begin();
      wire.delta({ content: 'Paris is' });
      await firstWords.promise;
      fail(wire);
    });

    const stream = await open('What is the capital of France?');
    await stream.words('Paris is');
    firstWords.resolve();
    const events = await stream.whole();

    expect(events.map(({ type }) => type)).toEqual(['chunk', 'chunk', 'error']);
    expect(events.at(-1)).toMatchObject({ error: { code } });
    expect(JSON.stringify(events)).not.toMatch(/secret|\/models/);
  });

  test('ends with an error event when the whole turn fails after the stream began', async () => {
    const begun = Promise.withResolvers<void>();
    llm.answers(() => async (wire) => {
      wire.comment();
      await begun.promise;
      wire.response.destroy();
    });

    const stream = await open('Think and fail.');
    begun.resolve();
    const events = await stream.whole();

    expect(stream.status).toBe(200);
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'llm_unavailable' } });
  });
});

describe('a caller who hangs up', () => {
  /** Hangs up during an endless answer, and waits until the engine has stopped. */
  async function stopsEngine(play: Play, arrived = async (_stream: OpenChat): Promise<unknown> => undefined) {
    const stopped = Promise.withResolvers<void>();
    llm.answers(() => (wire, call) => {
      call.gone.addEventListener('abort', () => stopped.resolve());
      return play(wire, call);
    });
    const stream = await open('Tell me a story.');
    await arrived(stream);
    stream.hangUp();
    await stopped.promise;
    await waitFor(() => llm.busy === 0);
  }

  test('stops the engine while it writes', async () => {
    const story = says('word '.repeat(10_000), { intervalMs: 5 });
    for (let time = 0; time < 5; time += 1) {
      await stopsEngine(story, (stream) => stream.words('word word'));
    }
  });

  test('stops the engine while it thinks', async () => {
    await stopsEngine(hangs);
  });

  test('before the answer frees the engine', async () => {
    llm.answers(() => hangs);
    const controller = new AbortController();
    const asked = assistant.call('/v1/chat/completions', {
      body: { messages: [{ role: 'user', content: 'Hello?' }] },
      signal: controller.signal,
    });
    await waitFor(() => llm.calls.length === 1);
    const before = llm.left;

    controller.abort();

    await expect(asked).rejects.toThrow();
    await waitFor(() => llm.left === before + 1 && llm.busy === 0);
    expect(assistant.openTurns()).toBe(0);
  });
});
