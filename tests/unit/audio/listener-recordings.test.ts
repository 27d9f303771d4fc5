import { describe, expect, test } from 'vitest';
import { createListener, type UtteranceEdge } from '../../../api/src/audio/listener.ts';
import { loadVad } from '../../../api/src/audio/vad.ts';
import { hear, spans, types } from '../../support/audio/hear.ts';
import { silencesAfter } from '../../support/audio/silences.ts';
import { quiet, type SpokenCase, spokenCase, spokenCases } from '../../support/audio/spoken-clips.ts';

const vad = await loadVad();
const listener = (endSilenceMs = 600) => createListener({ vad, silences: silencesAfter(endSilenceMs) });

describe.skipIf(spokenCases.length === 0)('the listener, on recordings (needs ../shared/speech)', () => {
  /** A person in a hall, with seconds between words. */
  const slow = 'jfk.wav';
  const single = spokenCases.filter(({ file, speech }) => speech.length === 1 && file !== slow);
  /** The test feeds each one once, at 800 ms. */
  const known = new Map<string, Promise<UtteranceEdge[]>>();
  const edgesOf = (file: string) => {
    const edges = known.get(file) ?? hear(listener(800), sustained(file)).then(spans);
    known.set(file, edges);
    return edges;
  };
  const sustained = (file: string) => Buffer.concat([spokenCase(file), quiet(1_000)]);

  test.each(spokenCases.filter(({ speech }) => speech.length === 0).map(({ file }) => file))(
    'hears no speech in %s',
    async (file) => {
      expect(await hear(listener(), sustained(file))).toEqual([]);
    },
  );

  test.each(single)('finds the start and end of "$text" ($file)', async ({ file, speech }: SpokenCase) => {
    const [fromMs = 0, untilMs = 0] = speech[0]?.map((s) => s * 1_000) ?? [];

    const edges = await edgesOf(file);

    expect(types(edges)).toEqual(['started', 'ended']);
    const [started, ended] = edges;
    // The s of "stop" is long and unvoiced.
    const maxMs = file === 'stop.wav' ? 350 : 200;
    expect(started?.atMs).toBeGreaterThan(fromMs);
    expect(started?.atMs).toBeLessThan(fromMs + maxMs);
    expect(Math.abs((ended?.atMs ?? 0) - untilMs - 800)).toBeLessThan(130);
  });

  test.each(['pause-300ms.wav', 'pause-600ms.wav', 'joe-breath.wav', 'joe-long.wav'])(
    'keeps %s together at 800 ms',
    async (file) => {
      expect(types(spans(await hear(listener(800), sustained(file))))).toEqual(['started', 'ended']);
    },
  );

  test('keeps a pause for breath together and two requests apart, with the default settings', async () => {
    expect(types(spans(await hear(listener(), sustained('joe-breath.wav'))))).toEqual(['started', 'ended']);
    expect(types(spans(await hear(listener(), sustained('two-requests.wav'))))).toEqual([
      ...['started', 'ended'],
      ...['started', 'ended'],
    ]);
  });

  test('loses no word of a slow speaker', async () => {
    const edges = spans(await hear(listener(1_500), spokenCase(slow), quiet(2_000)));

    expect(types(edges)).toEqual(['started', 'ended']);
  });

  test('detects half of all ends within 20 ms of the setting', async () => {
    const late: number[] = [];
    for (const { file, speech } of single) {
      const ended = (await edgesOf(file)).at(-1);
      late.push((ended?.atMs ?? 0) - (speech[0]?.[1] ?? 0) * 1_000 - 800);
    }

    const median = late.toSorted((a, b) => a - b)[Math.floor(late.length / 2)] ?? expect.fail();
    expect(Math.abs(median)).toBeLessThan(20);
  });
});
