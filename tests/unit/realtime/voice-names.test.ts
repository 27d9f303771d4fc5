import { describe, expect, test } from 'vitest';
import { checkVoices } from '../../../api/src/realtime/voice-names.ts';

const own = ['en_US-amy-medium'];

describe('a voice', () => {
  test.each([undefined, null, '', 'alloy', 'Marin', 'en_US-amy-medium', { id: 'verse' }])(
    'of OpenAI or the household is accepted: %j',
    (voice) => {
      expect(() => checkVoices({ voice, audio: { output: { voice } } }, own, 'session')).not.toThrow();
    },
  );

  test.each([
    ['session', { audio: { output: { voice: 'nobody' } } }, 'session.audio.output.voice'],
    ['session', { voice: { id: 'nobody' } }, 'session.voice'],
    ['response', { audio: { output: { voice: ' nobody ' } } }, 'response.audio.output.voice'],
  ] as const)('that no one has is refused in a %s: %j', (part, fields, param) => {
    const refusal = expect.objectContaining({ param, message: expect.stringContaining('"nobody"') });

    expect(() => checkVoices(fields, own, part)).toThrow(refusal);
  });

  test('is accepted if the voices of the household are unknown now', () => {
    expect(() => checkVoices({ voice: 'nobody' }, undefined, 'session')).not.toThrow();
  });
});
