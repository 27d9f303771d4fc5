import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { quiet, spokenCase } from '../audio/spoken-clips.ts';
import { wavFile } from '../audio/wav-files.ts';

/** Debian's browser, from the PATH; undefined if it is not installed. */
export const chromiumPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((file) => existsSync(file));

/** Clips (by name or as samples) for the browser's open microphone, and ms of silence between them. */
export type Spoken = readonly (string | number | Buffer)[];

interface OpenBrowser {
  browser: Browser;
  close: () => Promise<void>;
}

const rateHz = 16_000;

function soundOf(each: Spoken[number]): Buffer {
  if (typeof each === 'number') return quiet(each);
  return typeof each === 'string' ? spokenCase(each) : each;
}

/** A browser whose microphone hears a recording. After it, silence. */
export async function openBrowser(spoken: Spoken = []): Promise<OpenBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-page-'));
  const clip = join(folder, 'spoken.wav');
  const parts = [...spoken, 30_000].map(soundOf);
  writeFileSync(
    clip,
    wavFile({ kind: 1, channels: 1, sampleRateHz: rateHz, bits: 16, data: Buffer.concat(parts) }),
  );
  const browser = await chromium.launch({
    executablePath: chromiumPath ?? 'chromium',
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${clip}%noloop`,
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
  return {
    browser,
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export const desk: BrowserContextOptions = { viewport: { width: 1100, height: 800 }, colorScheme: 'light' };
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
  colorScheme: 'light',
};

/**
 * Records microphone and sound card data, and violations of the content security policy. Runs inside the
 * page. `answers`: sounds that began after half a second of quiet, each with the last time of earlier speech.
 */
const watch = `
  window.loudest = 0;
  window.refused = [];
  window.answers = [];
  document.addEventListener('securitypolicyviolation', (event) => window.refused.push(event.violatedDirective + ' ' + event.blockedURI));
  const connect = AudioNode.prototype.connect;
  // The meter holds 0.7 s, so that a stalled page misses nothing.
  const fftSize = 32768;
  const tap = (node, onLevel) => {
    const meter = new AnalyserNode(node.context, { fftSize });
    connect.call(node, meter);
    const samples = new Float32Array(fftSize);
    let readS = node.context.currentTime;
    setInterval(() => {
      meter.getFloatTimeDomainData(samples);
      const nowS = node.context.currentTime;
      const unread = Math.ceil((nowS - readS) * node.context.sampleRate);
      readS = nowS;
      onLevel(samples.subarray(-Math.min(Math.max(unread, 512), fftSize)).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));
    }, 10);
  };
  const played = (level) => {
    window.now = level;
    window.loudest = Math.max(window.loudest, level);
    if (level <= 0.01) return;
    if (!(Date.now() - window.lastLoudMs < 500)) window.answers.push({ atMs: Date.now(), spokenMs: window.lastSpokenMs });
    window.lastLoudMs = Date.now();
  };
  const spoken = (level) => {
    if (level > 0.02) window.lastSpokenMs = Date.now();
  };
  AudioNode.prototype.connect = function (to, ...rest) {
    if (to instanceof AudioDestinationNode) tap(this, played);
    else if (this instanceof MediaStreamAudioSourceNode && !(to instanceof AnalyserNode)) tap(this, spoken);
    return connect.call(this, to, ...rest);
  };
`;

export interface Visit {
  page: Page;
  /** Errors that the page logged or threw, and violations of its policy. */
  faults: () => Promise<string[]>;
  close: () => Promise<void>;
}

export interface VisitOptions {
  address: string;
  view?: string;
  looks?: BrowserContextOptions;
  /** This device's name. */
  name?: string;
  mode?: 'hold' | 'free' | 'name' | 'word' | 'word+name';
  /** Whether the person has allowed the microphone before. */
  isMicrophoneAllowed?: boolean;
}

/** Opens the page with separate storage, as a device that has chosen its name. */
export async function visit(browser: Browser, options: VisitOptions): Promise<Visit> {
  const { address, view = 'talk', looks = desk, name = 'tablet', mode = 'hold' } = options;
  const permissions = options.isMicrophoneAllowed === false ? [] : ['microphone'];
  // Requests that pass a service worker escape `page.route`. It takes over at a moment of its own.
  const context = await browser.newContext({ serviceWorkers: 'block', ...looks, permissions });
  const device = JSON.stringify({ name, room: 'kitchen', mode, isChosen: true });
  await context.addInitScript(watch);
  await context.addInitScript(
    `localStorage.getItem('hearth-device') ?? localStorage.setItem('hearth-device', ${JSON.stringify(device)})`,
  );
  const page = await context.newPage();
  const told: string[] = [];
  page.on('pageerror', (error) => told.push(error.message));
  page.on('console', (line) => {
    // The page itself reports failed requests.
    if (line.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(line.text()))
      told.push(line.text());
  });
  await page.goto(`${address}/#/${view}`);
  return {
    page,
    faults: async () => {
      const refused: unknown = await page.evaluate('window.refused');
      return [...told, ...(Array.isArray(refused) ? refused.map(String) : ['the page is gone'])];
    },
    close: () => context.close(),
  };
}

/** The bytes of all scripts of a page, as received. */
export async function scriptBytes(page: Page): Promise<number> {
  const sum =
    "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)";
  return Number(await page.evaluate(sum));
}

/** Waits until no element fades any more. An animation without an end is no transition. */
const faded = `Promise.all(document.getAnimations().filter((each) => each instanceof CSSTransition)
  .map(({ finished }) => finished.catch(() => undefined))).then(() => undefined)`;

/** The faults that axe finds, one line each. */
export async function violations(page: Page): Promise<string[]> {
  // After a change of theme, a button fades from one colour to another. Between them, its contrast is low.
  await page.evaluate(faded);
  // Of what passes, axe would describe every element: on a long page that takes longer than the checks.
  const { violations: found } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

/** Visible elements that reach beyond a side of their card, one line each. A scroller may hold wider ones. */
const outsideCards = `[...document.querySelectorAll('main .card *')].filter((one) => {
  if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('.visually-hidden, svg')) return false;
  const card = one.closest('.card');
  for (let up = one.parentElement; up !== card; up = up.parentElement)
    if (getComputedStyle(up).overflowX !== 'visible') return false;
  const [inner, outer] = [one.getBoundingClientRect(), card.getBoundingClientRect()];
  return inner.width > 0 && (inner.right > outer.right + 0.5 || inner.left < outer.left - 0.5);
}).map(({ outerHTML }) => outerHTML.slice(0, 200))`;

/** How the layout is wrong: a window that scrolls sideways, and elements outside their card. */
export async function misplaced(page: Page): Promise<unknown> {
  const isWide = 'document.documentElement.scrollWidth > innerWidth ? ["the window scrolls sideways"] : []';
  return await page.evaluate(`[...${isWide}, ...${outsideCards}]`);
}
