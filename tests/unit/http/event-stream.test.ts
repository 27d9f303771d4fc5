import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { createChatStream } from '../../../api/src/http/chat-stream.ts';
import { createLogEvents } from '../../../api/src/http/log-stream.ts';
import { createResponseStream } from '../../../api/src/http/response-events.ts';
import type { Reply } from '../../../api/src/turn/turn.ts';

afterEach(() => {
  vi.useRealTimers();
});

const reply: Reply = {
  text: 'Hello.',
  via: 'local',
  finish: 'stop',
  usage: null,
  timings: {},
  heard: null,
  sentences: 0,
};
const openStreams = {
  chat: () => {
    const stream = createChatStream({ id: 'chatcmpl-1', created: 1, includesUsage: false });
    return { readable: stream.readable, end: () => stream.finish(reply) };
  },
  response: () => {
    const stream = createResponseStream({ id: '1', askedAt: 1, previous: null });
    return { readable: stream.readable, end: () => stream.finish(reply) };
  },
  log: () => createLogEvents({ onClose: () => undefined }),
};

// Some clients take an event without data for the end: openai-go up to 3.42.
test.each(['chat', 'response', 'log'] as const)(
  'a %s has no event without data while it is kept alive',
  async (kind) => {
    vi.useFakeTimers();
    const stream = openStreams[kind]();
    vi.advanceTimersByTime(61_000);
    stream.end();

    const sent = await text(stream.readable);

    expect(sent.match(/^:/gm)?.length).toBeGreaterThan(1);
    const events = sent.split('\n\n').slice(0, -1);
    expect(events.filter((event) => !/^data:/m.test(event))).toEqual([]);
  },
);
