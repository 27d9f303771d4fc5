/** @module-tag slow */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { replyOf } from '../support/clients/caller.ts';
import { openChat } from '../support/clients/chat-caller.ts';
import { wordsOf } from '../support/clients/chat-events.ts';
import { dies, hangs, says, stalls, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { neverSpeaks, soundOf, startFakePiper } from '../support/fakes/fake-piper.ts';
import { neverHears, startFakeStt } from '../support/fakes/fake-stt.ts';
import { startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { recordingOf, spokenAnswerOf, wordsIn } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const serverSchema = z.object({
  replicas: z.array(z.object({ url: z.string(), state: z.string(), pace_ms: z.number().nullable() })),
});

let redis: OwnRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.stop());

const running: { stop(): unknown }[] = [];
async function kept<T extends { stop(): unknown }>(started: T | Promise<T>): Promise<T> {
  const part = await started;
  running.push(part);
  return part;
}
afterEach(async () => {
  for (const part of running.splice(0).reverse()) await part.stop();
});

/** Names of the servers whose speed is known, fastest first. */
const measured = async ({ call }: Awaited<ReturnType<typeof startAssistant>>): Promise<string[]> => {
  const { replicas } = serverSchema.parse((await call('/admin/servers/llm')).body);
  const known = replicas.filter(({ pace_ms: ms }) => ms !== null);
  return known.toSorted((one, other) => (one.pace_ms ?? 0) - (other.pace_ms ?? 0)).map(({ url }) => url);
};
const ready = async ({ call }: Awaited<ReturnType<typeof startAssistant>>): Promise<number> => {
  const { replicas } = serverSchema.parse((await call('/admin/servers/llm')).body);
  return replicas.filter(({ state }) => state === 'ready').length;
};
const slowAndFast = async () => {
  const slow = await kept(startFakeLlm({ paceMs: 100 }));
  const fast = await kept(startFakeLlm({ slots: 1 }));
  const assistant = await kept(
    startAssistant({
      redisUrl: redis.url,
      llmUrl: `${slow.url},${fast.url}`,
      sttUrl: 'off',
      ttsUrl: 'off',
    }),
  );
  await waitFor(async () => (await measured(assistant)).length === 2);
  return { slow, fast, assistant };
};

describe('a faster language model', () => {
  test('gets every question while it has a free slot', async () => {
    const { slow, fast, assistant } = await slowAndFast();
    expect(await measured(assistant)).toEqual([fast.url, slow.url]);

    for (const client of ['anna', 'ben', 'kitchen', 'hall']) await assistant.ask('Hello?', { client });
    expect([fast.calls.length, slow.calls.length]).toEqual([4, 0]);

    fast.answers(() => stalls);
    const first = assistant.ask('Hello?', { client: 'anna' });
    await waitFor(() => fast.busy > 0);
    expect(replyOf(await assistant.ask('Hello?', { client: 'ben' }))).toBe('Yes.');
    expect([fast.calls.length, slow.calls.length]).toEqual([5, 1]);

    await fast.stop();
    expect(replyOf(await first)).toBe('Yes.');
  });

  test('gets the questions again after it was away', async () => {
    const { slow, fast, assistant } = await slowAndFast();
    await fast.stop();
    expect(replyOf(await assistant.ask('Hello?', { client: 'anna' }))).toBe('Yes.');
    expect(slow.calls.length).toBe(1);
    await waitFor(async () => (await ready(assistant)) === 1);

    await fast.start();
    await waitFor(async () => (await ready(assistant)) === 2, { withinMs: 30_000 });
    await assistant.ask('Hello?', { client: 'anna' });
    expect([fast.calls.length, slow.calls.length]).toEqual([1, 1]);
  });
});

describe('a language model that gives no first word', () => {
  /** The fast one has answered often, so its usual time is known. */
  const whoKnow = async () => {
    const { slow, fast, assistant } = await slowAndFast();
    fast.answers(() => 'The fast one speaks.');
    slow.answers(() => 'The slow one speaks.');
    for (let round = 0; round < 3; round += 1) await assistant.ask('Hello?', { client: 'anna' });
    expect([fast.calls.length, slow.calls.length]).toEqual([3, 0]);
    return { slow, fast, assistant };
  };

  test('is left for the next one long before it counts as silent', async () => {
    const { slow, fast, assistant } = await whoKnow();
    fast.answers(() => hangs);

    // It still answers its health check, so without the other one the question would wait for half a minute.
    expect(replyOf(await assistant.ask('Hello?', { client: 'anna' }))).toBe('The slow one speaks.');
    expect(slow.calls.length).toBe(1);
    await waitFor(() => fast.left === 1);
  });

  test('may speak at the same moment: one of the two answers', async () => {
    const { slow, fast, assistant } = await whoKnow();
    const texts: string[] = [];
    for (let round = 1; round <= 4; round += 1) {
      fast.answers(() => async (wire, call) => {
        await waitFor(() => slow.calls.length === round);
        await says('The fast one speaks.')(wire, call);
      });
      const chat = await openChat(assistant.address, { messages: [{ role: 'user', content: 'Hello?' }] });
      texts.push(wordsOf(await chat.whole()));
    }

    const whole = ['The fast one speaks.', 'The slow one speaks.'];
    expect(texts.filter((text) => !whole.includes(text))).toEqual([]);
    expect([fast.calls.length, slow.calls.length]).toEqual([7, 4]);
  });
});

/** Two of each engine, and the clients that use them. */
async function twoOfEach() {
  const [llms, stts, voices] = await Promise.all([
    Promise.all([kept(startFakeLlm()), kept(startFakeLlm())]),
    Promise.all([1, 2].map(() => kept(startFakeStt({ installed: ['whisper'], hears: wordsIn })))),
    Promise.all([kept(startFakePiper()), kept(startFakePiper())]),
  ]);
  const all = (servers: readonly { url: string }[]) => servers.map(({ url }) => url).join(',');
  const assistant = await kept(
    startAssistant({ redisUrl: redis.url, llmUrl: all(llms), sttUrl: all(stts), ttsUrl: all(voices) }),
  );
  return { llms, stts, voices, assistant };
}

test('a speech recognition that gives no transcript is left for the next one', async () => {
  const { stts, assistant } = await twoOfEach();
  const transcriptOf = async () =>
    spokenAnswerOf(await assistant.voice(recordingOf('What time is it?'))).heard;
  while (stts.some(({ calls }) => calls.length === 0)) await transcriptOf();

  const [first] = stts;
  first?.hears(() => neverHears);
  const before = first?.calls.length ?? 0;
  while (first?.calls.length === before) expect(await transcriptOf()).toBe('What time is it?');
});

describe('a request whose replica dies', () => {
  test('is retried once if it is a question', async () => {
    const { llms, assistant } = await twoOfEach();
    for (const llm of llms) llm.answers(() => (llms.every(({ calls }) => calls.length > 0) ? 'Yes.' : hangs));

    const asked = assistant.ask('Hello?', { client: 'one' });
    const struck = await waitFor(() => llms.find(({ busy }) => busy > 0) ?? false);
    await struck.stop();

    expect(replyOf(await asked)).toBe('Yes.');
    expect(llms.map(({ calls }) => calls.length)).toEqual([1, 1]);
  });

  test('is retried once if it is a recording', async () => {
    const { stts, assistant } = await twoOfEach();
    for (const stt of stts) {
      stt.hears((call) => (stts.every(({ calls }) => calls.length > 0) ? wordsIn(call) : neverHears));
    }

    const asked = assistant.voice(recordingOf('What time is it?'));
    const struck = await waitFor(() => stts.find(({ busy }) => busy > 0) ?? false);
    struck.stop();

    expect(spokenAnswerOf(await asked).heard).toBe('What time is it?');
    expect(stts.map(({ calls }) => calls.length)).toEqual([1, 1]);
  });

  test('is retried once if it is a sentence, in the same voice', async () => {
    const { voices, assistant } = await twoOfEach();
    const both = () => voices.every(({ texts }) => texts.length > 0);
    for (const voice of voices) voice.speaks((call) => (both() ? soundOf(call.text) : neverSpeaks(call)));

    const asked = assistant.voice(recordingOf('What time is it?'));
    const struck = await waitFor(() => voices.find(({ texts }) => texts.length > 0) ?? false);
    struck.stop();

    // The fallback voice speaks at another rate.
    expect(spokenAnswerOf(await asked).sound?.sampleRateHz).toBe(22_050);
    expect(voices.map(({ texts }) => texts.length)).toEqual([1, 1]);
  });

  test('repeats no word', async () => {
    const { llms, assistant } = await twoOfEach();
    for (const llm of llms) {
      llm.answers(() =>
        llms.every(({ calls }) => calls.length > 0) ? 'The capital of France is Paris.' : dies,
      );
    }
    const messages = [{ role: 'user', content: 'What is the capital of France?' }];

    const chat = await openChat(assistant.address, { messages });
    const said = wordsOf(await chat.whole());

    expect(said).not.toMatch(/The capital.*The capital/);
  });

  test('shows the dead replica beside the other one', async () => {
    const { llms, assistant } = await twoOfEach();
    await llms[0].stop();
    replyOf(await assistant.ask('Hello?', { client: 'a' }));

    const server = async () => (await assistant.call('/admin/servers/llm')).body;
    const isDown = expect.stringMatching(/^(failed|starting)$/);
    await expect.poll(server).toMatchObject({
      state: 'ready',
      replicas: [
        { url: llms[0].url, state: isDown },
        { url: llms[1].url, state: 'ready' },
      ],
    });
  });
});
