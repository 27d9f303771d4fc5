/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostilePage } from '../support/clients/hostile-answers.ts';
import { visit } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse } from '../support/servers/page-house.ts';

const views = [
  ...(['talk', 'talk/sentences', 'home', 'activity'] as const),
  ...(['settings', 'settings/advanced', 'settings/health'] as const),
];

describe.skipIf(!canBeSeen)(
  'answers that the page does not expect (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(() => house?.close());

    test('shows any string as text, and words that it does not know', async () => {
      await house.see(async (page) => {
        await hostilePage(page, house.address);

        for (const view of views) {
          await page.goto(`${house.address}/#/${view}`);
          await page.reload();
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.locator('main:not(:has(.loading))').waitFor();
          expect(await page.evaluate('window.hit'), view).toBeUndefined();
          expect(
            await page.locator('main :is(img, script, iframe, b, a[href^="javascript"])').count(),
            view,
          ).toBe(0);
          expect(await page.getByRole('alert').allTextContents(), view).toEqual([]);
        }
      });
    });

    test('keeps the other views when one cannot be drawn', async () => {
      const { page, faults, close } = await visit(house.browser, { address: house.address, view: 'home' });
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.route('**/admin/lists', (route) => route.fulfill({ json: { lists: [null] } }));
      await page.reload();

      await page.getByText('This view cannot show the data from Hearth.').waitFor();
      await page.getByRole('link', { name: 'Talk' }).click();
      await page.getByRole('heading', { level: 1, name: 'Talk' }).waitFor();

      expect(await faults()).toHaveLength(1);
      await close();
    });
  },
);
