import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { toBytes } from '../../../api/src/audio/pcm.ts';

const assets = resolve(import.meta.dirname, '../../../console/dist/assets');

/** The file with the page's detector, which the page loads only for a wake word. */
export const pageDetectorFile = (): string => {
  const name = readdirSync(assets).find((each) => /^wake-detector-[\w-]+\.js$/.test(each));
  if (name === undefined) throw new Error('the page has no file for its wake word detector');
  return join(assets, name);
};

const heardSchema = z.object({
  hits: z.array(z.object({ word: z.string(), atMs: z.number(), certainty: z.string() })),
  ms: z.number(),
  maxMs: z.number(),
});

/** Hears frames of 20 ms, as from the microphone. `maxMs`: the longest frame. Runs inside the page. */
const hear = `async ({ file, sound, rounds }) => {
  const [load] = Object.values(await import(file));
  const call = async (path) => ({ body: await (await fetch(path)).json() });
  const detector = await load({ caller: { call }, isWatched: () => false, send: () => undefined });
  const bytes = Uint8Array.from(atob(sound), (byte) => byte.charCodeAt(0));
  let [hits, ms, maxMs] = [[], 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    [hits, maxMs] = [[], 0];
    const begunAtMs = performance.now();
    for (let at = 0; at < bytes.length; at += 640) {
      const frame = bytes.slice(at, at + 640);
      const fromMs = performance.now();
      const { hits: found } = detector.push(frame);
      maxMs = Math.max(maxMs, performance.now() - fromMs);
      hits.push(...found.map(({ word, atMs, certainty }) => ({ word, atMs, certainty })));
    }
    ms = performance.now() - begunAtMs;
  }
  return { hits, ms, maxMs };
}`;

/** Runs the detector of the built page on a sound, in its browser. Returns the figures of the last round. */
export async function hearInPage(page: Page, sound: Int16Array, rounds = 1) {
  const file = `/assets/${pageDetectorFile().split('/').at(-1)}`;
  const options = JSON.stringify({ file, sound: toBytes(sound).toString('base64'), rounds });
  return heardSchema.parse(await page.evaluate(`(${hear})(${options})`));
}
