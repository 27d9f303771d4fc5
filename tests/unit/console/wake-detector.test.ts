import { expect, test } from 'vitest';
import { toBytes } from '../../../api/src/audio/pcm.ts';
import { wakeWordRoutes } from '../../../api/src/http/wake-word-routes.ts';
import { createWakeMemory } from '../../../api/src/wake/wake-memory.ts';
import { loadWakeDetector } from '../../../console/src/live/wake-detector.ts';
import { inRow, noise, spokenWord } from '../../support/wake/sounds.ts';
import { fetchedWakeWords } from '../../support/wake/words.ts';

const ids = fetchedWakeWords.map(({ id }) => id);
const known = { words: fetchedWakeWords, refused: [] };

/** The page's detector with the answer of the server's route. */
async function openDetector(words = ids, isWatched = () => false) {
  const sent: unknown[] = [];
  const { getWakeWords } = wakeWordRoutes({
    wakeWords: { now: () => known, lookAgain: () => undefined, origins: () => ({ own: [], shipped: ids }) },
    settings: () => ({ wake_words: words }),
  });
  const call = async () => ({ status: 200, headers: new Headers(), body: getWakeWords({} as never) });
  const caller = { call, open: () => Promise.reject(new Error('not used')) };
  const detector = await loadWakeDetector({ caller, isWatched, send: (event) => sent.push(event) });
  return { detector, sent };
}

test.skipIf(ids.length === 0)('decides as the server, with the models that the server sends', async () => {
  const sound = toBytes(
    inRow(spokenWord('okay-nabu'), noise(1_000, { level: 0.1 }), spokenWord('hey-jarvis')),
  );
  const atServer = createWakeMemory(fetchedWakeWords);
  const { detector, sent } = await openDetector();

  let hits = 0;
  for (let at = 0; at < sound.length; at += 640) {
    const frame = sound.subarray(at, at + 640);
    const here = detector.push(frame);
    expect(here).toEqual(atServer.push(frame));
    hits += here.hits.length;
  }

  expect([hits > 1, sent]).toEqual([true, []]);
});

test('reports the level of the microphone while a person watches it', async () => {
  let isWatched = false;
  const { detector, sent } = await openDetector([], () => isWatched);
  const second = toBytes(Int16Array.from({ length: 16_000 }, () => 3_277));

  detector.push(second);
  isWatched = true;
  detector.push(second);
  detector.push(new Uint8Array(32_000));

  expect(sent).toEqual([
    { type: 'microphone.level', level_db: -20 },
    { type: 'microphone.level', level_db: -100 },
  ]);
});
