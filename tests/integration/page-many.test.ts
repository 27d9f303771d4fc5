/** @module-tag slow */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { misplaced, violations } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';

/** A window zoomed to 200 % has half the pixels. */
const sizes = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  'on-its-side': { width: 844, height: 390 },
  narrow: { width: 320, height: 640 },
  zoomed: { width: 640, height: 400 },
} as const;
const themes = ['light', 'dark'] as const;

/** An element that is present once a view shows everything. */
const settled = {
  talk: '.hold:enabled',
  'talk/sentences': '.card button',
  home: '.satellite .well',
  activity: 'text=Where the time went',
  settings: '#about',
  'settings/advanced': '[aria-labelledby=pauses]',
  'settings/health': '#tokens',
} as const;
type Shown = keyof typeof settled;
const shown: readonly Shown[] = [
  ...(['talk', 'talk/sentences', 'home', 'activity'] as const),
  ...(['settings', 'settings/advanced', 'settings/health'] as const),
];

const many = 200;
const maxTimers = 100;
const kinds = ['timer', 'alarm', 'reminder'] as const;
const roomOf = (number: number) => `Room ${number % 20}`;
const all = (count: number) => Array.from({ length: count }, (_, number) => number + 1);

/** As many of everything as Hearth keeps, up to 200. */
async function fill({ household, timers }: PageHouse, home: FakeHome): Promise<void> {
  for (const number of all(maxTimers))
    await timers.set(number * 600_000, {
      label: `cake number ${number}`,
      kind: kinds[number % 3] ?? 'timer',
    });
  const items = all(many).map((number) => `thing number ${number} of the long list`);
  await household.assistant.call('/admin/lists', { method: 'POST', body: { name: 'shopping', items } });
  for (const number of all(49)) {
    const body = { name: `list ${number}`, items: ['milk'] };
    await household.assistant.call('/admin/lists', { method: 'POST', body });
  }
  const seen = all(many - 1).flatMap((number) => [
    `satellite ${number}`,
    JSON.stringify({ room: roomOf(number), seenAt: Date.now() - number * 60_000 }),
  ]);
  await household.store.hset('hearth:seen-satellites', ...seen);
  for (const number of all(many))
    home.gains(`light.lamp_${number}`, { name: `Lamp ${number}`, area: roomOf(number), state: 'off' });
  for (const number of all(many))
    await household.assistant.ask(`What is ${number} times 3?`, { client: `person ${number % 40}` });
  for (const number of all(99)) {
    const body = { name: `device ${number}`, scope: 'talk' };
    await household.assistant.call('/admin/tokens', { method: 'POST', body });
  }
}

/** The elements that moved while the page loaded, one line each. */
const shifts = `new Promise((tell) => {
  new PerformanceObserver((list, observer) => {
    observer.disconnect();
    const shifts = list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput);
    const lines = shifts.flatMap(({ value, sources }) => sources.map(({ node, previousRect, currentRect }) =>
      [value.toFixed(4), node?.outerHTML?.slice(0, 120) ?? node?.textContent, previousRect.top, currentRect.top].join(' ')));
    tell(lines.join('\\n'));
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => tell(''), 500); // without a shift, the observer never calls
})`;

/** Shows fifty more at a time. A person's clicks would take minutes here. */
async function showAll(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const isMore = ({ textContent }) => /^Show \\d* ?more/.test(textContent);
    for (let more; (more = [...document.querySelectorAll('button')].find(isMore)); ) {
      more.click();
      await new Promise(requestAnimationFrame);
    }
  })()`);
}

/** Passes axe, and nothing is wider than the window or its card. */
async function looksWell(page: Page, name: string): Promise<void> {
  expect(await violations(page), name).toEqual([]);
  expect(await misplaced(page), name).toEqual([]);
}

describe.skipIf(!canBeSeen)(
  'every view of the page (needs chromium, and the page built)',
  { timeout: 300_000 },
  () => {
    let house: PageHouse;
    let home: FakeHome;
    beforeAll(async () => {
      home = await startFakeHome();
      house = await openPageHouse(home.env);
    });
    afterAll(async () => {
      await house?.close();
      await home?.stop();
    });

    const look = async (view: Shown, amount: string) =>
      await house.see(
        async (page) => {
          for (const theme of themes) {
            await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
            for (const [size, viewport] of Object.entries(sizes)) {
              await page.setViewportSize(viewport);
              await page.locator(settled[view]).first().waitFor();
              await page.locator('main:not(:has(.loading))').waitFor();
              const name = `${view.replace('/', '-')}-${amount}-${size}-${theme}`;
              const fullPage = amount === 'none' && view !== 'talk/sentences'; // which has thousands of lines
              await page.screenshot({ path: join(pictures, `all-${name}.png`), fullPage });
              if (theme === 'light' || size === 'desk') await looksWell(page, name);
            }
          }
        },
        { view },
      );

    /** Loads a view for the first time, and again. Nothing may move while its data arrive. */
    const load = async (view: Shown, size: 'desk' | 'phone') =>
      await house.see(
        async (page) => {
          for (const visit of ['first', 'second']) {
            if (visit === 'second') await page.reload();
            await page.locator(settled[view]).first().waitFor();
            await page.locator('main:not(:has(.loading))').waitFor();
            await page.waitForLoadState('networkidle');
            expect(await page.evaluate(shifts), `${visit} visit`).toBe('');
          }
        },
        { view, looks: { viewport: sizes[size] } },
      );
    const loaded = (['talk', 'home', 'activity', 'settings'] as const).flatMap((view) =>
      (['desk', 'phone'] as const).map((size) => [view, size] as const),
    );

    test.each(loaded)('moves nothing while %s loads at the %s with nothing in it', load);

    test.each(shown)('passes axe in %s when nothing was said or set', (view) => look(view, 'none'));

    describe('with as much as Hearth keeps', () => {
      beforeAll(() => fill(house, home));

      test.each(loaded)('moves nothing while %s loads at the %s', load);

      test.each(shown)('passes axe in %s', (view) => look(view, 'many'));

      test('finds a timer, a list item, a satellite, a device and a key by a few letters', async () => {
        await house.see(
          async (page) => {
            const find = (what: string, words: string) => page.getByLabel(`Search ${what}`).fill(words);
            await find('timers', 'number 77');
            await page.locator('.timer').getByText('cake number 77').first().waitFor();
            await page.getByRole('button', { name: /^Show \d+ more lists$/ }).click();
            await find('on shopping', 'NUMBER 150');
            await page.getByText('thing number 150 of the long list').first().waitFor();
            await find('devices', 'satellite 123');
            await page.locator('.satellite').getByText('satellite 123').first().waitFor();
            expect(await page.locator('.satellite').count()).toBe(1);
            await find('rooms and devices', 'lamp 199');
            await page.getByText('Lamp 199').first().waitFor();
            expect(await page.locator('.thing').count()).toBe(1);
            await find('rooms and devices', 'nothing like it');
            await page.getByText('Nothing was found.').waitFor();
            await page.goto(`${house.address}/#/settings/health`);
            await find('access keys', 'device 88');
            await page.getByText('device 88').first().waitFor();
          },
          { view: 'home' },
        );
      });

      test.each(shown)('passes axe in %s when all of it is shown', async (view) => {
        await house.see(
          async (page) => {
            await page.locator(settled[view]).first().waitFor();
            await showAll(page);
            await looksWell(page, view);
          },
          { view },
        );
      });
    });
  },
);
