import { describe, expect, test } from 'vitest';
import { asksForBeta, inBetaWords, withoutBetaFields } from '../../../api/src/realtime/beta-session.ts';
import { readClientEvent } from '../../../api/src/realtime/client-events.ts';

const read = (event: object) => readClientEvent(JSON.stringify(event));

describe('a session with beta fields', () => {
  test.each([
    [{ input_audio_format: 'g711_ulaw' }, { audio: { input: { format: { type: 'audio/pcmu' } } } }],
    [{ output_audio_format: 'g711_alaw' }, { audio: { output: { format: { type: 'audio/pcma' } } } }],
    [{ input_audio_format: 'pcm16' }, { audio: { input: { format: { type: 'audio/pcm' } } } }],
    [{ turn_detection: null }, { audio: { input: { turn_detection: null } } }],
    [{ turn_detection: { type: 'none' } }, { audio: { input: { turn_detection: null } } }],
    [
      { turn_detection: { type: 'server_vad', silence_duration_ms: 700 } },
      { audio: { input: { turn_detection: { type: 'server_vad', silence_duration_ms: 700 } } } },
    ],
    [
      { input_audio_transcription: { model: 'whisper-1' } },
      { audio: { input: { transcription: { model: 'whisper-1' } } } },
    ],
    [{ modalities: ['text', 'audio'] }, { output_modalities: ['audio'] }],
    [{ modalities: ['text'] }, { output_modalities: ['text'] }],
    [{ voice: 'alloy' }, { voice: 'alloy' }],
  ])('is read as a current one: %j', (beta, today) => {
    expect(withoutBetaFields(beta)).toEqual(today);
  });

  test('keeps values in current fields', () => {
    const session = {
      input_audio_format: 'g711_ulaw',
      audio: { input: { format: { type: 'audio/pcm', rate: 16_000 } }, output: { voice: 'alloy' } },
    };

    expect(withoutBetaFields(session)).toEqual({ audio: session.audio });
  });

  test('is accepted from the transcription event as well', () => {
    const given = read({
      type: 'transcription_session.update',
      session: { input_audio_format: 'g711_alaw', turn_detection: null },
    });

    expect(given).toMatchObject({
      event: {
        type: 'session.update',
        session: { audio: { input: { format: { type: 'audio/pcma' }, turn_detection: null } } },
      },
    });
  });

  test.each(['input_audio_format', 'output_audio_format'])('is refused by its field name: %s', (field) => {
    const given = read({ type: 'session.update', session: { [field]: 'opus' } });

    expect(given).toMatchObject({ error: { param: `session.${field}` } });
  });
});

test('a response with beta fields is read as a current one', () => {
  const given = read({ type: 'response.create', response: { modalities: ['text'] } });

  expect(given).toMatchObject({ event: { response: { output_modalities: ['text'] } } });
});

describe('an event for a beta client', () => {
  test.each([
    [{ 'openai-beta': 'realtime=v1' }, true],
    [{ 'openai-beta': 'assistants=v2, realtime=v1' }, true],
    [{ 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.x, openai-beta.realtime-v1' }, true],
    [{ 'openai-beta': 'assistants=v2', 'sec-websocket-protocol': 'realtime' }, false],
    [{}, false],
  ])('is sent for %j: %s', (headers, isWanted) => {
    expect(asksForBeta(headers)).toBe(isWanted);
  });

  test.each([
    [
      { type: 'response.output_audio.delta', delta: 'AAAA' },
      { type: 'response.audio.delta', delta: 'AAAA' },
    ],
    [
      {
        type: 'conversation.item.added',
        item: { id: 'a', content: [{ type: 'output_audio', transcript: 'Yes.' }] },
      },
      {
        type: 'conversation.item.created',
        item: { id: 'a', content: [{ type: 'audio', transcript: 'Yes.' }] },
      },
    ],
    [{ type: 'conversation.item.done', item: {} }, null],
    [
      {
        type: 'response.done',
        response: { output_modalities: ['audio'], max_output_tokens: 'inf', output: [] },
      },
      {
        type: 'response.done',
        response: { modalities: ['text', 'audio'], max_output_tokens: 'inf', output: [] },
      },
    ],
    [
      {
        type: 'session.updated',
        session: { type: 'transcription', id: 's', audio: { input: { format: { type: 'audio/pcmu' } } } },
      },
      {
        type: 'transcription_session.updated',
        session: {
          id: 's',
          input_audio_format: 'g711_ulaw',
          input_audio_noise_reduction: undefined,
          input_audio_transcription: undefined,
          turn_detection: undefined,
        },
      },
    ],
    [
      { type: 'error', error: { code: 'x', param: null } },
      { type: 'error', error: { code: 'x', param: null } },
    ],
  ])('contains the beta version of %j', (today, beta) => {
    expect(inBetaWords(today)).toEqual(beta);
  });
});
