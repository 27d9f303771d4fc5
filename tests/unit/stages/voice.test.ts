import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Pcm } from '../../../api/src/audio/pcm.ts';
import { voiceOf } from '../../../api/src/language/language-tag.ts';
import { createVoice } from '../../../api/src/stages/speak-job.ts';

const sound: Pcm = { sampleRateHz: 16_000, samples: Buffer.from(new Int16Array(160).fill(1_000).buffer) };

/** A household that speaks German, perhaps among others, and a Piper with these voices: first its own. */
function householdWith([own = '', ...more]: string[], { isOnlyLanguage = true } = {}) {
  const spoken: (string | null | undefined)[] = [];
  const client = {
    own,
    options: [own, ...more],
    findVoice: async () => own,
    speak: async ({ voice }: { voice?: string | null }) => {
      spoken.push(voice ?? own);
      return sound;
    },
  };
  const status = () => ({ state: 'ready', reason: null, since: 0, model: null }) as const;
  const voice = createVoice({
    replicas: [{ url: 'http://piper', client, status, suspect: () => undefined }],
    voiceAmong: (voices) => voiceOf('de', { ...voices, isOnlyLanguage }),
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

const [german, english] = ['de_DE-thorsten-medium', 'en_US-ljspeech-medium'];
const by = async ({ voice, spoken }: ReturnType<typeof householdWith>, chosen: string | null) => {
  await voice('Guten Tag.', { voice: chosen, speed: 1 }, new AbortController().signal);
  return spoken;
};

test.each([
  ["the server's own voice of the language", german, null, german],
  ['espeak-ng, if the own voice has another language', english, null, 'espeak'],
  ['a voice that the household chose', english, 'en_US-joe-medium', 'en_US-joe-medium'],
])('words are spoken by %s', async (_, own, chosen, expected) => {
  expect(await by(householdWith([own]), chosen)).toEqual([expected]);
});

test.each([
  ['the chosen voice, if it speaks German', [english, german], 'de_DE-eva_k-x_low', 'de_DE-eva_k-x_low'],
  ['a German voice of the server, if the chosen one is English', [english, german], english, german],
  ['a German voice of the server, if its own is English', [english, german], null, german],
  ['espeak-ng, if the server has no German voice', [english], english, 'espeak'],
])('in a household of several languages, German is spoken by %s', async (_, voices, chosen, expected) => {
  expect(await by(householdWith(voices, { isOnlyLanguage: false }), chosen)).toEqual([expected]);
});
