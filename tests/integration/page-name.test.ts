/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clip } from '../support/clients/room.ts';
import { openBrowser, visit } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse } from '../support/servers/page-house.ts';

const times = 5;
const pauseMs = 1_500;

describe.skipIf(!canBeSeen)(
  'a name that is said five times (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(() => house?.close());

    /** Says the name while recognition writes these words. Returns what the page then shows, and does. */
    async function lesson(
      written: string,
      look: (page: Awaited<ReturnType<typeof visit>>['page']) => Promise<void>,
    ) {
      const { stt, assistant } = house.household;
      stt.hears(written);
      const own = await openBrowser(
        Array.from({ length: times }, () => [pauseMs, clip('hello').samples]).flat(),
      );
      const { page, faults, close } = await visit(own.browser, { address: assistant.address });
      await page.goto(`${assistant.address}/#/settings/advanced`);
      const card = page.getByRole('region', { name: 'Say its name' });
      await card.getByLabel('The name').fill('Okay Nabu');
      await card.getByRole('button', { name: 'Say it five times' }).click();
      await look(page);
      expect(await faults()).toEqual([]);
      await close();
      await own.close();
    }
    const kept = async () => (await house.household.assistant.call('/admin/pipeline')).body;

    test('is learned in the spelling of the recognition, which is then a setting', async () => {
      await lesson('Okay now move.', async (page) => {
        await page.getByText('Say “Okay Nabu”: 2 of 5').waitFor();
        await page.getByText('I hear that as “Okay now move.”, and can learn it.').waitFor();
        expect(await page.getByText('Heard: Okay now move.').textContent()).toMatch(/(.*·.*){4}/);

        await page.getByRole('button', { name: 'Learn it' }).click();

        await page.getByText('Hearth knows it now.').waitFor();
      });
      expect(await kept()).toMatchObject({ values: { name_spellings: ['okay now move'] } });
    });

    test('needs no lesson if it is heard well', async () => {
      await lesson('Okay Nabu.', (page) => page.getByText('“Okay Nabu” is heard well.').waitFor());
    });

    test('is a bad name if the recognition writes a request', async () => {
      await lesson('What time is it?', (page) =>
        page.getByText('I hear that as “What time is it?”. Try another one.').waitFor(),
      );
    });
  },
);
