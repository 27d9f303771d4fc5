import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Household } from './household.ts';
import { roundTo, summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { hasRealEngines, onRealEngines } from './real-engines.ts';
import { medianParts } from './voice.ts';

const root = join(import.meta.dirname, '..');
const ownClip = join(root, 'services/stt/tests/clips/weather.wav');
/** A question of one and a half seconds if it lies beside the repository, otherwise one of our own clips. */
const clip =
  [join(root, '../shared/speech/joe-france.wav'), ownClip].find((file) => existsSync(file)) ?? ownClip;
/** Another question, so that a fresh process compiles its code first. */
const otherClip = join(root, 'services/stt/tests/clips/hello.wav');

const rounds = 8;

/**
 * A question and its spoken answer on real engines: time from upload to whole answer, and each part's share.
 */
export const voiceRealPart: Part = {
  name: 'voice-real',
  async run(house) {
    if (!hasRealEngines) {
      return {
        text: '/voice on real engines: skipped, it needs .venv and fetched models',
        figures: null,
        missed: [],
      };
    }
    return onRealEngines(house, 'voice-real-house', measure);
  },
};

async function measure(house: Household): Promise<Findings> {
  const timesMs: number[] = [];
  const seen: Map<string, number>[] = [];
  let said = '';
  for (let round = 0; round < rounds; round += 1) {
    // A worker caches the sound of short sentences, so each round uses a new one.
    await house.replaceWorker();
    await house.voice(readFileSync(otherClip), `other-${round}`);
    const begunAt = performance.now();
    // A separate conversation each time, so that a growing prompt is not part of this measurement.
    const { reply, parts } = await house.voice(readFileSync(clip), `round-${round}`);
    timesMs.push(performance.now() - begunAt);
    seen.push(parts);
    said = reply;
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
    text: `/voice on real engines ("${said}"; stages overlap, so shares add up to more)\n${table(rows)}`,
    figures: { whole, parts, shares: sharesOf(parts, whole.medianMs), said },
    missed: [],
  };
}

function sharesOf(parts: Record<string, number>, wholeMs: number): Record<string, number> {
  return Object.fromEntries(Object.entries(parts).map(([name, ms]) => [name, roundTo(ms / wholeMs, 3)]));
}
