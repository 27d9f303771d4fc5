import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { toBytes } from '../api/src/audio/pcm.ts';
import { createWakeMemory } from '../api/src/wake/wake-memory.ts';
import type { WakeWord } from '../api/src/wake/wake-word.ts';
import { chromiumPath, openBrowser, phone, scriptBytes, visit } from '../tests/support/servers/browser.ts';
import { waitFor } from '../tests/support/wait-for.ts';
import { hearInPage, pageDetectorFile } from '../tests/support/wake/page-detector.ts';
import { inRow, referenceSounds } from '../tests/support/wake/sounds.ts';
import { fetchedWakeWords } from '../tests/support/wake/words.ts';
import type { Household } from './household.ts';
import { type KnownEngines, onKnownEngines, type Speed } from './known-engines.ts';
import { roundTo, type Summary, summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { cpuMsOfAll } from './processes.ts';
import { question, withSatellite } from './satellite.ts';

const budget = { scriptKb: 150, readyMs: 1_000, growthMb: 5, wakeShare: 0.05 };
const visits = 5;
/** Speed of a phone's core relative to one of this machine's, as browsers' own tools assume. */
const slowdown = 4;
const questions = 6;
/** An answer is over by then. */
const pauseMs = 6_000;
const watchMs = 10_000;
/** How often the wake word detector hears the same sounds. Only the last round counts. */
const wakeRounds = 3;
/** A person who asks every twenty seconds for an hour. */
const turnsOfAnHour = 180;
const soon = { timeout: 60_000 };

const speed: Speed = {
  hearMs: 300,
  msPerCharacter: 3,
  transcript: 'Tell me a story about a boat.',
  answer: { firstMs: 200, tokens: 8, perSecond: 50, isStory: true },
};

/** The page in a real browser, over engines of known speed. */
export const pagePart: Part = {
  name: 'page',
  async run(house) {
    const isBuilt = existsSync(join(import.meta.dirname, '../console/dist/index.html'));
    if (chromiumPath === undefined || !isBuilt) {
      const text = 'The page: skipped, it needs chromium and the page built (make setup)';
      return { text, figures: null, missed: [] };
    }
    return await onKnownEngines(house, 'page-house', measure);
  },
};

async function measure(live: Household, engines: KnownEngines): Promise<Findings> {
  await engines.set(speed);
  const spoken = await firstSounds(live);
  const own = await openBrowser();
  try {
    const load = await loading(live, own.browser);
    const cpu = await idleCost(live, own.browser);
    const wake = await wakeCost(live, own.browser);
    await engines.set({ ...speed, hearMs: 0, msPerCharacter: 0, answer: { ...speed.answer, firstMs: 0 } });
    const memory = await memoryOver(live, own.browser);
    return findings({ spoken, load, cpu, wake, memory });
  } finally {
    await own.close();
  }
}

interface Measured {
  spoken: { page: Summary; satellite: Summary };
  load: { scriptBytes: number; ready: Summary };
  cpu: { talk: number; listening: number; turns: number };
  /** Ms of one core per second of sound. Null: no models. */
  wake: { fileKb: number; hereMs: number; pageMs: number; phoneMs: number; maxFrameMs: number } | null;
  memory: { turns: number; heapMb: number }[];
}

function findings({ spoken, load, cpu, wake, memory }: Measured): Findings {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const share = (value: number) => `${(value * 100).toFixed(1)} %`;
  const kb = load.scriptBytes / 1_000;
  const growthMb = (memory.at(-1)?.heapMb ?? Number.NaN) - (memory.at(-2)?.heapMb ?? Number.NaN);
  const rows = [
    ['the page', 'measured', 'target'],
    ['scripts, compressed', `${kb.toFixed(1)} kB`, `${budget.scriptKb} kB`],
    [
      `ready for speech, on a phone (a core ${slowdown} times slower)`,
      ms(load.ready.medianMs),
      ms(budget.readyMs),
    ],
    ['end of speech to first sound, in the page', ms(spoken.page.medianMs), ''],
    ['the same at a satellite', ms(spoken.satellite.medianMs), ''],
    ['of one core: all of the browser, the talk view open', share(cpu.talk), ''],
    ['the same with an open microphone', share(cpu.listening), ''],
    ['the same with the turns in view', share(cpu.turns), ''],
    ...wakeRows(wake),
    ...memory.map(({ turns, heapMb }) => [
      `JavaScript heap after ${turns} turns`,
      `${heapMb.toFixed(1)} MB`,
      '',
    ]),
  ];
  const limits: [what: string, value: number, max: number][] = [
    ['kB of scripts', kb, budget.scriptKb],
    ['ms until the page is ready for speech', load.ready.medianMs, budget.readyMs],
    ['of one core for the wake word on a phone', (wake?.phoneMs ?? 0) / 1_000, budget.wakeShare],
    ['MB of growth of the page in half an hour of turns', growthMb, budget.growthMb],
  ];
  return {
    text: table(rows),
    figures: { spoken, load, cpu, wake, memory },
    missed: limits
      .filter(([, value, limit]) => !(value <= limit))
      .map(([what, value, limit]) => `${value.toFixed(1)} ${what}; the limit is ${limit}.`),
  };
}

/** The visit starts with an empty cache. */
async function loading({ api }: Household, browser: Browser): Promise<Measured['load']> {
  const readyMs: number[] = [];
  let bytes = 0;
  for (let visited = 0; visited < visits; visited += 1) {
    const context = await browser.newContext({ ...phone, permissions: ['microphone'] });
    const device = JSON.stringify({ name: 'phone', room: 'kitchen', mode: 'hold', isChosen: true });
    await context.addInitScript(`localStorage.setItem('hearth-device', ${JSON.stringify(device)})`);
    const page = await context.newPage();
    const tools = await context.newCDPSession(page);
    await tools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    // The other visits also wait until the whole page has loaded, so this one differs.
    await page.goto(api.url, { waitUntil: 'commit' });
    await page.locator('.hold:enabled').waitFor(soon);
    readyMs.push(Number(await page.evaluate('performance.now()')));
    bytes = await scriptBytes(page);
    await context.close();
  }
  return { scriptBytes: bytes, ready: summary(readyMs) };
}

const answersSchema = z.array(z.object({ atMs: z.number(), spokenMs: z.number() }));

/** The same question, spoken into the browser's microphone and sent by a satellite. */
async function firstSounds({ api }: Household): Promise<Measured['spoken']> {
  const spoken = Array.from({ length: questions }, () => [1_500, question.samples, pauseMs]).flat();
  const own = await openBrowser(spoken);
  const inPage: number[] = [];
  try {
    const { page, close } = await visit(own.browser, { address: api.url, mode: 'free', name: 'spoken-to' });
    const answers = await waitFor(
      async () => {
        const answers = answersSchema.parse(await page.evaluate('window.answers'));
        return answers.length >= questions && answers;
      },
      { what: 'every question is answered in the page', withinMs: questions * 15_000 },
    );
    for (const { atMs, spokenMs } of answers) inPage.push(atMs - spokenMs);
    await close();
  } finally {
    await own.close();
  }
  const atSatellite = await withSatellite({ url: api.url, client: 'beside' }, async (satellite) => {
    const timesMs: number[] = [];
    for (let count = 0; count < questions; count += 1)
      timesMs.push((await satellite.ask(question, { listenMs: pauseMs })).firstSoundMs);
    return timesMs;
  });
  return { page: summary(inPage), satellite: summary(atSatellite) };
}

/** The cost of an idle open page: its share of one core, including all browser processes. */
async function idleCost({ api }: Household, browser: Browser): Promise<Measured['cpu']> {
  const cost = async (view: string, mode: 'hold' | 'free'): Promise<number> => {
    const { page, close } = await visit(browser, { address: api.url, view, mode, name: `idle-${view}` });
    await page.getByRole('heading', { level: 1 }).waitFor(soon);
    await page.waitForTimeout(2_000); // The page has drawn its initial state.
    const [fromMs, begunAt] = [await cpuMsOfAll(/^chrom/), performance.now()];
    await page.waitForTimeout(watchMs);
    const share = ((await cpuMsOfAll(/^chrom/)) - fromMs) / (performance.now() - begunAt);
    await close();
    return roundTo(share, 4);
  };
  return {
    talk: await cost('talk', 'hold'),
    listening: await cost('talk', 'free'),
    turns: await cost('turns', 'hold'),
  };
}

function wakeRows(wake: Measured['wake']): string[][] {
  if (wake === null) return [];
  const { fileKb, hereMs, pageMs, phoneMs, maxFrameMs } = wake;
  return [
    ['the file of the wake word detector, compressed', `${fileKb.toFixed(1)} kB`, ''],
    ['the wake word in Node, per second of sound', `${hereMs.toFixed(2)} ms`, ''],
    ['the same in the page', `${pageMs.toFixed(2)} ms (${(pageMs / hereMs).toFixed(2)} times)`, ''],
    [
      `the same on a phone (a core ${slowdown} times slower)`,
      `${(phoneMs / 10).toFixed(2)} % of the core`,
      `${budget.wakeShare * 100} %`,
    ],
    ['the longest frame there', `${maxFrameMs.toFixed(1)} ms`, ''],
  ];
}

/** The household's wake word in Node, in the page, and in the page on a slow core. */
async function wakeCost({ api }: Household, browser: Browser): Promise<Measured['wake']> {
  const words = fetchedWakeWords.filter(({ id }) => id === 'okay_nabu');
  if (words.length === 0) return null;
  const sound = inRow(...referenceSounds().values());
  const perSecond = (ms: number): number => roundTo(ms / (sound.length / 16_000), 2);
  const { page, close } = await visit(browser, { address: api.url, name: 'wake-cost' });
  const inPage = await hearInPage(page, sound, wakeRounds);
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const onPhone = await hearInPage(page, sound, wakeRounds);
  await close();
  return {
    fileKb: roundTo(statSync(`${pageDetectorFile()}.gz`).size / 1_000, 1),
    hereMs: perSecond(hearHere(words, toBytes(sound))),
    pageMs: perSecond(inPage.ms),
    phoneMs: perSecond(onPhone.ms),
    maxFrameMs: roundTo(onPhone.maxMs, 1),
  };
}

/** Ms for the sound in the last round, in frames of 20 ms. */
function hearHere(words: readonly WakeWord[], sound: Buffer): number {
  const memory = createWakeMemory(words);
  let begunAtMs = 0;
  for (let round = 0; round < wakeRounds; round += 1) {
    begunAtMs = performance.now();
    for (let at = 0; at < sound.length; at += 640) memory.push(sound.subarray(at, at + 640));
  }
  return performance.now() - begunAtMs;
}

/** Turn after turn in one page, at full speed. */
async function memoryOver({ api, signal }: Household, browser: Browser): Promise<Measured['memory']> {
  const { page, close } = await visit(browser, { address: api.url, name: 'typist' });
  const seen: Measured['memory'] = [];
  for (let turns = 1; turns <= turnsOfAnHour; turns += 1) {
    signal.throwIfAborted();
    await page.getByLabel('Type a question').fill(`Tell me story number ${turns}.`);
    await page.keyboard.press('Enter');
    await page.locator('[data-state=done]', { hasText: `Tell me story number ${turns}.` }).waitFor(soon);
    if ([turnsOfAnHour / 9, turnsOfAnHour / 2, turnsOfAnHour].includes(turns))
      seen.push({ turns, heapMb: await heapMb(page) });
  }
  await close();
  return seen;
}

/** The memory of the page's scripts after garbage collection. */
async function heapMb(page: Page): Promise<number> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await tools.send('Runtime.getHeapUsage');
  await tools.detach();
  return roundTo(usedSize / 1e6, 2);
}
