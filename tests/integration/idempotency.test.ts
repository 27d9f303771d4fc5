/** @module-tag slow */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OpenAI } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../api/src/errors.ts';
import { machineClock } from '../../api/src/redis/household-clock.ts';
import { createIdempotencyStore, idempotencyRecordKey } from '../../api/src/turn/idempotency-store.ts';
import type { Turn } from '../../api/src/turn/turn.ts';
import { createTurnStore } from '../../api/src/turn/turn-store.ts';
import { type Answer, type CallOptions, createCaller, errorOf, replyOf } from '../support/clients/caller.ts';
import { openChat } from '../support/clients/chat-caller.ts';
import { wordsOf } from '../support/clients/chat-events.ts';
import { dies, hangs, says, stalls } from '../support/fakes/fake-llm.ts';
import { isReady, type RunningApi, startApi, startAssistant } from '../support/servers/assistant.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startRedis } from '../support/servers/own-redis.ts';
import { startProcess } from '../support/servers/processes.ts';
import {
  recordingOf,
  spokenAnswerOf,
  startVoiceEngines,
  startVoiceHousehold,
  type VoiceHousehold,
} from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const owner = 'Correct-Horse-Battery-Staple';
const env = { SERVICE_TOKEN: owner };

let house: VoiceHousehold;
/** A second api on the same Redis. */
let other: RunningApi;

beforeAll(async () => {
  house = await startVoiceHousehold({ slots: 4, env });
  other = await startApi({ ...house.urls, env });
  await isReady(other);
});
beforeEach(() => house.forget());
afterAll(async () => {
  await other?.stop();
  await house?.stop();
});

const keyed = (key: string, token = owner): CallOptions => ({
  headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
});
const asOwner: CallOptions = { headers: { authorization: `Bearer ${owner}` } };
const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true';
const recordKeys = () => house.store.keys('hearth:idempotency:*');
const slowly = says('one two three four five six', { intervalMs: 30 });

/** Asks, and hangs up as soon as the model works on it. */
async function askAndHangUp(text: string, key: string, api: Pick<RunningApi, 'ask'> = house.assistant) {
  const caller = new AbortController();
  const before = house.llm.calls.length;
  const call = api
    .ask(text, { client: key }, { ...keyed(key), signal: caller.signal })
    .catch(() => 'hung up');
  await waitFor(() => house.llm.calls.length > before, { what: 'the model is asked' });
  caller.abort();
  expect(await call).toBe('hung up');
}
async function timersSet(): Promise<number> {
  const { body } = await house.assistant.call('/admin/timers', asOwner);
  return z.object({ timers: z.array(z.unknown()) }).parse(body).timers.length;
}

