import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../api/src/errors.ts';
import { createChatStream } from '../../../api/src/http/chat-stream.ts';
import type { Reply } from '../../../api/src/turn/turn.ts';
import { chatEvents, chunksOf, wordsOf } from '../../support/clients/chat-events.ts';

const usage = { prompt: 140, cached: 120, answer: 8 };

function reply(words: string, more: Partial<Reply> = {}): Reply {
  const answer = { via: 'local', finish: 'stop', usage, timings: {}, heard: null, sentences: 0 } as const;
  return { text: words, ...answer, ...more };
}

function open({ includesUsage = false } = {}) {
  return createChatStream({ id: 'chatcmpl-1', created: 1_763_683_200, includesUsage });
}

const head = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_763_683_200,
  model: 'assistant',
};
const choice = (delta: object, finish_reason: string | null = null) => [
  { index: 0, delta, logprobs: null, finish_reason },
];

/** The events as they are on the wire, unparsed. */
async function wire({ readable }: { readable: NodeJS.ReadableStream }): Promise<string> {
  return await text(readable);
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a streamed reply', () => {
  test('has exactly the events of the common format', async () => {
    const chat = open();
    chat.say('Hello', 'local');
    chat.say(' there.', 'local');
    chat.finish(reply('Hello there.'));

    const sent = (await wire(chat)).split('\n\n');

    expect(sent.map((event) => event.replace(/^data: /, ''))).toEqual([
      JSON.stringify({ ...head, choices: choice({ role: 'assistant', content: '' }) }),
      JSON.stringify({ ...head, choices: choice({ content: 'Hello' }) }),
      JSON.stringify({ ...head, choices: choice({ content: ' there.' }) }),
      JSON.stringify({ ...head, choices: choice({}, 'stop') }),
      '[DONE]',
      '',
    ]);
  });

  test('ends with its usage in an event without choices, on request', async () => {
    const chat = open({ includesUsage: true });
    chat.finish(reply('Hello.', { finish: 'length' }));

    const chunks = chunksOf(chatEvents(await wire(chat)));

    expect(chunks.map(({ choices, usage }) => ({ choices, usage }))).toEqual([
      { choices: choice({ role: 'assistant', content: '' }), usage: null },
      { choices: choice({ content: 'Hello.' }), usage: null },
      { choices: choice({}, 'length'), usage: null },
      {
        choices: [],
        usage: {
          prompt_tokens: 140,
          completion_tokens: 8,
          total_tokens: 148,
          prompt_tokens_details: { cached_tokens: 120 },
        },
      },
    ]);
  });

  test('has a usage of zero if no model counted', async () => {
    const chat = open({ includesUsage: true });
    chat.finish(reply('Hello.', { usage: null }));

    const chunks = chunksOf(chatEvents(await wire(chat)));

    const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    expect(chunks.slice(0, -1).map(({ usage }) => usage)).toEqual([null, null, null]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: none });
  });

  test('contains the whole reply, for any split and any gap in its events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }),
        fc.nat(20),
        async (pieces, saidCount) => {
          const chat = open();
          for (const piece of pieces.slice(0, saidCount)) chat.say(piece, 'local');
          chat.finish(reply(pieces.join('')));

          const events = chatEvents(await wire(chat));

          expect(wordsOf(events)).toBe(pieces.join(''));
          expect(events.at(-1)).toEqual({ type: 'done' });
          expect(chunksOf(events).filter(({ choices }) => choices[0]?.finish_reason)).toHaveLength(1);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('sends every delta in a separate event, before the next one exists', async () => {
    const chat = open();
    const read = chat.readable[Symbol.asyncIterator]();
    await read.next();

    chat.say('Hello', 'local');
    const { value } = await read.next();

    expect(String(value)).toContain('"content":"Hello"');
    chat.finish(reply('Hello'));
  });

  test('names the responder from the first words on', () => {
    const chat = open();
    const before = chat.via();
    chat.say('It is noon.', 'skills');

    expect([before, chat.via()]).toEqual([null, 'skills']);
    chat.finish(reply('It is noon.'));
  });

  test('ends with the error and without [DONE] if the answer is incomplete', async () => {
    const chat = open();
    chat.say('The capital', 'local');
    chat.fail(new AppError('llm_unavailable', 'The language model is being loaded.'));

    const events = chatEvents(await wire(chat));

    expect(events.map(({ type }) => type)).toEqual(['chunk', 'chunk', 'error']);
    expect(events.at(-1)).toMatchObject({
      error: { code: 'llm_unavailable', message: 'The language model is being loaded.' },
    });
  });

  test('reveals nothing about internal faults', async () => {
    const chat = open();
    chat.fail(new Error('secret path /models/llm.gguf'));

    const sent = await wire(chat);

    expect(sent).toContain('"code":"internal"');
    expect(sent).not.toContain('secret');
  });

  test('stays alive with comments before the first words', async () => {
    vi.useFakeTimers();
    const chat = open();

    vi.advanceTimersByTime(11_000);
    chat.finish(reply('Well.'));

    const events = chatEvents(await wire(chat));
    expect(events.map(({ type }) => type)).toEqual([
      ...['chunk', 'comment', 'comment'],
      ...['chunk', 'chunk', 'done'],
    ]);
  });

  test('that has ended sends no more, however late it is read', async () => {
    vi.useFakeTimers();
    const chat = open();
    chat.finish(reply('Well.'));

    vi.advanceTimersByTime(11_000);

    expect(chatEvents(await wire(chat)).map(({ type }) => type)).toEqual(['chunk', 'chunk', 'chunk', 'done']);
  });

  test('leaves nothing running when its reader has gone', async () => {
    vi.useFakeTimers();
    const chat = open();

    const closed = once(chat.readable, 'close');
    chat.readable.destroy();
    await closed;
    chat.say('Too late.', 'local');
    chat.finish(reply('Too late.'));

    expect(vi.getTimerCount()).toBe(0);
  });
});
