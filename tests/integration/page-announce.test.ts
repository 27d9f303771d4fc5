/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectListen } from '../support/clients/listen-client.ts';
import { askInPage, canBeSeen, openPageHouse, type PageHouse } from '../support/servers/page-house.ts';
import { waitFor } from '../support/wait-for.ts';

describe.skipIf(!canBeSeen)('the page (needs chromium, and the page built)', { timeout: 180_000 }, () => {
  let house: PageHouse;
  beforeAll(async () => {
    house = await openPageHouse();
  });
  afterAll(() => house?.close());

  test('announces typed text in the other rooms, and shows where it was played', async () => {
    const office = await connectListen(house.address, { client: 'office-satellite', room: 'office' });
    const known = () => house.household.store.hvals('hearth:connected-satellites');
    await waitFor(async () => (await known()).some((each) => each.includes('"office-satellite"')));

    await house.see(async (page) => {
      await page.getByLabel('Type a question').fill('Dinner is ready.');
      await page.getByRole('button', { name: 'Announce' }).click();
      await page.locator('.reply', { hasText: 'Said in office.' }).waitFor();

      expect((await office.exchange(0)).done).toMatchObject({
        reply: 'Dinner is ready.',
        via: 'announcement',
      });
      expect(await page.getByLabel('Type a question').inputValue()).toBe('');
      // The room in which it was typed plays nothing.
      expect(await page.locator('.exchange').count()).toBe(1);
    });
    await office.close();
  });

  test('speaks the answer to an example, and to a typed question once that is switched on', async () => {
    await house.see(
      async (page) => {
        const heard = async () => Number(await page.evaluate('window.loudest'));
        await askInPage(page, 'What is it?');
        expect(await heard()).toBe(0);
        await page.getByRole('button', { name: 'Speak answers' }).click();
        await askInPage(page, 'What is it now?');
        await expect.poll(heard).toBeGreaterThan(0.01);
        expect(await page.getByRole('button', { name: 'Speak answers', pressed: true }).count()).toBe(1);
        await page.getByRole('button', { name: 'Speak answers' }).click();
        await page.evaluate('window.loudest = 0');
        await page.goto(`${house.address}/#/talk/sentences`);
        await page.getByRole('button', { name: 'What time is it?', exact: true }).click();
        await expect.poll(heard).toBeGreaterThan(0.01);
      },
      { name: 'aloud' },
    );
  });
});