describe('a question with the same key', () => {
  test('is answered once, with the same body and the id of its turn', async () => {
    const [key, question] = [randomUUID(), 'What is the capital of France?'];
    const first = await house.assistant.ask(question, { client: key }, keyed(key));

    const again = await house.assistant.ask(question, { client: key }, keyed(key));
    const elsewhere = await other.ask(question, { client: key }, keyed(key));

    expect([again.text, elsewhere.text]).toEqual([first.text, first.text]);
    expect([first, again, elsewhere].map(isReplay)).toEqual([false, true, true]);
    expect(new Set([first, again, elsewhere].map(({ headers }) => headers['x-request-id'])).size).toBe(1);
    expect(house.llm.calls).toHaveLength(1);
    expect(await house.store.llen(`hearth:conversation:${key}:exchanges`)).toBe(1);
  });

  test('acts once', async () => {
    const key = randomUUID();
    const before = await timersSet();

    const answers = [
      await house.assistant.ask('Set a timer for ten minutes.', { client: key }, keyed(key)),
      await other.ask('Set a timer for ten minutes.', { client: key }, keyed(key)),
    ];

    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect((await timersSet()) - before).toBe(1);
  });

  test('continues after its caller has hung up, and the next one gets the answer', async () => {
    house.llm.answers(() => slowly);
    const key = randomUUID();
    await askAndHangUp('Count to six.', key);

    const again = await other.ask('Count to six.', { client: key }, keyed(key));

    expect(replyOf(again)).toBe('one two three four five six');
    expect(isReplay(again)).toBe(true);
    expect(house.llm.calls).toHaveLength(1);
  });

  test('waits until the first is answered: ten at once are one turn', async () => {
    house.llm.answers(() => slowly);
    const key = randomUUID();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 ? house.assistant : other).ask('Count to six.', { client: key }, keyed(key)),
      ),
    );

    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(replyOf)[0]).toBe('one two three four five six');
    expect(answers.filter(isReplay)).toHaveLength(9);
    expect(house.llm.calls).toHaveLength(1);
  });

  test('stops waiting if its own caller disconnects, and the first continues', async () => {
    house.llm.answers(() => slowly);
    const key = randomUUID();
    const first = house.assistant.ask('Count to six.', { client: key }, keyed(key));
    await waitFor(() => house.llm.busy === 1);
    const caller = new AbortController();
    const second = house.assistant
      .ask('Count to six.', { client: key }, { ...keyed(key), signal: caller.signal })
      .catch(() => 'hung up');
    await delay(50);

    caller.abort();

    expect(await second).toBe('hung up');
    expect(replyOf(await first)).toBe('one two three four five six');
  });

  test('is refused with another body, or at another address', async () => {
    const key = randomUUID();
    await house.assistant.ask('What is the capital of France?', {}, keyed(key));

    const refused = [
      await other.ask('What is the capital of Spain?', {}, keyed(key)),
      await house.assistant.ask('What is the capital of France?', { client: 'else' }, keyed(key)),
      await house.assistant.call('/v1/chat/completions', {
        ...keyed(key),
        body: { messages: [{ role: 'user', content: 'What is the capital of France?' }] },
      }),
    ];

    expect(refused.map(errorOf)).toEqual(
      Array.from({ length: 3 }, () => ({ status: 422, code: 'idempotency_key_reused' })),
    );
    expect(house.llm.calls).toHaveLength(1);
  });

  test('of another token is another question', async () => {
    const { body } = await house.assistant.call('/admin/tokens', {
      ...asOwner,
      body: { name: `device-${randomUUID().slice(0, 8)}`, scope: 'talk' },
    });
    const { token } = z.object({ token: z.string() }).parse(body);
    const key = randomUUID();
    house.llm.answers(() => 'The secret of the owner.');
    await house.assistant.ask('What is it?', {}, keyed(key));
    house.llm.answers(() => 'Nothing.');

    const answer = await house.assistant.ask('What is it?', {}, keyed(key, token));

    expect(replyOf(answer)).toBe('Nothing.');
    expect(isReplay(answer)).toBe(false);
  });

  test.each([
    ['is empty', ''],
    ['is too long', 'k'.repeat(256)],
    ['is two', 'one, two'],
  ])('that %s is refused', async (_what, key) => {
    const answer = await house.assistant.ask('Hello?', {}, keyed(key));

    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    expect(z.object({ error: z.object({ param: z.string() }) }).parse(answer.body).error.param).toBe(
      'idempotency-key',
    );
    expect(house.llm.calls).toEqual([]);
  });

  test('ends with its caller if it has no key', async () => {
    house.llm.answers(() => stalls);
    const caller = new AbortController();
    const call = house.assistant
      .ask('Well?', {}, { ...asOwner, signal: caller.signal })
      .catch(() => 'hung up');
    await waitFor(() => house.llm.busy === 1);

    caller.abort();

    await waitFor(() => house.llm.busy === 0, { what: 'the model stops' });
    expect(await call).toBe('hung up');
  });
});

describe('a recording with the same key', () => {
  test('is answered once, in words and as sound', async () => {
    house.llm.answers(() => 'Paris. It lies on the Seine.');
    const key = randomUUID();
    const ask = (api: Pick<RunningApi, 'voice'>, client: string = key) =>
      api.voice(recordingOf('What is the capital of France?'), { client }, keyed(key));
    const first = await ask(house.assistant);

    const again = await ask(house.assistant);
    const elsewhere = await ask(other);

    expect(spokenAnswerOf(first)).toMatchObject({ reply: 'Paris. It lies on the Seine.' });
    expect(again.text).toBe(first.text);
    expect(elsewhere.text).toBe(first.text);
    expect(house.stt.calls).toHaveLength(1);
    expect(house.llm.calls).toHaveLength(1);
    expect(errorOf(await ask(other, 'else'))).toMatchObject({ status: 422 });
    const sound = await other.voice(recordingOf('Something else?'), { client: key }, keyed(key));
    const headers = { ...keyed(key).headers, 'content-type': 'audio/wav' };
    const type = await other.voice(
      recordingOf('What is the capital of France?'),
      { client: key },
      { headers },
    );
    expect([sound, type].map(errorOf)).toMatchObject([{ status: 422 }, { status: 422 }]);
  });

  test('continues after its caller has hung up', async () => {
    house.llm.answers(() => slowly);
    const key = randomUUID();
    const caller = new AbortController();
    const options = { ...keyed(key), signal: caller.signal };
    const call = house.assistant.voice(recordingOf('Count to six.'), { client: key }, options);
    const ended = call.catch(() => 'hung up');
    await waitFor(() => house.llm.busy === 1);
    caller.abort();
    expect(await ended).toBe('hung up');

    const again = await other.voice(recordingOf('Count to six.'), { client: key }, keyed(key));

    const { reply, sound } = spokenAnswerOf(again);
    expect(reply).toMatch(/^one two three four five six/);
    expect(sound).not.toBeNull();
    expect(house.llm.calls).toHaveLength(1);
  });
});

