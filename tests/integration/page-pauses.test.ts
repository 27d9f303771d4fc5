/** @module-tag slow */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPauseStore } from '../../api/src/listen/utterance/pause-store.ts';
import { enterRoom } from '../support/clients/room.ts';
import { desk, phone, violations } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';
import { waitFor } from '../support/wait-for.ts';

const card = 'section[aria-labelledby=pauses]';

describe.skipIf(!canBeSeen)(
  'learned pauses in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    beforeEach(async () => {
      const store = createPauseStore({ redis: house.household.store });
      await store.keep(
        'kitchen',
        Array.from({ length: 14 }, () => 700),
      );
      await store.keep(
        'the tablet on the wall beside the door to the garden',
        Array.from({ length: 10 }, () => 0),
      );
      await store.keep('study', [300]);
    });
    afterAll(() => house?.close());

    test.each([
      ['desk', desk],
      ['phone', phone],
    ])('are shown, and forgotten, at the %s', async (size, looks) => {
      await house.see(
        async (page) => {
          await page.goto(`${house.address}/#/settings/advanced`);
          const shown = page.locator(card);
          await shown.getByText('pauses of up to 700 ms, in 14 sentences. Hearth waits 950 ms').waitFor();
          await shown.getByText('no pauses, in 10 sentences. Hearth waits 400 ms').waitFor();
          await shown.getByText('too little is known after 1 sentence').waitFor();
          await shown.scrollIntoViewIfNeeded();
          expect(await violations(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
          await shown.screenshot({ path: join(pictures, `pauses-${size}.png`) });

          for (const name of ['kitchen', 'study', 'the tablet']) {
            await page.getByRole('button', { name: `Forget the pauses of ${name}` }).click();
            await page.getByRole('button', { name: 'Forget it?' }).click();
            await page
              .getByRole('button', { name: `Forget the pauses of ${name}` })
              .waitFor({ state: 'detached' });
          }
          await shown.getByText('Hearth has learned nothing yet.').waitFor();
        },
        { looks },
      );
      expect((await house.household.assistant.call('/admin/pauses')).body).toMatchObject({ satellites: [] });
    });

    test('count who went on speaking soon after an answer began', async () => {
      house.household.stt.hears('Why is the sky blue?');
      house.household.llm.answers(() => 'Air scatters blue light.');
      const room = await enterRoom(house.address, { client: 'hall' });
      await room.say('weather');
      await waitFor(() => room.sounds.length > 0);
      await room.say('weather');
      await room.exchange(1);
      await room.leave();

      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings/advanced`);
        const shown = page.locator(card);
        await shown.getByText('within two seconds after 1 of 2 answers began').waitFor();
        await shown.screenshot({ path: join(pictures, 'cut-offs.png') });
      });
    });
  },
);
