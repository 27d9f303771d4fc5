/** @module-tag slow */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { phone, visit } from '../support/servers/browser.ts';
import {
  askInPage,
  canBeSeen,
  openPageHouse,
  type PageHouse,
  pictures,
} from '../support/servers/page-house.ts';

/** Adds up the layout shifts of the window. Runs inside the page. */
const shifts = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;
/** Exists once the view shows all of its initial data. */
const settled = {
  talk: '.exchange',
  home: '[aria-labelledby=rooms] li',
  activity: '.said-list li',
  settings: '[aria-labelledby=devices] form',
  'settings/health': '.engine .facts',
} as const;

describe.skipIf(!canBeSeen)(
  'a reloaded page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(() => house?.close());

    const said = (page: Page) => page.locator('.exchange .said').allInnerTexts();
    const replies = (page: Page) => page.locator('.exchange .reply').allInnerTexts();

    test('shows the last turns of its conversation, scrolled to the newest, and reads none of them aloud', async () => {
      await house.see(
        async (page) => {
          house.household.llm.answers(() => 'That one.');
          for (let asked = 0; asked < 8; asked += 1) await askInPage(page, `What is number ${asked + 1}?`);
          await page.reload();
          await page.getByText('What is number 8?').waitFor();

          const words = Array.from({ length: 8 }, (_none, at) => `What is number ${at + 1}?`);
          expect((await said(page)).map((each) => each.replace(/^You:\s*/, ''))).toEqual(words);
          expect((await replies(page)).at(-1)).toContain('That one.');
          expect(await page.locator('[aria-live=polite]').textContent()).toBe('');
          expect(await page.locator('.exchange .said').last().isVisible()).toBe(true);
          await expect
            .poll(() => page.evaluate("document.querySelector('.talk-scroll').scrollTop"))
            .toBeGreaterThan(0);
          await askInPage(page, 'What is number 9?');
          expect(await said(page)).toHaveLength(9);
        },
        { name: 'hall' },
      );
      house.household.forget();
    });

    test('scrolls to the newest while a timer rings and the timers arrive late', async () => {
      const small = { ...phone, viewport: { width: 320, height: 568 } };
      await house.see(
        async (page) => {
          for (let asked = 0; asked < 8; asked += 1) await askInPage(page, `What is number ${asked + 1}?`);
          for (const label of ['pasta', 'tea', 'eggs']) await house.timers.set(1_200_000, { label });
          await house.timers.set(300, { label: 'bread' });
          await page.getByRole('button', { name: 'Stop bread' }).waitFor();
          await page.reload();
          await page.getByRole('button', { name: 'Stop bread' }).waitFor();
          await page.getByRole('list', { name: 'Timers' }).getByText('pasta').waitFor();
          await page.evaluate(
            'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
          );

          expect(await page.getByRole('button', { name: 'Newest' }).count()).toBe(0);
          const end =
            "(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - clientHeight - scrollTop)(document.querySelector('.talk-scroll'))";
          expect(Number(await page.evaluate(end))).toBeLessThan(2);
          await page.getByLabel('Type a question').click({ trial: true });
          await page.screenshot({ path: join(pictures, 'ringing-after-reload.png') });
        },
        { looks: small, name: 'ringing' },
      );
      await house.forgetTimers();
    });

    test('shows another conversation when the device gets another name', async () => {
      await house.see(
        async (page) => {
          await askInPage(page, 'What is it?');
          await page.getByRole('button', { name: 'change the name' }).click();
          await page.getByLabel('Name of this device').fill('attic');
          await page.getByRole('button', { name: 'Save' }).click();
          await page.locator('.exchange').waitFor({ state: 'detached' });
          await askInPage(page, 'Who is it?');
          await page.getByRole('button', { name: 'change the name' }).click();
          await page.getByLabel('Name of this device').fill('cellar');
          await page.getByRole('button', { name: 'Save' }).click();
          await page.getByText('What is it?').waitFor();

          expect(await page.getByText('Who is it?').count()).toBe(0);
        },
        { name: 'cellar' },
      );
    });

    test('keeps its name, although it was never saved', async () => {
      const context = await house.browser.newContext();
      const page = await context.newPage();
      await page.goto(house.address);
      const name = page.getByLabel('Name of this device');
      await name.waitFor();
      const before = await name.inputValue();
      await askInPage(page, 'What is this one?');
      await page.reload();
      await page.getByText('What is this one?').waitFor();

      expect(before).toMatch(/^page-/);
      expect(await name.inputValue()).toBe(before);
      await context.close();
    });

    test('shows no errors if its token may only talk', async () => {
      const { page, faults, close } = await visit(house.browser, { address: house.address, name: 'guest' });
      await page.route(/admin\/conversations/, (route) =>
        route.fulfill({
          status: 403,
          contentType: 'application/json',
          body: JSON.stringify({
            error: { code: 'insufficient_scope', message: 'This token may only talk.' },
          }),
        }),
      );
      await page.reload();
      await askInPage(page, 'What is it?');

      expect(await page.getByText('may only talk').count()).toBe(0);
      expect(await faults()).toEqual([]);
      await close();
    });

    test.each(['talk', 'home', 'activity', 'settings', 'settings/health'] as const)(
      'keeps its layout in the view %s while the answers arrive',
      async (view) => {
        await house.see(
          async (page) => {
            await askInPage(page, 'Put milk on the shopping list');
            if (view === 'talk') {
              await askInPage(page, 'Set a tea timer for ten minutes');
              await page.getByRole('list', { name: 'Timers' }).getByText('tea').waitFor();
            }
            await page.context().addInitScript(shifts);
            await page.goto(`${house.address}/#/${view}`);
            await page.reload();
            await page.locator(settled[view]).first().waitFor();
            await page.getByText('All is well').waitFor();
            await page.evaluate('new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)))');

            // A word that changes in its place, such as the state of the connection, counts a little.
            expect(await page.evaluate('window.shifted')).toBeLessThan(0.005);
          },
          { name: `still-${view.replace('/', '-')}` },
        );
      },
    );
  },
);