describe('a chat completion with the same key', () => {
  const messages = [{ role: 'user', content: 'Count to six.' }];
  const complete = (api: Pick<RunningApi, 'call'>, key: string) =>
    api.call('/v1/chat/completions', { ...keyed(key), body: { messages } });
  const stream = (api: Pick<RunningApi, 'address'>, key: string) =>
    openChat(api.address, { messages }, { headers: keyed(key).headers ?? {} });

  test('is answered once, byte for byte the same', async () => {
    const key = randomUUID();
    const first = await complete(house.assistant, key);

    const again = await complete(other, key);

    expect(again.text).toBe(first.text);
    expect(again.headers['x-hearth-via']).toBe(first.headers['x-hearth-via']);
    expect(isReplay(again)).toBe(true);
    expect(house.llm.calls).toHaveLength(1);
  });

  test('is streamed again with the same words and the same id', async () => {
    house.llm.answers(() => slowly);
    const key = randomUUID();
    const first = await (await stream(house.assistant, key)).whole();

    const again = await stream(other, key);
    const events = await again.whole();

    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(wordsOf(events)).toBe(wordsOf(first));
    expect(wordsOf(events)).toBe('one two three four five six');
    expect(events.at(-1)).toEqual(first.at(-1));
    expect(idsOf(events)).toEqual(idsOf(first));
    expect(house.llm.calls).toHaveLength(1);
  });

  test('is complete although the first stream broke', async () => {
    house.llm.answers(() => slowly);
    const key = randomUUID();
    const first = await stream(house.assistant, key);
    await first.words('two');
    first.hangUp();

    const again = await (await stream(other, key)).whole();

    expect(wordsOf(again)).toBe('one two three four five six');
    expect(house.llm.calls).toHaveLength(1);
  });

  test('is another request when it is streamed', async () => {
    const key = randomUUID();
    await complete(house.assistant, key);

    expect((await stream(house.assistant, key)).status).toBe(422);
  });
});

const idsOf = (events: readonly unknown[]) => [...new Set(JSON.stringify(events).match(/chatcmpl-[\w-]+/g))];

