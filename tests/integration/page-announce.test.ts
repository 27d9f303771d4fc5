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
      await page.locator('.reply', { hasText: 'Announced in office.' }).waitFor();

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

  test('announces text in the quiet hours only after a second press', async () => {
    const den = await connectListen(house.address, { client: 'den-satellite', room: 'den' });
    const known = () => house.household.store.hvals('hearth:connected-satellites');
    await waitFor(async () => (await known()).some((each) => each.includes('"den-satellite"')));
    const hour = (later: number) => `${String((new Date().getUTCHours() + later) % 24).padStart(2, '0')}:00`;
    const quiet = (body: Record<string, string | null>) =>
      house.household.assistant.call('/admin/pipeline', { method: 'PATCH', body });
    await quiet({ quiet_from: hour(3), quiet_to: hour(2) });

    await house.see(async (page) => {
      await page.getByLabel('Type a question').fill('The pizza is here.');
      await page.getByRole('button', { name: 'Announce' }).click();
      await page.locator('.exchange', { hasText: 'Hearth announces nothing in the quiet hours.' }).waitFor();
      await page.getByRole('button', { name: 'Announce anyway The pizza is here.' }).click();
      await page.locator('.reply', { hasText: 'Announced in den.' }).waitFor();

      expect((await den.exchange(0)).done).toMatchObject({ reply: 'The pizza is here.' });
      expect(await page.getByRole('button', { name: 'Announce anyway' }).count()).toBe(0);
      expect(await page.locator('.exchange').count()).toBe(1);

      await page.goto(`${house.address}/#/home`);
      await page.getByText('More of den-satellite').click();
      await page.getByLabel('Words to say in den').fill('It gets cold.');
      await page.getByRole('button', { name: 'Announce in den' }).click();
      await page.getByRole('button', { name: 'Announce anyway in den' }).click();
      expect((await den.exchange(1)).done).toMatchObject({ reply: 'It gets cold.' });
    });
    await quiet({ quiet_from: null, quiet_to: null });
    await den.close();
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
