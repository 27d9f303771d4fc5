import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Household, startHousehold } from './household.ts';
import { roundTo, summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { hasRealEngines, startLlm, startStt, startTts } from './real-engines.ts';
import { medianParts } from './voice.ts';

const root = join(import.meta.dirname, '..');
/** A question of one and a half seconds where it lies beside the repository, else one of our own clips. */
const clip = ['../shared/speech/joe-france.wav', 'services/stt/tests/clips/weather.wav']
  .map((file) => join(root, file))
  .find((file) => existsSync(file));

const rounds = 10;

/** A question and its spoken answer on real engines: how long from the upload to the whole answer, and whose time that is. */
export const voiceRealPart: Part = {
  name: 'voice-real',
  async run(house) {
    if (!hasRealEngines || clip === undefined) {
      return {
        text: '/voice on real engines: left out, it needs .venv and fetched models',
        figures: null,
        missed: [],
      };
    }
    const [llmUrl, sttUrl, ttsUrl] = [await startLlm(house), await startStt(house), await startTts(house)];
    const folder = join(house.folder, 'voice-real-house');
    mkdirSync(folder);
    const real = await startHousehold({ folder, signal: house.signal, llmUrl, sttUrl, ttsUrl });
    try {
      return await measure(real, readFileSync(clip));
    } finally {
      await real.end();
    }
  },
};

async function measure(house: Household, recording: Buffer): Promise<Findings> {
  const { reply } = await house.voice(recording, 'warm-up');
  const timesMs: number[] = [];
  const seen: Map<string, number>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begunAt = performance.now();
    // A conversation of its own each time: a growing prompt is not part of this.
    const { parts } = await house.voice(recording, `round-${round}`);
    timesMs.push(performance.now() - begunAt);
    seen.push(parts);
  }
  const whole = summary(timesMs);
  const parts = medianParts(seen);
  const share = (ms: number) => `${((100 * ms) / whole.medianMs).toFixed(0)} %`;
  const rows = [
    ['a question and its answer', 'median', 'share'],
    ['upload to the whole answer', `${whole.medianMs.toFixed(0)} ms`, `p95 ${whole.p95Ms.toFixed(0)} ms`],
    ...Object.entries(parts).map(([name, ms]) => [`  ${name}`, `${ms.toFixed(0)} ms`, share(ms)]),
  ];
  return {
    text: `/voice on real engines ("${reply}"; stages overlap, so shares add up to more)\n${table(rows)}`,
    figures: { whole, parts, shares: sharesOf(parts, whole.medianMs), reply },
    missed: [],
  };
}

function sharesOf(parts: Record<string, number>, wholeMs: number): Record<string, number> {
  return Object.fromEntries(Object.entries(parts).map(([name, ms]) => [name, roundTo(ms / wholeMs, 3)]));
}
