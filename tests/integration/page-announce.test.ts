/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectListen } from '../support/clients/listen-client.ts';
import { canBeSeen, openPageHouse, type PageHouse } from '../support/servers/page-house.ts';
import { waitFor } from '../support/wait-for.ts';

describe.skipIf(!canBeSeen)(
  'announcing on the page (needs chromium, and the page built)',
  { timeout: 60_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(() => house?.close());

    test('says in the other rooms what was typed, and where it was heard', async () => {
      const office = await connectListen(house.address, { client: 'office-satellite', room: 'office' });
      const known = () => house.household.store.hvals('hearth:connected-satellites');
      await waitFor(async () => (await known()).some((each) => each.includes('"office-satellite"')));

      await house.see(async (page) => {
        await page.getByLabel('Type a question').fill('Dinner is ready.');
        await page.getByRole('button', { name: 'Announce to everybody else' }).click();
        await page.locator('.reply', { hasText: 'Said in office.' }).waitFor();

        expect((await office.exchange(0)).done).toMatchObject({
          reply: 'Dinner is ready.',
          via: 'announcement',
        });
        expect(await page.getByLabel('Type a question').inputValue()).toBe('');
        // Nobody hears it where it was typed.
        expect(await page.locator('.exchange').count()).toBe(1);
      });
      await office.close();
    });
  },
);
