import { describe, expect, test } from 'vitest';
import { asksForBeta, inBetaWords, withoutBetaFields } from '../../../api/src/realtime/beta-session.ts';
import { readClientEvent } from '../../../api/src/realtime/client-events.ts';

const read = (event: object) => readClientEvent(JSON.stringify(event));

describe('a session in the fields of the beta', () => {
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
  ])('is read as one of today: %j', (beta, today) => {
    expect(withoutBetaFields(beta)).toEqual(today);
  });

  test('keeps what is told in the words of today', () => {
    const session = {
      input_audio_format: 'g711_ulaw',
      audio: { input: { format: { type: 'audio/pcm', rate: 16_000 } }, output: { voice: 'alloy' } },
    };

    expect(withoutBetaFields(session)).toEqual({ audio: session.audio });
  });

  test('is taken by the event of transcriptions as well', () => {
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

  test.each(['input_audio_format', 'output_audio_format'])('is refused by name: %s', (field) => {
    const given = read({ type: 'session.update', session: { [field]: 'opus' } });

    expect(given).toMatchObject({ error: { param: `session.${field}` } });
  });
});

test('a response in the words of the beta is read as one of today', () => {
  const given = read({ type: 'response.create', response: { modalities: ['text'] } });

  expect(given).toMatchObject({ event: { response: { output_modalities: ['text'] } } });
});

describe('an event for a client of the beta', () => {
  test.each([
    [{ 'openai-beta': 'realtime=v1' }, true],
    [{ 'openai-beta': 'assistants=v2, realtime=v1' }, true],
    [{ 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.x, openai-beta.realtime-v1' }, true],
    [{ 'openai-beta': 'assistants=v2', 'sec-websocket-protocol': 'realtime' }, false],
    [{}, false],
  ])('is wanted by %j: %s', (headers, isWanted) => {
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
  ])('tells %j in its words', (today, beta) => {
    expect(inBetaWords(today)).toEqual(beta);
  });
});
