/** @module-tag slow */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { violations, visit } from '../support/servers/browser.ts';
import {
  askInPage,
  canBeSeen,
  openPageHouse,
  type PageHouse,
  pictures,
} from '../support/servers/page-house.ts';

/**
 * Records notifications, permission requests and badges of the app, and lets a test set whether the page is
 * visible. Runs inside the page.
 */
const beside = `
  window.told = [];
  window.badges = [];
  navigator.setAppBadge = async (count) => void window.badges.push(count);
  navigator.clearAppBadge = async () => void window.badges.push(0);
  window.asked = 0;
  window.granted = 'default';
  window.seen = 'visible';
  Object.defineProperty(document, 'visibilityState', { get: () => window.seen });
  window.Notification = class {
    static get permission() { return window.granted; }
    static async requestPermission() { window.asked += 1; return (window.granted = 'granted'); }
    constructor(title) { if (window.granted === 'granted') window.told.push(title); }
    close() {}
  };
`;
const views = ['talk', 'home', 'activity', 'settings'] as const;

describe.skipIf(!canBeSeen)(
  'a ringing timer in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterEach(() => house.forgetTimers());
    afterAll(() => house?.close());

    const bar = (page: Page) => page.getByRole('region', { name: 'Ringing' });
    const stop = (page: Page, name: string) => bar(page).getByRole('button', { name: `Stop ${name}` });
    const ringing = async () =>
      (await house.timers.store.all()).filter(({ state }) => state === 'ringing').map(({ label }) => label);

    test('appears on top of every view, with its room, and in the title', async () => {
      await house.see(async (page) => {
        for (let asked = 0; asked < 4; asked += 1) await askInPage(page, 'What is it?');
        await page.setViewportSize({ width: 390, height: 844 });
        await house.timers.set(300, { label: 'pasta' });
        await house.timers.set(300, { label: 'egg', room: 'bath' });
        for (const view of views) {
          await page.goto(`${house.address}/#/${view}`);
          await page
            .getByRole('heading', { name: view, exact: false, level: 1 })
            .waitFor({ state: 'attached' });
          await stop(page, 'egg').click({ trial: true });
          await stop(page, 'pasta').click({ trial: true });
          await page.mouse.wheel(0, 2_000);
          await stop(page, 'pasta').click({ trial: true });

          expect(await bar(page).textContent(), view).toMatch(/bath/);
          await expect.poll(() => page.title(), { message: view }).toMatch(/^2 are ringing/);
          await page.screenshot({ path: join(pictures, `ringing-${view}.png`) });
        }
        expect(await violations(page)).toEqual([]);
      });
    });

    test('can be stopped from any view, alone, and for all who see it', async () => {
      const other = await visit(house.browser, { address: house.address, name: 'other' });
      await house.see(
        async (page) => {
          await house.timers.set(300, { label: 'pasta' });
          await house.timers.set(300, { label: 'egg' });
          await stop(page, 'egg').waitFor();
          await stop(page, 'pasta').click();
          await stop(page, 'pasta').waitFor({ state: 'detached' });
          await stop(other.page, 'pasta').waitFor({ state: 'detached' });

          expect(await ringing()).toEqual(['egg']);
          await stop(other.page, 'egg').click();
          await bar(page).waitFor({ state: 'detached' });
          await expect.poll(() => page.title()).toBe('Settings · Hearth');
        },
        { view: 'settings' },
      );
      await other.close();
    });

    test('has one button that stops it', async () => {
      await house.see(async (page) => {
        await page.locator('.hold:enabled').waitFor();
        await house.timers.set(300, { label: 'pasta' });
        await page.getByText('Your pasta timer is done.').waitFor();
        await stop(page, 'pasta').waitFor();
        expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(1);
        await page.getByRole('button', { name: 'Stop' }).click();
        await bar(page).waitFor({ state: 'detached' });

        expect(await ringing()).toEqual([]);
      });
    });

    test('rings later after one more minute', async () => {
      await house.see(
        async (page) => {
          await house.timers.set(300, { label: 'pasta' });
          await bar(page).getByRole('button', { name: '+ 1 min pasta' }).click();
          await bar(page).waitFor({ state: 'detached' });

          expect(await house.timers.store.all()).toMatchObject([{ label: 'pasta', state: 'running' }]);
        },
        { view: 'home' },
      );
    });

    test('appears without a live connection', async () => {
      await house.see(
        async (page) => {
          await page.routeWebSocket(/listen/, (socket) => socket.close());
          await page.reload();
          await house.timers.set(300, { label: 'pasta', room: null });
          await stop(page, 'pasta').click();
          await bar(page).waitFor({ state: 'detached' });

          expect(await ringing()).toEqual([]);
        },
        { view: 'home' },
      );
    });

    test('is not shown as stopped if the stop failed', async () => {
      await house.see(
        async (page) => {
          await page.route(/admin\/timers\//, (route) => route.abort());
          await house.timers.set(300, { label: 'pasta' });
          await stop(page, 'pasta').click();

          await bar(page).getByText('Hearth cannot be reached.').waitFor();
          expect(await ringing()).toEqual(['pasta']);
        },
        { view: 'activity' },
      );
    });

    test('appears as a notification of a hidden page, once that was requested', async () => {
      await house.see(async (page) => {
        await page.context().addInitScript(beside);
        await page.reload();
        await askInPage(page, 'Set an egg timer for 10 minutes');
        await page.evaluate("window.seen = 'hidden'");
        await house.timers.set(300, { label: 'unheard' });
        await stop(page, 'unheard').waitFor();
        expect(await page.evaluate('[window.asked, window.told]')).toEqual([0, []]);

        await page.getByRole('button', { name: 'Notify me' }).click();
        await house.timers.set(300, { label: 'pasta' });

        await expect
          .poll(() => page.evaluate('[window.asked, window.told]'))
          .toEqual([1, [expect.stringContaining('pasta')]]);
        expect(await page.getByRole('button', { name: 'Notify me' }).count()).toBe(0);
      });
    });

    test('is counted on the icon of the installed page, until it is stopped', async () => {
      await house.see(async (page) => {
        await page.context().addInitScript(beside);
        await page.reload();
        await house.timers.set(300, { label: 'pasta' });
        await stop(page, 'pasta').waitFor();
        await house.timers.set(300, { label: 'eggs' });
        await stop(page, 'eggs').waitFor();
        await stop(page, 'pasta').click();
        await stop(page, 'eggs').click();

        await expect.poll(() => page.evaluate('window.badges.slice(1)')).toEqual([1, 2, 1, 0]);
      });
    });
  },
);
