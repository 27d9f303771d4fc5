import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WyomingServices } from '../../../api/src/wyoming/connection.ts';
import { frameOf } from '../../../api/src/wyoming/frames.ts';
import { createWyomingServer } from '../../../api/src/wyoming/server.ts';
import { connectWyoming } from '../../support/clients/wyoming-client.ts';
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts';
import { waitFor } from '../../support/wait-for.ts';

let clock: FakeClock;
let server: ReturnType<typeof createWyomingServer>;
let port: number;
let log: { about: object; message: string }[];
let answer: WyomingServices['answer'];

const never = () => {
  throw new Error('it was not asked for');
};

beforeEach(async () => {
  clock = createFakeClock();
  log = [];
  answer = never;
  server = createWyomingServer({
    log: { warn: (about: object, message: string) => log.push({ about, message }) },
    allowed: ['127.0.0.1'],
    clock,
    info: () => ({ asr: [] }),
    open: never,
    answer: (question, signal) => answer(question, signal),
    languageIn: () => undefined,
    speaker: never,
    wakeWords: () => [],
    onFault: never,
  });
  port = await server.listen({ address: '127.0.0.1', port: 0 });
});
afterEach(() => server.stop());

const said = () => log.map(({ message }) => message);

describe('silent Wyoming callers', () => {
  test('200 of them lock others out only briefly, and are logged once', async () => {
    const silent = await Promise.all(Array.from({ length: 200 }, () => connectWyoming(port)));
    const away = () => silent.filter(({ hasEnded }) => hasEnded()).length;
    await waitFor(async () => away() === 200 - 64);

    await clock.pass(15_000);
    await waitFor(async () => away() === 200);
    const caller = await connectWyoming(port);
    caller.send('describe');

    expect((await caller.event('info')).data).toEqual({ asr: [] });
    expect(said()).toEqual([
      'a Wyoming client was refused: too many are connected',
      'a Wyoming client was disconnected',
    ]);
    caller.leave();
  });

  test('one with an earlier event may be silent', async () => {
    const caller = await connectWyoming(port);
    caller.send('describe');
    await caller.event('info');

    await clock.pass(60_000);
    caller.send('ping', { text: 'still here' });

    expect((await caller.event('pong')).data).toEqual({ text: 'still here' });
    caller.leave();
  });
});

describe('invalid Wyoming messages', () => {
  test('valid ones before them in the same packet are answered', async () => {
    const caller = await connectWyoming(port);
    const ping = frameOf({ type: 'ping', data: { text: 'before' } });
    caller.raw(Buffer.concat([ping, Buffer.from('nonsense\n'), ping]));
    await caller.ended();

    expect(caller.types()).toEqual(['pong', 'error']);
    expect(said()).toEqual(['a Wyoming client was disconnected']);
  });

  test('an incomplete message times out, and its caller gets an error', async () => {
    const caller = await connectWyoming(port);
    caller.send('ping', { text: 'first' });
    await caller.event('pong');
    caller.raw('{"type":"audio-chunk","payload_len');
    caller.raw('gth":1000}\n');
    await waitFor(async () => clock.waiting > 0);

    await clock.pass(15_000);
    await caller.ended();

    expect(caller.events.at(-1)?.data).toEqual({
      text: 'No complete message arrived.',
      code: 'invalid_request',
    });
  });

  test('a header of a gigabyte is read only to its limit, and logged once', async () => {
    let sent = 0;
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const caller = await connectWyoming(port);
      for (let megabytes = 0; megabytes < 1_000 && !caller.hasEnded(); megabytes += 1) {
        const isTaken = caller.raw(Buffer.alloc(1_000_000, 'x'));
        sent += 1;
        if (!isTaken) await caller.drained();
      }
      await caller.ended();
      expect(caller.events.length).toBeLessThanOrEqual(1);
    }

    expect(sent).toBeLessThan(200);
    expect(said()).toEqual(['a Wyoming client was disconnected']);
  });
});

describe('many Wyoming requests at once', () => {
  test('wait beyond 32 per connection, even in one packet, and are answered in order', async () => {
    const asked: string[] = [];
    const replies: (() => void)[] = [];
    answer = ({ text }) => {
      asked.push(text);
      const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<WyomingServices['answer']>>>();
      replies.push(() => resolve({ text, isHandled: true }));
      return promise;
    };
    const questions = Array.from({ length: 100 }, (_, at) => `question ${at}`);
    const caller = await connectWyoming(port);
    const frames = questions.map((text) => frameOf({ type: 'transcript', data: { text } }));
    caller.raw(Buffer.concat(frames));
    const other = await connectWyoming(port);
    other.send('ping');
    await other.event('pong');

    expect(asked).toEqual(questions.slice(0, 32));
    while (replies.length > 0) {
      replies.shift()?.();
      await setImmediate();
    }
    await waitFor(async () => caller.events.length === 100);

    expect(caller.events.map(({ data }) => data['text'])).toEqual(questions);
    caller.leave();
    other.leave();
  });
});
