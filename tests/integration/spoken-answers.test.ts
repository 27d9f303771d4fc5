/** @module-tag slow */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pcm } from '../../api/src/audio/pcm.ts';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createSttClient, type SttClient } from '../../api/src/engines/stt-client.ts';
import { createTtsClient, type TtsClient } from '../../api/src/engines/tts-client.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import { createPronunciation } from '../../api/src/speech-text/pronunciation.ts';
import { createSentenceSplitter } from '../../api/src/speech-text/sentence-splitter.ts';
import { createSpeakable } from '../../api/src/speech-text/speakable.ts';
import { wordErrors } from '../support/audio/word-errors.ts';
import {
  hasSpeechEngines,
  type RealEngine,
  startRealStt,
  startRealTts,
} from '../support/servers/real-speech.ts';

const folder = new URL('../../api/languages/en/', import.meta.url);
const { speaking } = loadLanguage({ folder });
const speakable = createSpeakable(speaking);
const pronounced = createPronunciation(speaking);

let engines: RealEngine[] = [];
let voice: TtsClient;
let sttClient: SttClient;
beforeAll(async () => {
  if (!hasSpeechEngines) return;
  const [tts, stt] = await Promise.all([startRealTts(), startRealStt()]);
  engines = [tts, stt];
  voice = createTtsClient({ http: createEngineClient('tts'), baseUrl: tts.url });
  sttClient = createSttClient({ http: createEngineClient('stt'), baseUrl: stt.url });
  await Promise.all([voice.findVoice(soon()), sttClient.findModel(soon())]);
});
afterAll(() => Promise.all(engines.map((engine) => engine.stop())));
const soon = () => AbortSignal.timeout(30_000);

/** Texts as larger models write them, and how they should sound in the room. */
const answers = [
  ['The capital of France is **Paris**, of course!', 'The capital of France is Paris, of course!'],
  [
    '# Potato soup\n- 2 tbsp butter\n- 500 g potatoes',
    'Potato soup. 2 tablespoons butter. 500 grams potatoes.',
  ],
  ['Bake it at 180°C for 20-25 min. 🍞', 'Bake it at 180 degrees Celsius for 20 to 25 minutes.'],
  ['Ask Dr. Smith & Mr. Jones.', 'Ask Doctor Smith and Mister Jones.'],
  ['Water boils at 100 °C, i.e. quickly.', 'Water boils at 100 degrees Celsius, that is quickly.'],
  ['Well... maybe it is 5 km — or less.', 'Well, maybe it is 5 kilometers or less.'],
  ['See [the guide](https://example.org/a?b=c) first.', 'See the guide first.'],
  ['It was -5 °C and 20 % cloudy.', 'It was minus 5 degrees Celsius and 20 percent cloudy.'],
  ['2 + 2 = 4', '2 plus 2 equals 4'],
  ['Add something warm, e.g. 1/2 cup milk.', 'Add something warm, for example half a cup milk.'],
] as const;

test.skipIf(!hasSpeechEngines)(
  'answers with marks and units are spoken as words (needs .venv and models)',
  async () => {
    const misheard: string[] = [];
    let wrong = 0;

    for (const [written, words] of answers) {
      const transcript = plainWords(await hearOf(written));
      const errors = wordErrors(plainWords(words), transcript);
      wrong += errors;
      if (errors > 0) misheard.push(`${words} -> ${transcript}`);
    }

    // Piper never says the same twice in exactly the same way, and the smallest Whisper mishears a word in
    // twenty.
    const all = answers.map(([, words]) => words).join(' ');
    expect(wrong / all.split(' ').length, misheard.join('\n')).toBeLessThanOrEqual(0.15);
  },
  60_000,
);

/** Speaks piece by piece, and transcribes the whole. */
async function hearOf(written: string): Promise<string> {
  const splitter = createSentenceSplitter(speaking);
  const pieces = [...splitter.push(written), ...splitter.end()];
  const sounds: Pcm[] = [];
  for (const piece of pieces) {
    const sound = await voice.speak({ text: pronounced(speakable(piece)), signal: soon() });
    if (sound) sounds.push(sound);
  }
  const { text } = await sttClient.transcribe({ sound: inARoom(sounds), prompt: household, signal: soon() });
  return text;
}

/** As in production, see services/stt. */
const household = 'Set a tea timer for five minutes. Add bread to the shopping list.';

/** Whisper spells words in its own way. */
function plainWords(text: string): string {
  return text
    .replace(/°C/g, ' degrees Celsius')
    .replace(/°/g, ' degrees')
    .replace(/%/g, ' percent')
    .replace(/(?<=\d)[-–](?=\d)/g, ' to ')
    .replace(/(?<=^| )[-–−](?=\d)/g, 'minus ')
    .replace(/\+/g, ' plus ')
    .replace(/=/g, ' equals ')
    .replace(/\bDr\./g, 'Doctor')
    .replace(/\bMr\./g, 'Mister')
    .replace(/metres?/g, 'meters');
}

/** With a pause before and after every piece. */
function inARoom(sounds: readonly Pcm[]): Pcm {
  const sampleRateHz = sounds[0]?.sampleRateHz ?? 22_050;
  const pause = Buffer.alloc(Math.round(sampleRateHz * 0.4) * 2);
  return {
    sampleRateHz,
    samples: Buffer.concat([pause, ...sounds.flatMap(({ samples }) => [samples, pause])]),
  };
}
