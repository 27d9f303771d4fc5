import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Pcm } from '../api/src/audio/pcm.ts';
import { writeWav } from '../api/src/audio/wav.ts';
import { createEngineClient } from '../api/src/engines/engine-client.ts';
import { createSttClient } from '../api/src/engines/stt-client.ts';
import { timedParts } from '../api/src/turn/turn.ts';
import { type Household, startHousehold } from './household.ts';
import { alternate, median, roundTo, table } from './measure.ts';
import type { Findings, Part } from './part.ts';

const speed = { hearMs: 300, msPerCharacter: 3 };
const story = { firstMs: 200, tokens: 60, perSecond: 50, isStory: true };
const rounds = 10;

/** From a recording to a spoken answer, over the same engines called one after the other. */
export const voicePart: Part = {
  name: 'voice',
  async run(house) {
    const folder = join(house.folder, 'voice-house');
    mkdirSync(folder);
    const urls = await startSpeech(house);
    const spoken = await startHousehold({ folder, signal: house.signal, ...urls });
    try {
      await spoken.setEngineStream(story);
      return await measure(spoken, urls);
    } finally {
      await spoken.end();
    }
  },
};

interface SpeechUrls {
  sttUrl: string;
  ttsUrl: string;
}

const portsSchema = z.object({ ports: z.object({ stt: z.number(), tts: z.number() }) });

/** Engines of known speed for transcription and speech; they end with the household. */
async function startSpeech({ processes, signal }: Household): Promise<SpeechUrls> {
  const stub = processes.fork('stub-speech', join(import.meta.dirname, 'stub-speech.ts'));
  const { ports } = portsSchema.parse((await once(stub, 'message', { signal }))[0]);
  stub.send(speed);
  await once(stub, 'message', { signal });
  return { sttUrl: `http://127.0.0.1:${ports.stt}`, ttsUrl: `http://127.0.0.1:${ports.tts}` };
}

const sound: Pcm = { sampleRateHz: 16_000, samples: Buffer.alloc(2 * 16_000 * 2, 1) };
const recording = writeWav(sound);

async function measure(house: Household, { sttUrl, ttsUrl }: SpeechUrls): Promise<Findings> {
  const stt = createSttClient({ http: createEngineClient('stt'), baseUrl: sttUrl });
  const { reply } = await house.voice(recording, 'warm-up'); // The first call of a process compiles its code.
  const seen: Map<string, number>[] = [];
  const direct = async () => {
    await stt.transcribe({ sound, signal: house.signal });
    await house.askEngine();
    await say(ttsUrl, reply, house.signal);
  };
  const through = async (caller: number, round: number) => {
    const { parts } = await house.voice(recording, `${caller}-${round}`);
    seen.push(parts);
  };
  const [engines, hearth] = await alternate([direct, through], { callers: 1, rounds, callsInRow: 1 });
  if (!engines || !hearth) throw new Error('no measurement');

  const ratio = hearth.medianMs / engines.medianMs;
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const parts = medianParts(seen);
  const rows = [
    ['a story of 60 words', 'median', 'p95'],
    ['the engines one after the other', ms(engines.medianMs), ms(engines.p95Ms)],
    ['/voice', ms(hearth.medianMs), ms(hearth.p95Ms)],
    ...Object.entries(parts).map(([name, value]) => [`  ${name}`, ms(value), '']),
  ];
  return {
    text: `/voice over its engines one after the other (hears in 300 ms; first word after 200 ms, then 50 words/s; 3 ms a character)\n${table(rows)}\nRatio ${ratio.toFixed(3)}`,
    figures: { engines, hearth, ratio: roundTo(ratio, 4), parts, characters: reply.length },
    missed: [],
  };
}

/** The whole reply in one call, as another client would send it to Piper. */
export async function say(ttsUrl: string, text: string, signal: AbortSignal): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${ttsUrl}/synthesize`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text }),
    signal,
  });
  await answer.arrayBuffer();
}

/** Figures of each part that Server-Timing names, in its order. */
export function medianParts(seen: readonly ReadonlyMap<string, number>[]): Record<string, number> {
  const timings = timedParts.map((part) => [part, seen.flatMap((parts) => parts.get(part) ?? [])] as const);
  return Object.fromEntries(
    timings
      .filter(([, values]) => values.length > 0)
      .map(([part, values]) => [part, roundTo(median(values), 1)]),
  );
}
