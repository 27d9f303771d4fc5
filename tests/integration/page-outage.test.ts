/** @module-tag slow */
import { join } from 'node:path';
import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';

/**
 * Uses the longest waits between two connection attempts, so that a page that only waits fails the test. Runs
 * inside the page.
 */
const longestWaits = 'Math.random = () => 1;';
/** Lets a test hide the page. Runs inside the page. */
const hideable = `
  window.seen = 'visible';
  Object.defineProperty(document, 'visibilityState', { get: () => window.seen });
  window.show = (seen) => {
    window.seen = seen;
    document.dispatchEvent(new Event('visibilitychange'));
  };
`;

/** A network between the page and the server, which a test can cut. */
async function cuttable(page: Page) {
  let isUp = true;
  const asked: string[] = [];
  const sockets: WebSocketRoute[] = [];
  await page.route(/\/(?:health|listen|admin|v1|openapi)/, async (route) => {
    asked.push(new URL(route.request().url()).pathname);
    await (isUp ? route.continue() : route.abort());
  });
  await page.routeWebSocket(/listen/, async (socket) => {
    if (!isUp) return void (await socket.close());
    socket.connectToServer();
    sockets.push(socket);
  });
  await page.reload();
  return {
    asked,
    async cut() {
      isUp = false;
      for (const socket of sockets.splice(0)) await socket.close({ code: 1001 });
    },
    mend() {
      isUp = true;
    },
  };
}

/** The routes that a view polls. */
const asking = {
  home: ['/admin/lists', '/admin/satellites'],
  activity: ['/admin/exchanges', '/admin/turns', '/admin/conversations'],
  'settings/health': ['/admin/servers', '/admin/restart', '/admin/logs', '/admin/tokens'],
  settings: ['/admin/joinings'],
} as const;

describe.skipIf(!canBeSeen)(
  'a server outage in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(() => house?.close());

    const isConnected = (page: Page) => page.locator('.hold:enabled').waitFor();

    test('ends as soon as the server answers', async () => {
      await house.see(async (page) => {
        await page.context().addInitScript(longestWaits);
        await page.clock.install();
        const network = await cuttable(page);
        await isConnected(page);
        await network.cut();
        await page.getByText('Trying again in 8 s').waitFor({ timeout: 20_000 });
        // A second ahead, because the page's clock goes on until the call arrives.
        await page.clock.pauseAt(await page.evaluate('Date.now() + 1_000'));

        network.mend();
        // Half of the wait that the page shows.
        await page.clock.runFor(4_000);
        await isConnected(page);
      });
    });

    test.each([
      ['the tab is looked at again', "window.show('visible')"],
      ['the network is back', "window.dispatchEvent(new Event('online'))"],
    ])('causes a request at once when %s', async (_when, event) => {
      await house.see(
        async (page) => {
          await page.context().addInitScript(hideable);
          const network = await cuttable(page);
          await page.locator('.engine .well').first().waitFor();
          // Only the event can cause a request, because the clock is stopped.
          await page.clock.install();
          await page.reload();
          await page.locator('.engine .well').first().waitFor();
          await page.clock.pauseAt(Date.now() + 3_600_000);
          await page.evaluate("window.show('hidden')");
          network.asked.length = 0;

          await page.evaluate(event);
          await expect.poll(() => network.asked).toContain('/health');
          await expect.poll(() => network.asked).toContain('/admin/servers');
        },
        { view: 'settings/health' },
      );
    });

    test.each(['home', 'activity', 'settings/health', 'settings'] as const)(
      'appears once in the view %s, and all green marks disappear',
      async (view) => {
        await house.see(
          async (page) => {
            const network = await cuttable(page);
            const heading = page.getByRole('heading', { level: 2 });
            await heading.nth(1).waitFor();
            await page.getByText('All is well').waitFor();
            if (view === 'settings/health') await page.locator('.engine .well').first().waitFor();

            await network.cut();
            await page.getByText('This view may be out of date.').waitFor();
            await page.getByText('Hearth cannot be reached.').waitFor();
            network.asked.length = 0;
            await page.getByRole('button', { name: 'Try now' }).click();
            if (view === 'settings/health') await page.getByLabel('Containing').fill('lamp');
            for (const path of asking[view]) {
              await expect.poll(() => network.asked).toContain(path);
            }
            // Every part of the view has failed by now, and the next request is on its way.
            await expect
              .poll(() => network.asked.filter((path) => path === '/health').length)
              .toBeGreaterThan(0);

            await expect.poll(() => page.locator('main .well:not(:empty)').count()).toBe(0);
            expect(await page.getByText(/cannot be reached|out of date/).allTextContents()).toHaveLength(2);
            expect(await violations(page)).toEqual([]);
            await page.screenshot({ path: join(pictures, `away-${view.replace('/', '-')}.png`) });
            network.mend();
            await page.getByText('All is well').waitFor();
            await page.getByText('out of date').waitFor({ state: 'detached' });
            if (view === 'settings/health') await page.locator('.engine .well').first().waitFor();
          },
          { view },
        );
      },
    );

    test('at the start delays the settings until the server is back', async () => {
      await house.see(
        async (page) => {
          const network = await cuttable(page);
          await network.cut();
          await page.reload();
          await page.getByText('Hearth cannot be reached.').waitFor();
          network.mend();

          await page.getByLabel('Speed', { exact: true }).waitFor();
        },
        { view: 'settings' },
      );
    });
  },
);