describe('a failure', () => {
  const question = 'What is the capital of France?';
  const recordKey = async (): Promise<string> => {
    const [name, ...others] = await recordKeys();
    if (name === undefined || others.length > 0) throw new Error('there should be one record');
    return name;
  };
  beforeEach(async () => {
    const names = await house.store.keys('hearth:idempotency*');
    if (names.length > 0) await house.store.del(...names);
  });

  test('before any action is not stored: the next request tries again', async () => {
    const key = randomUUID();
    house.llm.answers(() => dies);
    const failed = await house.assistant.ask(question, {}, keyed(key));
    house.llm.answers(() => 'Paris.');

    const again = await house.assistant.ask(question, {}, keyed(key));
    const third = await other.ask(question, {}, keyed(key));

    expect(failed.status).toBeGreaterThanOrEqual(502);
    expect([again, third].map(replyOf)).toEqual(['Paris.', 'Paris.']);
    expect([again, third].map(isReplay)).toEqual([false, true]);
    expect(house.llm.calls).toHaveLength(2);
  });

  test('is sent to all callers that wait for it', async () => {
    const key = randomUUID();
    house.llm.answers(() => dies);

    const answers = await Promise.all(
      [house.assistant, other, other].map((api) => api.ask(question, {}, keyed(key))),
    );

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(1);
    expect(answers.filter(isReplay)).toHaveLength(2);
    expect(house.llm.calls).toHaveLength(1);
  });

  test('after a possible action is stored: no action repeats', async () => {
    const key = randomUUID();
    const end = Promise.withResolvers<void>();
    house.llm.answers(() => async (wire, call) => {
      await end.promise;
      await dies(wire, call);
    });
    const first = house.assistant.ask(question, {}, keyed(key));
    await waitFor(() => house.llm.busy === 1);
    const turns = createTurnStore({ redis: house.store });
    const turnId = (await house.store.hget(await recordKey(), 'turn')) ?? '';
    expect(await turns.mayAct(turnId)).toBe(true);
    end.resolve();
    const failed = await first;
    house.llm.answers(() => 'Paris.');

    const again = await other.ask(question, {}, keyed(key));

    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect([again.status, again.text, isReplay(again)]).toEqual([failed.status, failed.text, true]);
    expect(house.llm.calls).toHaveLength(1);
    expect(await turns.mayAct(turnId)).toBe(false);
  });

  test('leaves nothing to do for a turn that comes too late', async () => {
    const idempotency = createIdempotencyStore({ redis: house.store, clock: machineClock });
    const turns = createTurnStore({ redis: house.store });
    const request = { caller: 'late', id: randomUUID(), fingerprint: 'same' };
    const [late, next] = [aTurn(), aTurn()];
    await idempotency.reserve(request, late.id);
    await turns.admit(late, 64, idempotencyRecordKey(request));

    const settled = await idempotency.settle(request, late.id, new AppError('worker_unavailable'));
    const reservedAgain = await idempotency.reserve(request, next.id);

    expect(settled).toBe('freed');
    expect(reservedAgain?.turnId).toBe(next.id);
    expect(await turns.mayAct(late.id)).toBe(false);
    await expect(turns.admit(late, 64, idempotencyRecordKey(request))).rejects.toMatchObject({
      code: 'turn_timeout',
    });
    expect(await turns.admit(next, 64, idempotencyRecordKey(request))).toBe(true);
    await Promise.all([late, next].map((turn) => turns.cancel(turn)));
  });

  test('is the answer to a caller with too many keys', async () => {
    await house.assistant.ask(question, {}, keyed('the-first'));
    const [all = ''] = await house.store.keys('hearth:idempotency-of:*');
    const inAnHour = Math.round(Date.now() / 1_000) + 3_600;
    for (let at = 0; at < 1_000; at += 1) await house.store.zadd(all, inAnHour, `record-${at}`);

    const refused = await other.ask(question, {}, keyed(randomUUID()));
    const known = await other.ask(question, {}, keyed('the-first'));
    const unkeyed = await other.ask(question, {}, asOwner);

    expect(errorOf(refused)).toEqual({ status: 429, code: 'overloaded' });
    expect([known.status, unkeyed.status]).toEqual([200, 200]);
    await house.store.del(all);
  });
});

function aTurn(): Turn {
  const now = Date.now();
  return {
    id: randomUUID(),
    source: 'ask',
    text: 'Well?',
    isSure: true,
    conversation: null,
    room: null,
    createdAt: now,
    deadlineAt: now + 60_000,
    replyTo: 'nobody',
    streams: false,
    speaks: false,
    isTentative: false,
    revision: 1,
  };
}

describe('a stored answer', () => {
  test('contains no words, and expires after ten minutes', async () => {
    const key = randomUUID();
    await house.assistant.ask('What is the capital of Zanzibar?', {}, keyed(key));

    const kept = await Promise.all(
      (await recordKeys()).map(async (name) => JSON.stringify(await house.store.hgetall(name))),
    );
    const ttls = await Promise.all((await recordKeys()).map((name) => house.store.ttl(name)));
    const lasts = ttls.filter((ttl) => ttl !== -2); // -2: it expired since it was listed

    expect(kept.length).toBeGreaterThan(0);
    // Without the quotation mark, "Yes" also occurs in digests.
    expect(kept.join()).not.toMatch(/Zanzibar|"Yes/);
    expect((await recordKeys()).join() + kept.join()).not.toContain(key);
    expect(Math.max(...lasts)).toBeLessThanOrEqual(600);
    expect(Math.min(...lasts)).toBeGreaterThan(0);
  });

  test('is gone with its conversation, and is not carried out again', async () => {
    const key = randomUUID();
    await house.assistant.ask('Set a timer for ten minutes.', { client: key }, keyed(key));
    const before = await timersSet();

    await house.assistant.call(`/admin/conversations/${key}`, { ...asOwner, method: 'DELETE' });
    const again = await other.ask('Set a timer for ten minutes.', { client: key }, keyed(key));

    expect(errorOf(again)).toEqual({ status: 409, code: 'answer_gone' });
    expect(await timersSet()).toBe(before);
  });

  test('is forgotten after its lifetime, and the request is a new one', async () => {
    const key = randomUUID();
    await house.assistant.ask('Well?', {}, keyed(key));
    for (const name of await recordKeys()) await house.store.pexpire(name, 1);
    await waitFor(async () => (await recordKeys()).length === 0);

    const again = await house.assistant.ask('Well?', {}, keyed(key));

    expect([replyOf(again), isReplay(again)]).toEqual(['Yes.', false]);
  });
});

describe('the real OpenAI client', () => {
  test('gets the answer when it retries after a broken connection', async () => {
    house.llm.answers(() => slowly);
    let broken = 0;
    const breaksOnce: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (broken > 0) return response;
      broken += 1;
      throw new TypeError('fetch failed');
    };
    const baseURL = `${house.assistant.address}/v1`;
    const client = new OpenAI({ baseURL, apiKey: owner, fetch: breaksOnce });
    const body = { model: 'assistant', messages: [{ role: 'user' as const, content: 'Count to six.' }] };

    const answer = await client.chat.completions.create(body, {
      headers: { 'Idempotency-Key': randomUUID() },
    });

    expect(answer.choices[0]?.message.content).toBe('one two three four five six');
    expect(broken).toBe(1);
    expect(house.llm.calls).toHaveLength(1);
  });
});

