import type { Pcm } from '../../api/src/audio/pcm.ts';
import { resample } from '../../api/src/audio/resample.ts';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createEspeak } from '../../api/src/engines/espeak.ts';
import { createTtsClient } from '../../api/src/engines/tts-client.ts';
import { quiet } from '../../tests/support/audio/spoken-clips.ts';
import type { Clip } from '../satellite.ts';

/** The same text in several voices; Piper's one voice at several speeds. */
const pipers = [0.9, 1, 1.25];
const espeaks = ['en-us+f3', 'en-us+m3', 'en-gb+f2'];
const leadMs = 250;

/** The voices, each with a function that says a text as 16-bit samples at 16 kHz. */
export function openVoices(ttsUrl: string, signal: AbortSignal) {
  const tts = createTtsClient({ http: createEngineClient('tts'), baseUrl: ttsUrl });
  const samplesOf = async (sound: Pcm | null): Promise<Buffer> => {
    if (sound === null) throw new Error('the voice returned no sound');
    return (await resample(sound, 16_000)).samples;
  };
  return [
    ...pipers.map((lengthScale) => ({
      name: `piper ${lengthScale}`,
      say: async (text: string) => samplesOf(await tts.speak({ text, lengthScale, signal })),
    })),
    ...espeaks.map((voice) => ({
      name: voice,
      say: async (text: string) =>
        samplesOf(await createEspeak({ path: 'espeak-ng', voice }).speak(text, signal)),
    })),
  ];
}

/** The voice without the silence around it. */
export function voiceOnly(samples: Buffer): Buffer {
  const numbers = Array.from({ length: samples.length >> 1 }, (_, at) =>
    Math.abs(samples.readInt16LE(2 * at)),
  );
  const level = Math.max(...numbers) / 40;
  const [from, until] = [
    numbers.findIndex((each) => each > level),
    numbers.findLastIndex((each) => each > level),
  ];
  return samples.subarray(2 * from, 2 * (until + 1));
}

/** The voice after a moment of silence. */
export function voiceClip(samples: Buffer): Clip {
  const voice = voiceOnly(samples);
  return {
    samples: Buffer.concat([quiet(leadMs), voice]),
    fromMs: leadMs,
    untilMs: leadMs + voice.length / 32,
  };
}
