import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createListener, type UtteranceEdge } from '../../api/src/audio/listener.ts';
import { resample } from '../../api/src/audio/resample.ts';
import { loadVad, type Vad } from '../../api/src/audio/vad.ts';
import { readWav } from '../../api/src/audio/wav.ts';
import { silencesFor } from '../../api/src/listen/utterance/end-silences.ts';
import { quiet } from '../../tests/support/audio/spoken-clips.ts';
import { table } from '../measure.ts';
import type { Part } from '../part.ts';
import { hasSpeechModels, startStt } from '../real-engines.ts';
import type { Clip } from '../satellite.ts';
import { chosen, ways } from './pause-report.ts';
import { nobody, settingsOf } from './pauses-decided.ts';
import { openVirtualHouse } from './virtual-house.ts';

/** Recordings of people: 16-bit WAV with one channel. None are stored beside the repository. */
const folder = process.env['RECORDINGS'];
const [frameBytes, bytesPerMs, restMs] = [1_024, 32, 2_000];
/** A shorter gap between words is no pause. */
const minPauseMs = 200;

/** People who pause by themselves: how many of their pauses an answer interrupts. */
export const ownPausesPart: Part = {
  name: 'own-pauses',
  async run(house) {
    if (!hasSpeechModels || folder === undefined) {
      const text = 'Pauses in recordings: skipped, it needs .venv, fetched models and RECORDINGS';
      return { text, figures: null, missed: [] };
    }
    const [sttUrl, vad] = [await startStt(house), await loadVad()];
    const virtual = await openVirtualHouse({ sttUrl, vad, signal: house.signal });
    const found = [];
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.wav'))) {
      const { clip, pauses } = await pausesIn(vad, await samplesOf(join(folder, file)));
      for (const way of chosen(ways).filter(({ isLearned }) => !isLearned)) {
        house.signal.throwIfAborted();
        const { cutOffs } = await virtual.say(clip, { settings: settingsOf(way), pauses: nobody });
        found.push({ file, way: way.name, pauses, cutOffs });
      }
    }
    const rows = found.map(({ file, way, pauses, cutOffs }) => {
      const longer = (ms: number) => String(pauses.filter((each) => each >= ms).length);
      return [`${file}, ${way}`, String(pauses.length), longer(300), longer(600), String(cutOffs)];
    });
    return {
      text: `Pauses of people in their own recordings, simulated
${table([['recording, way', 'pauses', 'over 300 ms', 'over 600 ms', 'cut off'], ...rows])}`,
      figures: found,
      missed: [],
    };
  },
};

async function samplesOf(path: string): Promise<Buffer> {
  const sound = readWav(readFileSync(path));
  if (sound === null) throw new Error(`${path} is not a 16-bit WAV with one channel.`);
  return (await resample(sound, 16_000)).samples;
}

/** The recording up to its last voiced sample, and the lengths of the pauses inside it, in ms. */
async function pausesIn(vad: Vad, samples: Buffer): Promise<{ clip: Clip; pauses: number[] }> {
  const edges = await edgesOf(vad, Buffer.concat([samples, quiet(restMs)]));
  const begins = edges.flatMap((edge) =>
    edge.type === 'started' || edge.type === 'resumed' ? [edge.fromMs] : [],
  );
  const ends = edges.flatMap((edge) => (edge.type === 'paused' ? [edge.untilMs] : []));
  const [fromMs = 0, untilMs = 0] = [begins[0], ends.at(-1)];
  const pauses = begins.slice(1).map((ms, nth) => ms - (ends[nth] ?? ms));
  return {
    clip: { samples: samples.subarray(0, untilMs * bytesPerMs), fromMs, untilMs },
    pauses: pauses.filter((ms) => ms >= minPauseMs),
  };
}

async function edgesOf(vad: Vad, samples: Buffer): Promise<UtteranceEdge[]> {
  const silences = silencesFor({ chosenMs: 600, patience: 'normal', habit: null });
  const listener = createListener({ vad, silences });
  const edges: UtteranceEdge[] = [];
  for (let at = 0; at + frameBytes <= samples.length; at += frameBytes)
    edges.push(...(await listener.push(samples.subarray(at, at + frameBytes))));
  return edges;
}