describe('a crash in the middle', () => {
  const slow = says('one two three four five six', { intervalMs: 150 });

  test('of an api: another one returns the answer of the turn that continued', async () => {
    house.llm.answers(() => slow);
    const key = randomUUID();
    const port = await freePort();
    const { redisUrl, llmUrl } = house.urls;
    const server = await startProcess('server', {
      ...env,
      REDIS_URL: redisUrl,
      LLM_URL: llmUrl,
      PORT: String(port),
    });
    const caller = createCaller(`http://127.0.0.1:${port}`);
    await isReady(caller);
    const first = caller.ask('Count to six.', { client: key }, keyed(key)).catch(() => 'broken');
    await waitFor(() => house.llm.busy === 1);

    await server.end('SIGKILL');
    const again = await other.ask('Count to six.', { client: key }, keyed(key));

    expect(await first).toBe('broken');
    expect(replyOf(again)).toBe('one two three four five six');
    expect(isReplay(again)).toBe(true);
    expect(house.llm.calls).toHaveLength(1);
    await caller.close();
  });

  test('of the only worker: all waiting callers get an error, and the next one tries again', async () => {
    const engines = await startVoiceEngines();
    const { redisUrl, llmUrl } = engines.urls;
    const parts = { REDIS_URL: redisUrl, LLM_URL: llmUrl };
    const [api, worker] = await Promise.all([startApi({ redisUrl, llmUrl }), startProcess('worker', parts)]);
    await isReady(api);
    engines.llm.answers(() => hangs);
    const withKey = { headers: { 'idempotency-key': 'the-key' } };
    const asked = [1, 2].map(() => api.ask('Doomed?', {}, withKey));
    await waitFor(() => engines.llm.busy === 1);

    await worker.end('SIGKILL');
    const told = await Promise.all(asked);
    engines.llm.answers(() => 'Yes.');
    const next = await startProcess('worker', parts);
    const again = await waitFor(
      async () => {
        const answer = await api.ask('Doomed?', {}, withKey);
        return answer.status === 200 && answer;
      },
      { what: 'the next worker answers' },
    );

    expect(told.map(errorOf)).toEqual([1, 2].map(() => ({ status: 503, code: 'worker_unavailable' })));
    expect([replyOf(again), isReplay(again)]).toEqual(['Yes.', false]);
    await next.end('SIGKILL');
    await api.stop();
    await engines.stop();
  });

  test('of Redis: a finished action is not repeated', async () => {
    const redis = await startRedis({ isKept: true });
    const assistant = await startAssistant({ redisUrl: redis.url, llmUrl: house.urls.llmUrl });
    const withKey = { headers: { 'idempotency-key': 'the-key' } };
    await assistant.ask('Set a timer for ten minutes.', {}, withKey);

    await redis.kill();
    await redis.revive();
    await isReady(assistant);
    const again = await assistant.ask('Set a timer for ten minutes.', {}, withKey);
    const { body } = await assistant.call('/admin/timers');

    expect(errorOf(again)).toEqual({ status: 409, code: 'answer_gone' });
    expect(z.object({ timers: z.array(z.unknown()) }).parse(body).timers).toHaveLength(1);
    await assistant.stop();
    await redis.stop();
  });
});
