import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { connectRealtime, type RealtimeClient } from '../support/clients/realtime-client.ts';
import { clip, voiceOf } from '../support/clients/room.ts';
import { says, saysAfter } from '../support/fakes/fake-llm.ts';
import type { SttCall } from '../support/fakes/fake-stt.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let home: VoiceHousehold;
beforeAll(async () => {
  home = await startVoiceHousehold();
});
beforeEach(() => {
  home.forget();
  home.piper.speaks(voiceOf);
});
afterAll(() => home.stop());

const connect = (options?: Parameters<typeof connectRealtime>[1]) =>
  connectRealtime(home.assistant.address, options);
const transcription = { transcription: { model: 'whisper-1' } };
const update = (client: RealtimeClient, session: object) =>
  client.send({ type: 'session.update', session: { type: 'realtime', ...session } });

const conversationSchema = z.object({ exchanges: z.array(z.object({ assistant: z.string() })) });

const notCaught = 'I did not catch that.';
const greetMe = 'Say hello to me and ask how you can help.';
const fan = 'Tell the fan a story.';
const question = 'Why is the sky blue?';
const user = (id: string, text: string) => ({
  item: { id, type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
});
const assistant = (id: string, previous_item_id: string | null) => ({
  previous_item_id,
  item: { id, type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
});
const call = (type: string) => ({
  item: { type, call_id: 'c', name: 'turn', arguments: '{}', output: 'ok' },
});
const savedByPipecat = (messages: [role: string, content: string][]) =>
  `
        This is a previously saved conversation. Please treat this conversation history as a
        starting point for the current conversation.

${JSON.stringify(
  messages.map(([role, content]) => ({ role, content })),
  null,
  2,
)}


        This is the end of the previously saved conversation. Please continue the conversation
        from here.`;

describe("a conversation over OpenAI's Realtime", () => {
  test('hears a question and answers aloud, with each event in order', async () => {
    home.stt.hears('Why is the sky blue?');
    home.llm.answers(() => 'Air scatters blue light.');
    const client = await connect();
    update(client, { audio: { input: transcription } });
    await client.event('session.updated');

    await client.say('weather');
    const done = await client.event('response.done');
    await client.leave();

    const seen = client.types().filter((type, at, all) => type !== all[at - 1]);
    expect(seen.filter((type) => !type.startsWith('conversation.item.input_audio'))).toEqual([
      'session.created',
      'session.updated',
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      'response.created',
      'response.output_item.added',
      'conversation.item.added',
      'response.content_part.added',
      'response.output_audio_transcript.delta',
      'response.output_audio.delta',
      'response.output_audio.done',
      'response.output_audio_transcript.done',
      'response.content_part.done',
      'response.output_item.done',
      'conversation.item.done',
      'response.done',
    ]);
    const [heard] = client.all('conversation.item.input_audio_transcription.completed');
    expect(heard).toMatchObject({ transcript: 'Why is the sky blue?', content_index: 0 });
    const content = [{ type: 'output_audio', transcript: 'Air scatters blue light.' }];
    expect(done).toMatchObject({
      response: { status: 'completed', output: [{ role: 'assistant', status: 'completed', content }] },
    });
    const spokenMs = voiceOf({ text: 'Air scatters blue light.' }).length / 2 / 22.05;
    expect(client.sound().length / 48).toBeGreaterThan(0.9 * spokenMs);
    expect(client.sound().length / 48).toBeLessThan(1.1 * spokenMs);
  });

  test('answers a beta client with beta names', async () => {
    home.llm.answers(() => 'Air scatters blue light.');
    const client = await connect({ headers: { 'OpenAI-Beta': 'realtime=v1' } });
    client.send({ type: 'session.update', session: { modalities: ['text'], turn_detection: null } });
    const updated = await client.event('session.updated');

    client.write('Why is the sky blue?');
    const done = await client.event('response.done');
    await client.leave();

    expect(updated).toMatchObject({
      session: { modalities: ['text'], turn_detection: null, input_audio_format: 'pcm16', voice: 'alloy' },
    });
    expect(client.types().filter((type, at, all) => type !== all[at - 1])).toEqual([
      'session.created',
      'session.updated',
      'conversation.item.created',
      'response.created',
      'response.output_item.added',
      'conversation.item.created',
      'response.content_part.added',
      'response.text.delta',
      'response.text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.done',
    ]);
    const content = [{ type: 'text', text: 'Air scatters blue light.' }];
    expect(done).toMatchObject({ response: { modalities: ['text'], output: [{ content }] } });
  });

  test("reports the model's tokens, and the duration of speech", async () => {
    home.stt.hears('Why is the sky blue?');
    home.llm.answers(() => 'Air scatters blue light.');
    const client = await connect();
    update(client, { audio: { input: transcription } });
    await client.event('session.updated');
    await client.say('weather');
    const asked = await client.event('response.done', 0);
    client.write('What time is it?');
    const told = await client.event('response.done', 1);
    await client.leave();

    const [heard] = client.all('conversation.item.input_audio_transcription.completed');
    expect(heard).toMatchObject({ usage: { type: 'duration', seconds: expect.closeTo(1.5, 0) } });
    const usage = Object(Object(asked['response']).usage);
    expect(usage.input_tokens).toBeGreaterThan(0);
    expect(usage.output_tokens).toBeGreaterThan(0);
    expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens);
    // A skill tells the time, not a model.
    expect(told).toMatchObject({
      response: { usage: { total_tokens: 0, input_tokens: 0, output_tokens: 0 } },
    });
  });

  test('answers text, and remembers it', async () => {
    home.llm.answers(({ prompt }) => (prompt.includes('My name is Kim.') ? 'Kim.' : 'I do not know.'));
    const client = await connect();
    client.write('My name is Kim.');
    await client.event('response.done', 0);

    client.write('What is my name?');
    const done = await client.event('response.done', 1);
    await client.leave();

    expect(done).toMatchObject({ response: { output: [{ content: [{ transcript: 'Kim.' }] }] } });
  });

  test('answers sound that the client ends itself, on request', async () => {
    home.stt.hears('Why is the sky blue?');
    const client = await connect();
    update(client, { audio: { input: { ...transcription, turn_detection: null } } });
    const { samples } = clip('weather');
    // As from a telephone: every third sample twice makes 24 kHz, which is good enough for a fake.
    client.append(Buffer.concat([samples, Buffer.alloc(24_000)]));
    client.send({ type: 'input_audio_buffer.commit' });
    await client.event('conversation.item.done');
    const before = client.types();

    client.send({ type: 'response.create', response: { metadata: { mine: '7' } } });
    const done = await client.event('response.done');
    await client.leave();

    expect(before).not.toContain('response.created');
    expect(client.types()).not.toContain('input_audio_buffer.speech_started');
    expect(client.all('input_audio_buffer.committed')).toHaveLength(1);
    const [committed] = client.all('input_audio_buffer.committed');
    const [heard] = client.all('conversation.item.input_audio_transcription.completed');
    expect(heard).toMatchObject({ item_id: committed?.['item_id'], transcript: 'Why is the sky blue?' });
    expect(done).toMatchObject({ response: { status: 'completed', metadata: { mine: '7' } } });
  });

  test('transcribes committed speech without a request, and the later answer does not repeat it', async () => {
    home.stt.hears('Why is the sky blue?');
    const client = await connect();
    update(client, { audio: { input: { ...transcription, turn_detection: null } } });
    client.append(Buffer.concat([clip('weather').samples, Buffer.alloc(24_000)]));
    client.send({ type: 'input_audio_buffer.commit' });
    const heard = await client.event('conversation.item.input_audio_transcription.completed');
    const before = client.types();

    client.send({ type: 'response.create' });
    await client.event('response.done');
    await client.leave();

    const [committed] = client.all('input_audio_buffer.committed');
    expect(heard).toMatchObject({ item_id: committed?.['item_id'], transcript: 'Why is the sky blue?' });
    expect(before).not.toContain('response.created');
    expect(client.all('conversation.item.input_audio_transcription.completed')).toHaveLength(1);
  });

  test('reports committed silence as an empty transcript', async () => {
    const client = await connect();
    update(client, { audio: { input: { ...transcription, turn_detection: null } } });
    client.append(Buffer.alloc(48_000));
    client.send({ type: 'input_audio_buffer.commit' });

    const heard = await client.event('conversation.item.input_audio_transcription.completed');
    await client.leave();

    expect(heard).toMatchObject({ transcript: '' });
    expect(home.stt.calls).toEqual([]);
  });

  test('acknowledges each commit before an answer is requested, and answers them as one', async () => {
    home.stt.hears('Why is the sky blue?');
    const client = await connect();
    update(client, { audio: { input: { ...transcription, turn_detection: null } } });
    const { samples } = clip('weather');
    for (const index of [0, 1]) {
      client.append(Buffer.concat([samples, Buffer.alloc(24_000)]));
      client.send({ type: 'input_audio_buffer.commit' });
      await client.event('input_audio_buffer.committed', index);
    }

    client.send({ type: 'response.create' });
    await client.event('response.done');
    await client.leave();

    const [first, second] = client.all('input_audio_buffer.committed');
    expect(second).toMatchObject({
      item_id: first?.['item_id'],
      previous_item_id: first?.['previous_item_id'],
    });
    expect(client.all('conversation.item.input_audio_transcription.completed')).toHaveLength(1);
  });

  test('answers sound committed during a request after the response to that request', async () => {
    const { samples } = clip('weather');
    // The second sound is twice as long: a busy machine may transcribe it before the first one.
    const isSecond = ({ sound }: SttCall) => (sound?.samples.length ?? 0) > samples.length;
    home.stt.hears((call) => (isSecond(call) ? 'Why is the grass green?' : 'Why is the sky blue?'));
    const client = await connect();
    update(client, { audio: { input: { ...transcription, turn_detection: null } } });
    const commit = (...sounds: Buffer[]) => {
      client.append(Buffer.concat([...sounds, Buffer.alloc(24_000)]));
      client.send({ type: 'input_audio_buffer.commit' });
    };
    commit(samples);
    client.send({ type: 'response.create' });
    commit(samples, samples);
    client.send({ type: 'response.create' });
    const error = await client.event('error');
    await client.event('response.done', 0);

    client.send({ type: 'response.create' });
    await client.event('response.done', 1);
    await client.leave();

    expect(error).toMatchObject({ error: { code: 'conversation_already_has_active_response' } });
    expect(client.all('error')).toHaveLength(1);
    const ids = client.all('input_audio_buffer.committed').map(({ item_id }) => item_id);
    expect(new Set(ids).size).toBe(2);
    const heard = client.all('conversation.item.input_audio_transcription.completed');
    expect(new Map(heard.map(({ item_id, transcript }) => [item_id, transcript]))).toEqual(
      new Map([
        [ids[0], 'Why is the sky blue?'],
        [ids[1], 'Why is the grass green?'],
      ]),
    );
  });

  test('stops at an interruption, and the conversation keeps the played text', {
    tags: 'slow',
  }, async () => {
    const story = Array.from({ length: 12 }, (_, n) => `On day ${n + 1} the king went for a long walk.`);
    home.stt.hears('I would like to hear a story.');
    home.llm.answers(() => says(story.join(' ')));
    const client = await connect();
    await client.say('weather');
    const { item_id } = await client.event('response.output_audio.delta');
    home.stt.hears('What did the king do?');
    home.llm.answers(() => 'He walked.');

    await client.say('weather');
    const cut = await client.event('response.done', 0);
    client.send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 300 });
    const truncated = await client.event('conversation.item.truncated');
    const next = await client.event('response.done', 1);
    await client.leave();

    expect(cut).toMatchObject({
      response: { status: 'cancelled', status_details: { reason: 'turn_detected' } },
    });
    expect(truncated).toMatchObject({ item_id, audio_end_ms: 300 });
    expect(next).toMatchObject({ response: { output: [{ content: [{ transcript: 'He walked.' }] }] } });
    const prompt = home.llm.callsFor('What did the king do?').at(-1)?.prompt ?? '';
    expect(prompt).toContain('On day 1');
    expect(prompt).not.toContain('On day 5');
  });

  /** Asks for a story, and returns the item of the answer and its sound in bytes. */
  const story = async (client: RealtimeClient) => {
    home.llm.answers(() => 'The king rose early, ate an apple, and then went for a very long walk.');
    client.write('Tell me a story.');
    const { item_id } = await client.event('response.output_audio.delta');
    await client.event('response.done');
    const deltas = client.all('response.output_audio.delta').map(({ delta }) => String(delta));
    const bytes = deltas.reduce((sum, delta) => sum + Buffer.from(delta, 'base64').length, 0);
    return { item_id, bytes };
  };
  const truncate = (client: RealtimeClient, item_id: unknown, audio_end_ms: number, content_index = 0) =>
    client.send({ type: 'conversation.item.truncate', item_id, content_index, audio_end_ms });
  const keptOf = async (name: string) => {
    const { body } = await home.assistant.call(`/admin/conversations/${name}`);
    return conversationSchema.safeParse(body).data?.exchanges.map(({ assistant: text }) => text) ?? [];
  };

  test('keeps the shortest truncation, and refuses a longer one', async () => {
    const client = await connect({ query: '&client=shortest' });
    const { item_id } = await story(client);
    home.llm.answers(() => 'He was tired.');

    for (const ms of [900, 950, 600, 0, 0, 10]) truncate(client, item_id, ms);
    await client.event('error', 1);
    client.write('And then?');
    await client.event('response.done', 1);
    await client.leave();

    const truncated = client.all('conversation.item.truncated');
    expect(truncated.map(({ audio_end_ms }) => audio_end_ms)).toEqual([900, 600, 0, 0]);
    expect(client.all('error').map(({ error }) => Object(error))).toMatchObject([
      {
        code: 'invalid_value',
        param: 'audio_end_ms',
        message: expect.stringContaining('Audio content of 900ms is already shorter than 950ms'),
      },
      { code: 'invalid_value', message: expect.stringContaining('0ms is already shorter than 10ms') },
    ]);
    expect((await keptOf('shortest')).join()).not.toContain('king');
  });

  test.each([
    ['audio/pcm', 24_000, 2],
    ['audio/pcm', 44_100, 2],
    ['audio/pcmu', 8_000, 1],
  ])('takes all of its sound as heard, but not more: %s of %i Hz', async (type, rate, sampleBytes) => {
    const name = `whole-${rate}`;
    const client = await connect({ query: `&client=${name}` });
    update(client, { audio: { output: { format: { type, rate } } } });
    const { item_id, bytes } = await story(client);
    const wholeMs = Math.floor(bytes / sampleBytes / (rate / 1_000));

    truncate(client, item_id, wholeMs);
    await client.event('conversation.item.truncated');
    truncate(client, item_id, wholeMs + 50);
    const error = await client.event('error');
    await client.leave();

    expect(error).toMatchObject({ error: { code: 'invalid_value', param: 'audio_end_ms' } });
    expect(await keptOf(name)).toEqual([
      'The king rose early, ate an apple, and then went for a very long walk.',
    ]);
  });

  test('refuses to truncate another part of an answer, a written answer, and an answer long ago', async () => {
    const client = await connect();
    const { item_id } = await story(client);
    truncate(client, item_id, 100, 1);
    for (let n = 1; n < 6; n += 1) {
      client.write('What time is it?');
      await client.event('response.done', n);
    }
    truncate(client, item_id, 100);
    update(client, { output_modalities: ['text'] });
    client.write('What time is it?');
    const written = await client.event('response.output_text.delta');
    await client.event('response.done', 6);
    truncate(client, written['item_id'], 100);
    await client.event('error', 2);
    await client.leave();

    expect(client.all('error').map(({ error }) => Object(error))).toMatchObject([
      { code: 'invalid_value', param: 'content_index' },
      { code: 'item_truncate_invalid_item_id', param: 'item_id' },
      { code: 'unsupported_content_type', param: 'item_id' },
    ]);
    expect(client.all('conversation.item.truncated')).toEqual([]);
  });

  test('takes the truncation of an answer that failed aloud', async () => {
    const client = await connect({ query: '&client=failed' });
    home.llm.answers(
      () =>
        ({ response }) =>
          void response.writeHead(500).end('{}'),
    );
    client.write('Tell me a story.');
    const { item_id } = await client.event('response.output_audio.delta');
    await client.event('response.done');

    truncate(client, item_id, 100);
    await client.event('conversation.item.truncated');
    await client.leave();

    expect(await keptOf('failed')).toEqual([]);
  });

  test.each(['leaves', 'breaks off'])(
    'that %s while it reads an answer keeps all it was given',
    async (how) => {
      const name = `reader-${how.length}`;
      const client = await connect({ query: `&client=${name}` });
      update(client, { output_modalities: ['text'] });
      home.llm.answers(() => async (wire, { gone }) => {
        wire.begin();
        wire.delta({ content: 'The king rose early. The king ate an apple. And then' });
        await once(gone, 'abort');
      });
      client.write('Tell me a story.');
      await client.event('response.output_text.delta', 1);

      if (how === 'leaves') await client.leave();
      else client.drop();

      const kept = await waitFor(async () => {
        const { body } = await home.assistant.call(`/admin/conversations/${name}`);
        return conversationSchema.safeParse(body).data?.exchanges[0]?.assistant ?? false;
      });
      const given = client.all('response.output_text.delta').map(({ delta }) => String(delta));
      expect(given.join('')).toBe('The king rose early. The king ate an apple.');
      expect(kept).toBe(given.join(''));
      expect(client.sound()).toHaveLength(0);
    },
  );

  test('replaces an unrequested answer', { tags: 'slow' }, async () => {
    // So that it rings for longer than a busy machine needs to accept a question.
    home.piper.speaks(({ text }) => voiceOf({ text: text.repeat(30) }));
    const client = await connect();
    client.write('Set a timer for one second.');
    await client.event('response.done', 0);
    await client.event('response.created', 1);

    client.write('What time is it?');
    const rang = await client.event('response.done', 1);
    const told = await client.event('response.done', 2);
    client.write('Stop the timer.');
    await waitFor(async () => (await home.store.hlen('hearth:timers')) === 0, { what: 'no timer' });
    await client.leave();

    expect(client.all('error')).toEqual([]);
    expect(rang).toMatchObject({ response: { status: 'cancelled' } });
    expect(told).toMatchObject({
      response: { output: [{ content: [{ transcript: expect.stringMatching(/^It is /) }] }] },
    });
  });

  test('can be cancelled', async () => {
    home.llm.answers(() => saysAfter(30_000, 'Too late.'));
    const client = await connect();
    client.write('Tell me something.');
    await client.event('response.created');

    client.send({ type: 'response.cancel' });
    const done = await client.event('response.done');
    await waitFor(() => home.llm.busy === 0);
    await client.leave();

    expect(done).toMatchObject({
      response: { status: 'cancelled', status_details: { reason: 'client_cancelled' }, output: [] },
    });
  });

  test('reports a failure, and says it aloud', async () => {
    home.llm.answers(() => (wire) => void wire.response.destroy());
    const client = await connect();
    client.write('Tell me something.');

    const done = await client.event('response.done');
    await client.leave();

    expect(done).toMatchObject({
      response: { status: 'failed', status_details: { error: { code: 'llm_unavailable' } } },
    });
    expect(client.sound().length).toBeGreaterThan(0);
  });

  test('returns text alone, or telephone sound', async () => {
    home.llm.answers(() => 'Air scatters blue light.');
    const client = await connect();
    update(client, { output_modalities: ['text'] });
    client.write('Why is the sky blue?');
    await client.event('response.done', 0);
    const silent = client.sound().length;
    update(client, { output_modalities: ['audio'], audio: { output: { format: { type: 'audio/pcmu' } } } });
    client.write('And at night?');
    await client.event('response.done', 1);
    await client.leave();

    expect(silent).toBe(0);
    expect(client.all('response.output_text.done')).toMatchObject([{ text: 'Air scatters blue light.' }]);
    const spokenMs = voiceOf({ text: 'Air scatters blue light.' }).length / 2 / 22.05;
    expect(client.sound().length / 8).toBeGreaterThan(0.9 * spokenMs);
    expect(client.sound().length / 8).toBeLessThan(1.1 * spokenMs);
  });

  test.each([
    ['audio/pcmu', 8, { audio: { output: { format: { type: 'audio/pcmu' } } } }],
    ['audio/pcm at 8 kHz', 16, { audio: { output: { format: { type: 'audio/pcm', rate: 8_000 } } } }],
    ['the beta name of A-law', 8, { output_audio_format: 'g711_alaw' }],
  ])('returns one response as %s', async (_what, bytesPerMs, response) => {
    home.llm.answers(() => 'Air scatters blue light.');
    const client = await connect();
    client.send({ type: 'conversation.item.create', ...user('a', 'Why is the sky blue?') });
    client.send({ type: 'response.create', response });
    const { hearth } = z
      .object({ response: z.object({ hearth: z.unknown() }) })
      .parse(await client.event('response.done')).response;
    await client.leave();

    const spokenMs = voiceOf({ text: 'Air scatters blue light.' }).length / 2 / 22.05;
    expect(hearth).toEqual({ ignored: [] });
    expect(client.sound().length / bytesPerMs / spokenMs).toBeCloseTo(1, 0);
  });

  test('lists ignored fields, because instructions and tools are ours', async () => {
    const client = await connect();
    update(client, {
      instructions: 'You are a pirate.',
      tools: [{ type: 'function', name: 'sink_ship' }],
      tool_choice: 'auto',
      audio: {
        output: { voice: 'marin' },
        input: {
          transcription: { model: 'whisper-1', language: 'fr' },
          turn_detection: {
            type: 'semantic_vad',
            eagerness: 'low',
            create_response: false,
            interrupt_response: true,
          },
        },
      },
    });
    const updated = await client.event('session.updated');
    await client.leave();

    expect(updated).toMatchObject({
      session: {
        instructions: '',
        tools: [],
        audio: { input: { turn_detection: { type: 'semantic_vad', create_response: true } } },
        hearth: {
          ignored: [
            'instructions',
            'tools',
            'tool_choice',
            'audio.input.transcription.language',
            'audio.input.turn_detection.eagerness',
            'audio.input.turn_detection.create_response',
            'audio.output.voice',
          ],
        },
      },
    });
  });

  test('may have its own input, and text for one answer only', async () => {
    home.llm.answers(({ question }) => (question === 'Why is it dark?' ? 'The sun has set.' : 'Air.'));
    const client = await connect();
    const content = [{ type: 'input_text', text: 'Why is it dark?' }];
    client.send({
      type: 'response.create',
      response: {
        input: [{ type: 'message', role: 'user', content }],
        output_modalities: ['text'],
        instructions: 'Speak like a pirate.',
      },
    });
    const silent = await client.event('response.done', 0);
    const soundOfSilent = client.sound().length;
    client.write('Why is the sky blue?');
    const aloud = await client.event('response.done', 1);
    await client.leave();

    expect(silent).toMatchObject({
      response: {
        output_modalities: ['text'],
        output: [{ content: [{ type: 'output_text', text: 'The sun has set.' }] }],
        hearth: { ignored: ['instructions'] },
      },
    });
    expect(soundOfSilent).toBe(0);
    expect(aloud).toMatchObject({ response: { output_modalities: ['audio'], hearth: { ignored: [] } } });
    expect(client.sound().length).toBeGreaterThan(0);
  });

  test('may start with instructions alone, such as a greeting', async () => {
    home.llm.answers(({ question }) => (question === 'Greet whoever is there.' ? 'Hello.' : 'Air.'));
    const client = await connect();
    client.send({ type: 'response.create', response: { instructions: 'Greet whoever is there.' } });
    const done = await client.event('response.done');
    client.send({ type: 'response.create', response: { instructions: ' ' } });
    const nothing = await client.event('response.done', 1);
    await client.leave();

    expect(done).toMatchObject({
      response: { output: [{ content: [{ transcript: 'Hello.' }] }], hearth: { ignored: [] } },
    });
    expect(nothing).toMatchObject({ response: { output: [{ content: [{ transcript: notCaught }] }] } });
  });

  test('ignores items that were deleted before the request', async () => {
    home.llm.answers(({ question }) => question);
    const client = await connect();
    const item = (id: string, text: string) => {
      const content = [{ type: 'input_text', text }];
      client.send({ type: 'conversation.item.create', item: { id, type: 'message', role: 'user', content } });
    };
    item('first', 'Why is it dark?');
    item('second', 'Why is the sky blue?');
    client.send({ type: 'conversation.item.delete', item_id: 'first' });
    await client.event('conversation.item.deleted');
    client.send({ type: 'response.create' });
    const done = await client.event('response.done');

    client.send({ type: 'conversation.item.delete', item_id: 'second' });
    const error = await client.event('error');
    await client.leave();

    expect(client.all('conversation.item.deleted')).toMatchObject([{ item_id: 'first' }]);
    expect(done).toMatchObject({
      response: { output: [{ content: [{ transcript: 'Why is the sky blue?' }] }] },
    });
    expect(error).toMatchObject({ error: { param: 'item_id' } });
  });

  test('greets before anyone has spoken, and later says that no one spoke', async () => {
    home.llm.answers(({ question }) => (question === greetMe ? 'Hello!' : 'Yes.'));
    const client = await connect();
    client.send({ type: 'response.create' });
    const done = await client.event('response.done', 0);

    client.send({ type: 'response.create' });
    const again = await client.event('response.done', 1);
    await client.leave();

    expect(done).toMatchObject({ response: { output: [{ content: [{ transcript: 'Hello!' }] }] } });
    expect(again).toMatchObject({
      response: { status: 'completed', output: [{ content: [{ transcript: notCaught }] }] },
    });
  });

  test.each([
    ['says that nobody spoke', [], notCaught],
    ['answers what was written before it', [user('written', question)], question],
  ])('hears no speech in committed sound, and %s', async (_, items, transcript) => {
    home.llm.answers(({ question: asked }) => asked);
    const client = await connect();
    update(client, { audio: { input: { ...transcription, turn_detection: null } } });
    client.write('Why is it dark?');
    await client.event('response.done', 0);
    for (const item of items) client.send({ type: 'conversation.item.create', ...item });
    for (const index of [0, 1]) {
      client.append(Buffer.alloc(48_000));
      client.send({ type: 'input_audio_buffer.commit' });
      await client.event('input_audio_buffer.committed', index);
    }

    client.send({ type: 'response.create' });
    const done = await client.event('response.done', 1);
    await client.leave();

    expect(done).toMatchObject({
      response: { status: 'completed', output: [{ content: [{ transcript }] }] },
    });
    expect(client.all('conversation.item.input_audio_transcription.completed')).toMatchObject([
      { item_id: client.all('input_audio_buffer.committed')[0]?.['item_id'], transcript: '' },
    ]);
    expect(client.all('error')).toEqual([]);
  });

  test.each<[what: string, items: object[]]>([
    ['with its answers', [user('first', fan), assistant('told', null), user('second', question)]],
    ['whose answer comes late', [user('first', fan), user('second', question), assistant('told', 'first')]],
    [
      'with calls of functions',
      [user('first', fan), call('function_call'), call('function_call_output'), user('second', question)],
    ],
    [
      'as pipecat saves it',
      [
        user(
          'all',
          savedByPipecat([
            ['user', fan],
            ['assistant', 'Done.'],
            ['user', question],
          ]),
        ),
      ],
    ],
  ])('does nothing twice of a conversation that its client loads: %s', async (_, items) => {
    home.llm.answers(({ question: asked }) => asked);
    const client = await connect();
    for (const item of items) client.send({ type: 'conversation.item.create', ...item });
    client.send({ type: 'response.create' });
    const done = await client.event('response.done');
    await client.leave();

    expect(done).toMatchObject({ response: { output: [{ content: [{ transcript: question }] }] } });
  });

  test('greets where a conversation was loaded that ends with an answer', async () => {
    home.llm.answers(({ question: asked }) => (asked === greetMe ? 'Hello!' : 'No.'));
    const saved = savedByPipecat([
      ['user', fan],
      ['assistant', 'Done.'],
    ]);
    const client = await connect();
    client.send({ type: 'conversation.item.create', ...user('all', saved) });
    client.send({ type: 'response.create' });
    const done = await client.event('response.done');
    await client.leave();

    expect(done).toMatchObject({ response: { output: [{ content: [{ transcript: 'Hello!' }] }] } });
  });

  test('returns an item again', async () => {
    const client = await connect();
    client.write('What time is it?');
    const done = await client.event('conversation.item.done', 1);
    const item_id = String(Object(done['item']).id);

    client.send({ type: 'conversation.item.retrieve', item_id });
    const { item } = await client.event('conversation.item.retrieved');
    await client.leave();

    expect(item).toEqual(done['item']);
  });
});

