import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRealtime } from '../support/clients/realtime-client.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;
let openai: OpenAI;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ sees: true, tools: true })]);
  llm.answers(() => 'A cat on a mat.');
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  openai = new OpenAI({ baseURL: `${assistant.address}/v1`, apiKey: 'any', maxRetries: 0 });
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

const model = 'assistant';
const cat = 'data:image/png;base64,iVBORw0KGgpjYXQ=';
const dog = 'data:image/jpeg;base64,/9j/4AAQdog=';
const question = 'What is in this picture?';

const asked = (url: string, text = question) => ({
  role: 'user' as const,
  content: [
    { type: 'text' as const, text },
    { type: 'image_url' as const, image_url: { url } },
  ],
});
const shownLast = () => {
  const last = llm.calls.at(-1)?.body.messages.at(-1);
  return last && 'pictures' in last ? last.pictures : [];
};

describe('a picture for a model that can see', () => {
  test('reaches it with the question, and without tools', async () => {
    const request = { model, messages: [asked(cat)] };
    const whole = await openai.chat.completions.create(request);
    const streamed = await openai.chat.completions.stream(request).finalContent();
    const shown = shownLast();
    const response = await openai.responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: dog, detail: 'auto' },
          ],
        },
      ],
    });

    expect([whole.choices[0]?.message.content, streamed, response.output_text]).toEqual(
      Array(3).fill('A cat on a mat.'),
    );
    expect([shown, shownLast()]).toEqual([[cat], [dog]]);
    expect(llm.callsFor(question)[0]?.body.tools).toBeUndefined();
  });

  test('bypasses the rules, for any question about it', async () => {
    await openai.chat.completions.create({ model, messages: [asked(cat, 'What time is it?')] });

    expect([llm.calls.at(-1)?.question, shownLast()]).toEqual(['What time is it?', [cat]]);
  });

  test('without words gets a question', async () => {
    const content = [{ type: 'image_url' as const, image_url: { url: cat } }];

    await openai.chat.completions.create({ model, messages: [{ role: 'user', content }] });

    expect(llm.calls.at(-1)?.question).toBe('What do you see in this picture?');
  });

  test('is included with later questions, which rules may answer', async () => {
    const before = [asked(cat), { role: 'assistant' as const, content: 'A cat on a mat.' }];
    const ask = (content: string) =>
      openai.chat.completions.create({ model, messages: [...before, { role: 'user', content }] });

    await ask('Which colour does it have?');
    const shown = shownLast();
    const time = await ask('What time is it?');

    expect(shown).toEqual([cat]);
    expect(time.choices[0]?.message.content).toMatch(/^It is \d/);
  });

  test('is stored in no turn, and in no conversation', async () => {
    await openai.chat.completions.create({ model, messages: [asked(cat)], user: 'anna' });
    const store = await connectTo(redis.url);

    const kept = await store.eval(
      `local all = ''
       for _, key in ipairs(redis.call('KEYS', 'hearth:*')) do all = all .. (redis.call('DUMP', key) or '') end
       return {string.find(all, 'iVBORw0KGgpjYXQ', 1, true) and 1 or 0, #all > 1000 and 1 or 0}`,
      0,
    );
    store.disconnect();

    expect(kept).toEqual([0, 1]);
  });

  test.each([
    ['at an address elsewhere', 'https://example.org/cat.png', /fetches no pictures/],
    ['of another kind', 'data:image/svg+xml;base64,PHN2Zy8+', /image\/png/],
    ['that is not base64', 'data:image/png;base64,%%%', /image\/png/],
    ['that is too large', `data:image/png;base64,${'A'.repeat(10_000_000)}`, /too large/],
  ])('%s is refused, and the model is not asked', async (_what, url, message) => {
    const before = llm.calls.length;

    const call = openai.chat.completions.create({ model, messages: [asked(url)] });

    await expect(call).rejects.toMatchObject({ status: 400, code: 'invalid_request', param: 'messages' });
    await expect(call).rejects.toThrow(message);
    expect(llm.calls.length).toBe(before);
  });

  test('beyond the fourth is refused', async () => {
    const content = Array.from({ length: 5 }, () => ({
      type: 'image_url' as const,
      image_url: { url: cat },
    }));

    const call = openai.chat.completions.create({ model, messages: [{ role: 'user', content }] });

    await expect(call).rejects.toThrow(/More than 4 pictures/);
  });

  test('that the model cannot read returns that error', async () => {
    const call = openai.chat.completions.create({
      model,
      messages: [asked('data:image/webp;base64,UklGRg==')],
    });

    await expect(call).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
    await expect(call).rejects.toThrow(/cannot read this picture/);
  });
});

describe('a picture in a live conversation', () => {
  test('is discussed in writing', async () => {
    const client = await connectRealtime(assistant.address);
    client.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } });
    const item = (content: object[]) =>
      client.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });

    item([{ type: 'input_image', image_url: 'https://example.org/cat.png' }]);
    item([{ type: 'input_image', image_url: dog }]);
    item([{ type: 'input_text', text: 'Which animal is that?' }]);
    client.send({ type: 'response.create' });
    const call = await waitFor(() => llm.callsFor('Which animal is that?')[0] ?? false);
    const { error } = await client.event('error');
    await client.leave();

    expect(call.body.messages.at(-1)).toMatchObject({ pictures: [dog] });
    expect(error).toMatchObject({ message: expect.stringContaining('fetches no pictures') });
  });
});
