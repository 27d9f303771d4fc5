import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectRealtime, type RealtimeClient } from '../support/clients/realtime-client.ts';
import { clip } from '../support/clients/room.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';

let home: VoiceHousehold;
beforeAll(async () => {
  home = await startVoiceHousehold();
});
beforeEach(() => {
  home.forget();
  home.stt.hears('Why is the sky blue?');
});
afterAll(() => home.stop());

const connect = () => connectRealtime(home.assistant.address, { query: '&intent=transcription' });
const update = (client: RealtimeClient, input: object) =>
  client.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
const type = 'conversation.item.input_audio_transcription';

describe('a transcription session', () => {
  test('transcribes speech, with each event in order, and answers nothing', async () => {
    const client = await connect();
    update(client, { turn_detection: { type: 'server_vad', silence_duration_ms: 300 } });

    await client.say('weather');
    const done = await client.event(`${type}.completed`);
    await client.leave();

    expect(client.types()).toEqual([
      'session.created',
      'session.updated',
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      `${type}.delta`,
      `${type}.completed`,
    ]);
    const item_id = String(done['item_id']);
    expect(new Set(client.events.flatMap((event) => event['item_id'] ?? []))).toEqual(new Set([item_id]));
    expect(done).toMatchObject({
      content_index: 0,
      transcript: 'Why is the sky blue?',
      usage: { type: 'duration', seconds: expect.closeTo(1.6, 0) },
    });
    expect([home.llm.calls, home.piper.spoken]).toEqual([[], []]);
    expect(await home.store.keys('hearth:conversation:*')).toEqual([]);
  });

  test('reports its endpointing', async () => {
    const client = await connect();
    update(client, {
      format: { type: 'audio/pcmu' },
      transcription: { model: 'gpt-4o-transcribe', language: 'en', prompt: 'Names: Aoife.' },
      noise_reduction: { type: 'near_field' },
      turn_detection: null,
    });
    const { session: created } = await client.event('session.created');
    const { session: updated } = await client.event('session.updated');
    await client.leave();

    expect(created).toMatchObject({
      type: 'transcription',
      audio: {
        input: { format: { type: 'audio/pcm', rate: 24_000 }, turn_detection: { type: 'server_vad' } },
      },
    });
    expect(updated).toMatchObject({
      audio: {
        input: {
          format: { type: 'audio/pcmu' },
          transcription: { model: 'gpt-4o-transcribe', language: 'en', prompt: 'Names: Aoife.' },
          turn_detection: null,
        },
      },
      hearth: { ignored: ['audio.input.noise_reduction'] },
    });
  });

  test('transcribes what the client itself has committed, with its options', async () => {
    const client = await connect();
    update(client, {
      transcription: { model: 'whisper-1', language: 'en', prompt: 'Names: Aoife.' },
      turn_detection: null,
    });
    await client.say('weather');
    client.send({ type: 'input_audio_buffer.commit' });
    await client.event(`${type}.completed`);
    client.send({ type: 'input_audio_buffer.commit', event_id: 'mine' });
    const error = await client.event('error');
    await client.leave();

    expect(client.types().filter((each) => each.startsWith('input_audio_buffer'))).toEqual([
      'input_audio_buffer.committed',
    ]);
    expect(home.stt.calls.map(({ form }) => form)).toEqual([
      expect.objectContaining({ language: 'en', prompt: 'Names: Aoife.' }),
    ]);
    expect(error).toMatchObject({ error: { code: 'input_audio_buffer_commit_empty', event_id: 'mine' } });
  });

  test('reports a failed transcription, and continues', { tags: 'slow' }, async () => {
    home.stt.hears(() => (response) => void response.destroy());
    const client = await connect();
    await client.say('weather');
    const failed = await client.event(`${type}.failed`);

    home.stt.hears('Why is the sky blue?');
    await client.say('weather');
    const done = await client.event(`${type}.completed`);
    await client.leave();

    expect(failed).toMatchObject({ error: { code: 'stt_unavailable', message: expect.any(String) } });
    expect(done).toMatchObject({ transcript: 'Why is the sky blue?' });
  });
});

describe('an invalid request there', () => {
  const wrong: [what: string, event: object, param: string][] = [
    ['an answer', { type: 'response.create' }, 'type'],
    ['a conversation', { type: 'session.update', session: { type: 'realtime' } }, 'session.type'],
    [
      'a language that is none',
      {
        type: 'session.update',
        session: {
          type: 'transcription',
          audio: { input: { transcription: { language: 'the usual one' } } },
        },
      },
      'session.audio.input.transcription.language',
    ],
    ['sound that is not base64', { type: 'input_audio_buffer.append', audio: '%%%' }, 'audio'],
  ];
  test.each(wrong)('is refused by its name: %s', async (_, event, param) => {
    const client = await connect();

    client.send({ ...event, event_id: 'mine' });
    const error = await client.event('error');
    await client.say('weather');
    await client.event(`${type}.completed`);
    await client.leave();

    expect(error).toMatchObject({ error: { code: 'invalid_value', param, event_id: 'mine' } });
  });

  test('cannot turn a conversation into one', async () => {
    const client = await connectRealtime(home.assistant.address);
    client.send({ type: 'session.update', session: { type: 'transcription' } });

    const error = await client.event('error');
    await client.leave();

    expect(error).toMatchObject({ error: { param: 'session.type' } });
  });

  test('with an unknown intent is refused in the handshake', async () => {
    const { status } = await home.assistant.call('/v1/realtime?intent=karaoke');

    expect(status).toBe(400);
  });
});

test('a recording that arrives at once is transcribed completely', { tags: 'slow' }, async () => {
  const client = await connect();
  update(client, { turn_detection: null });
  const { samples } = clip('weather');
  const speech = Buffer.concat(
    Array.from({ length: 40 }, () => Buffer.concat([samples, Buffer.alloc(4_800)])),
  );
  const seconds = speech.length / 32_000;

  client.sendSound(speech);
  client.send({ type: 'input_audio_buffer.commit' });
  const done = await client.event(`${type}.completed`);
  await client.leave();

  const written = home.stt.calls.reduce((sum, { sound }) => sum + (sound?.samples.length ?? 0) / 32_000, 0);
  expect(Math.abs(written - seconds)).toBeLessThan(0.03 * seconds);
  expect(home.stt.calls.length).toBeGreaterThan(2);
  expect(done).toMatchObject({ usage: { seconds: expect.closeTo(written, 0) } });
});