describe('an invalid event', () => {
  const wrong: [what: string, frame: string][] = [
    ['no JSON', 'hello'],
    ['no event', '{"hello": 1}'],
    ['an unknown event', '{"type": "output_audio_buffer.clear"}'],
    ['the end of an item that is not there', '{"type": "conversation.item.delete", "item_id": "x"}'],
    [
      'an answer beside the conversation',
      '{"type": "response.create", "response": {"conversation": "none", "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi."}]}]}}',
    ],
    ['sound that is not base64', '{"type": "input_audio_buffer.append", "audio": "%%%"}'],
    [
      'a format that nobody has',
      '{"type": "session.update", "session": {"audio": {"input": {"format": {"type": "audio/mp3"}}}}}',
    ],
    ['the end of no answer', '{"type": "response.cancel"}'],
    ['an item that is not there', '{"type": "conversation.item.retrieve", "item_id": "item_1"}'],
    [
      'a cut of what a person said',
      '{"type": "conversation.item.truncate", "item_id": "item_1", "audio_end_ms": 1}',
    ],
    [
      'sound in an item',
      '{"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": [{"type": "input_audio", "audio": ""}]}}',
    ],
  ];
  test.each(wrong)('is answered only with an error: %s', async (_, frame) => {
    const client = await connect();

    client.sendRaw(frame);
    const error = await client.event('error');
    client.write('What time is it?');
    await client.event('response.done');
    await client.leave();

    expect(error).toMatchObject({
      error: { type: 'invalid_request_error', code: expect.not.stringMatching(/^invalid_request$/) },
    });
  });

  test.each<[code: string, event: object]>([
    ['response_cancel_not_active', { type: 'response.cancel' }],
    ['input_audio_buffer_commit_empty', { type: 'input_audio_buffer.commit' }],
    ['item_retrieve_invalid_item_id', { type: 'conversation.item.retrieve', item_id: 'item_none' }],
    ['item_delete_invalid_item_id', { type: 'conversation.item.delete', item_id: 'item_none' }],
    [
      'item_truncate_invalid_item_id',
      { type: 'conversation.item.truncate', item_id: 'item_none', audio_end_ms: 1 },
    ],
    [
      'item_truncate_invalid_item_id',
      { type: 'conversation.item.truncate', item_id: 'msg_of-another-day', audio_end_ms: 1 },
    ],
    [
      'invalid_value',
      { type: 'conversation.item.create', previous_item_id: 'item_none', ...user('new', fan) },
    ],
    ['missing_required_parameter', { type: 'conversation.item.retrieve' }],
    ['invalid_type', { type: 'input_audio_buffer.append', audio: 1 }],
    ['invalid_value', { type: 'nonsense' }],
  ])("has OpenAI's error code: %s", async (code, event) => {
    const client = await connect();

    client.send(event);
    const error = await client.event('error');
    await client.leave();

    expect(error).toMatchObject({ error: { code } });
  });

  test('is a commit of 20 ms of sound, but not one of 100 ms', async () => {
    const client = await connect();
    update(client, { audio: { input: { turn_detection: null } } });
    client.append(Buffer.alloc(960));
    client.send({ type: 'input_audio_buffer.commit', event_id: 'short' });
    client.append(Buffer.alloc(3_840));
    client.send({ type: 'input_audio_buffer.commit' });

    await client.event('input_audio_buffer.committed');
    await client.leave();

    const codes = client.all('error').map(({ error }) => Object(error).event_id);
    expect(codes).toEqual(['short']);
  });

  test("is reported with the client's id for it", async () => {
    const client = await connect();

    client.send({ type: 'nonsense', event_id: 'mine' });
    const error = await client.event('error');
    await client.leave();

    expect(error).toMatchObject({ error: { event_id: 'mine' } });
  });

  test('may be sound in an undeclared format, which disturbs nothing', async () => {
    const client = await connect();
    update(client, { audio: { input: { format: { type: 'audio/pcmu' } } } });
    await client.event('session.updated');

    client.append(Buffer.concat([Buffer.from('RIFF'), clip('weather').samples.subarray(0, 20_001)]));
    client.send({ type: 'input_audio_buffer.clear' });
    client.write('What time is it?');
    await client.event('response.done');
    await client.leave();

    expect(client.all('error')).toEqual([]);
  });

  test('may be a second request during an answer', async () => {
    home.llm.answers(() => saysAfter(300, 'Air.'));
    const client = await connect();
    client.write('Why is the sky blue?');
    await client.event('response.created');

    client.write('Why is it dark?');
    const error = await client.event('error');
    const done = await client.event('response.done');
    await client.leave();

    expect(done).toMatchObject({ response: { status: 'completed' } });
    expect(client.all('response.created')).toHaveLength(1);
    expect(error).toMatchObject({ error: { code: 'conversation_already_has_active_response' } });
  });

  test('of ten megabytes ends the connection', async () => {
    const client = await connect();

    client.append(Buffer.alloc(10 * 1024 * 1024));

    expect(await client.closed).toBe(1009);
  });

  test('may be one of twenty thousand chunks without a commit, which block no typed questions', {
    tags: 'slow',
  }, async () => {
    const client = await connect();
    update(client, { audio: { input: { turn_detection: null } } });
    await client.event('session.updated');
    for (let at = 0; at < 20_000; at += 1) client.append(Buffer.alloc(48));
    client.write('What time is it?');

    const done = await client.event('response.done');
    await client.leave();

    expect(done).toMatchObject({ response: { status: 'completed' } });
  });

  test('beyond the length of a prompt is refused, whatever comes before it', async () => {
    const client = await connect();
    const text = 'It is a long story. '.repeat(2_000);
    const content = [{ type: 'input_text', text }];
    for (const id of ['first', 'second', 'third'])
      client.send({ type: 'conversation.item.create', item: { id, type: 'message', role: 'user', content } });
    const refused = await client.event('error');
    client.send({ type: 'conversation.item.retrieve', item_id: 'third' });
    await client.event('error', 1);
    await client.leave();

    expect(refused).toMatchObject({ error: { type: 'invalid_request_error', param: 'item.content' } });
    expect(client.all('conversation.item.done')).toHaveLength(2);
  });
});

