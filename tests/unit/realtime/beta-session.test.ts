import { describe, expect, test } from 'vitest';
import { withoutBetaFields } from '../../../api/src/realtime/beta-session.ts';
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
