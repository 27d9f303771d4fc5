import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Pcm } from '../../../api/src/audio/pcm.ts';
import { voiceSpeaks } from '../../../api/src/language/language-tag.ts';
import { createVoice } from '../../../api/src/stages/speak-job.ts';

const sound: Pcm = { sampleRateHz: 16_000, samples: Buffer.from(new Int16Array(160).fill(1_000).buffer) };

/** A household that speaks German, and a Piper whose own voice has this name. */
function householdWith(own: string) {
  const spoken: string[] = [];
  const client = {
    own,
    options: [own],
    findVoice: async () => own,
    speak: async () => {
      spoken.push('piper');
      return sound;
    },
  };
  const status = () => ({ state: 'ready', reason: null, since: 0, model: null }) as const;
  const voice = createVoice({
    replicas: [{ url: 'http://piper', client, status, suspect: () => undefined }],
    speaks: (name) => voiceSpeaks(name, 'de'),
    pronounce: (words) => words,
    fallback: {
      speak: async () => {
        spoken.push('espeak');
        return sound;
      },
    },
    log: pino({ level: 'silent' }),
  });
  return { voice, spoken };
}

test.each([
  ["the server's own voice of the language", 'de_DE-thorsten-medium', null, 'piper'],
  ['espeak-ng, if the own voice has another language', 'en_US-ljspeech-medium', null, 'espeak'],
  ['a voice that the household chose', 'en_US-ljspeech-medium', 'en_US-joe-medium', 'piper'],
])('words are spoken by %s', async (_, own, chosen, by) => {
  const { voice, spoken } = householdWith(own);

  await voice('Guten Tag.', { voice: chosen, speed: 1 }, new AbortController().signal);

  expect(spoken).toEqual([by]);
});