describe('the handshake', () => {
  test('requires a WebSocket', async () => {
    const { status } = await home.assistant.call('/v1/realtime');

    expect(status).toBe(426);
  });

  test("accepts a page's key as OpenAI does", { tags: 'slow' }, async () => {
    const token = 'Correct-Horse-Battery-Staple-1234567890';
    const guarded = await startVoiceHousehold({ env: { SERVICE_TOKEN: token } });
    try {
      const protocols = ['realtime', `openai-insecure-api-key.${token}`];
      const client = await connectRealtime(guarded.assistant.address, { protocols });
      await client.event('session.created');
      await client.leave();
      const address = `${guarded.assistant.address.replace('http', 'ws')}/v1/realtime`;
      const refused = new WebSocket(address, ['realtime', 'openai-insecure-api-key.wrong']);
      const status = await new Promise((resolve) => {
        refused.on('unexpected-response', (_, { statusCode }) => resolve(statusCode));
        refused.on('error', () => undefined);
      });
      refused.terminate();

      expect(client.protocol).toBe('realtime');
      expect(status).toBe(401);
    } finally {
      await guarded.stop();
    }
  });
});

test('a client beyond the limit gets an event before the connection ends', async () => {
  const there: RealtimeClient[] = [];
  let refused: RealtimeClient | undefined;
  // The number depends on how fast the machine admits them.
  while (refused === undefined) {
    const coming = await Promise.all(Array.from({ length: 24 }, () => connect()));
    await Promise.all(coming.map((client) => waitFor(() => client.events.length > 0)));
    there.push(...coming);
    refused = coming.find(({ types }) => !types().includes('session.created'));
  }
  const { error } = await refused.event('error');
  const code = await refused.closed;
  await Promise.all(there.map((client) => client.leave()));

  expect(error).toMatchObject({ type: 'server_error', code: 'overloaded' });
  expect(code).toBe(1013);
});

