import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canBeSeen, openPageHouse, type PageHouse } from '../support/servers/page-house.ts';

describe.skipIf(!canBeSeen)(
  'the settings in the page (needs chromium, and the page built)',
  { timeout: 60_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(() => house?.close());

    test('are kept when they can be, and put back to the default', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings`);
        const field = page.getByLabel('End silence', { exact: true });

        await field.fill('9');
        await page.getByRole('button', { name: 'Keep' }).click();
        await page.getByText('Nothing was changed: look at what is marked.').waitFor();
        await page.getByText('At least 200.').waitFor();
        await field.fill('700');
        await page.getByRole('button', { name: 'Keep' }).click();
        await page.getByText('Kept. It counts from the next question on.').waitFor();
        await page.reload();
        const kept = await field.inputValue();
        await page.getByRole('button', { name: 'Back to the default of End silence' }).click();
        await page
          .getByRole('button', { name: 'Back to the default of End silence' })
          .waitFor({ state: 'detached' });

        expect([kept, await field.inputValue()]).toEqual(['700', '600']);
      });
    });

    test('keep what was typed when somebody else changes them meanwhile', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings`);
        const field = page.getByLabel('End silence', { exact: true });
        await field.fill('800');
        await fetch(`${house.address}/admin/pipeline`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: '{"speed":1.5}',
        });

        await page.getByRole('button', { name: 'Keep' }).click();
        await page.getByText('Somebody else has changed settings meanwhile.').waitFor();

        expect([
          await field.inputValue(),
          await page.getByLabel('Speed', { exact: true }).inputValue(),
        ]).toEqual(['800', '1.5']);
      });
    });
  },
);