// The number that the server admits however busy the machine is.
test('twenty concurrent conversations are all answered', async () => {
  home.llm.answers(({ question }) => `${question.replace('?', '')} is a fine question.`);
  const clients = await Promise.all(Array.from({ length: 20 }, () => connect()));

  const answered = await Promise.all(
    clients.map(async (client, at) => {
      client.write(`Question ${at}?`);
      return client.event('response.done');
    }),
  );
  await Promise.all(clients.map((client) => client.leave()));

  for (const [at, done] of answered.entries()) {
    const transcript = `Question ${at} is a fine question.`;
    expect(done).toMatchObject({ response: { output: [{ content: [{ transcript }] }] } });
  }
});

test('twenty conversations that end in the middle leave nothing behind', { tags: 'slow' }, async () => {
  const counts = async () => ({
    turns: home.assistant.openTurns(),
    busy: home.stt.busy + home.llm.busy + home.piper.busy,
    channels: (await home.store.pubsub('CHANNELS')).length,
    connections: (await home.assistant.connections()) > connectionsBefore,
  });
  const connectionsBefore = await home.assistant.connections();
  const before = await counts();
  home.llm.answers(() => says('Once upon a time there was a king. '.repeat(200), { intervalMs: 5 }));
  const speak = (client: RealtimeClient) => client.sendSound(clip('weather').samples);
  const middles: ((client: RealtimeClient) => unknown)[] = [
    (client) => client.event('session.created'),
    speak,
    async (client) => {
      speak(client);
      await client.event('input_audio_buffer.speech_started');
    },
    (client) => client.write('Tell me a story.'),
    async (client) => {
      client.write('Tell me a story.');
      await client.event('response.output_audio.delta');
    },
  ];
  const everyMiddle = Array.from({ length: 20 }, (_, at) => ({ middle: middles[at % middles.length], at }));

  await Promise.all(
    everyMiddle.map(async ({ middle, at }) => {
      const client = await connect();
      await middle?.(client);
      if (at < 10) client.drop();
      else await client.leave();
    }),
  );

  await waitFor(async () => isDeepStrictEqual(await counts(), before), { what: 'everything has ended' });
  const conversations = await home.store.keys('hearth:conversation:listen-*');
  const seconds = await Promise.all(conversations.map((key) => home.store.ttl(key)));
  expect(seconds.filter((left) => left < 0 || left > 86_400)).toEqual([]);
});
