/** @module-tag slow */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { desk, phone, violations } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';

const stateSchema = z.object({ values: z.object({ routines: z.array(z.json()) }) });

describe.skipIf(!canBeSeen)(
  'routines in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(() => house?.close());
    const kept = async () => {
      const answer = await fetch(`${house.address}/admin/pipeline`);
      return stateSchema.parse(await answer.json()).values.routines;
    };

    test.each([
      ['desk', desk],
      ['phone', phone],
    ])('are created by keyboard, tried, changed and deleted at the %s', async (size, looks) => {
      await house.see(
        async (page) => {
          await page.goto(`${house.address}/#/settings/advanced`);
          await page.getByRole('button', { name: 'Add a routine' }).focus();
          await page.keyboard.press('Enter');
          await page.keyboard.type('<b>Movie</b>');
          await page.keyboard.press('Tab');
          await page.keyboard.type('movie time\nstop');
          await page.getByLabel('Words of step 1').fill('set a timer for two hours');
          await page.getByRole('button', { name: 'Add a step' }).click();
          await page.getByLabel('Kind of step 2').selectOption('say');
          await page.getByLabel('Words of step 2').fill('Enjoy.');
          await page.getByRole('button', { name: 'Move step 2 up' }).focus();
          await page.keyboard.press('Enter');
          await page.getByText('Step 2 is now step 1.').waitFor({ state: 'attached' });
          await page.locator('[aria-label="Move step 1 down"]:focus').waitFor();
          await page.getByRole('button', { name: 'Save the routine' }).click();
          await page.getByText('This is not valid. Its name, as people say it').waitFor();
          const name = page.locator('.routine').getByLabel('Name', { exact: true });
          expect(await name.getAttribute('aria-invalid')).toBe('true');
          await name.fill('Movie time');
          await page.getByRole('button', { name: 'Save the routine' }).click();
          await page.getByText('Hearth already understands this sentence').waitFor();
          expect(await page.getByLabel('Sentences that start it').getAttribute('aria-invalid')).toBe('true');
          await page.getByLabel('Sentences that start it').fill('movie time');
          await page.getByLabel('Words of step 2').fill('make me happy');
          await page.getByRole('button', { name: 'Save the routine' }).click();
          await page.getByText('Hearth has no rule for this.').waitFor();
          expect(await page.getByLabel('Words of step 2').getAttribute('aria-invalid')).toBe('true');
          expect(await violations(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
          await page
            .locator('section[aria-labelledby=routines]')
            .screenshot({ path: join(pictures, `routine-${size}.png`) });
          await page.getByLabel('Words of step 2').fill('set a timer for two hours');
          await page.getByRole('button', { name: 'Save the routine' }).click();
          await page.getByText('Movie time is saved.').waitFor();
          expect(await kept()).toEqual([
            {
              name: 'Movie time',
              sentences: ['movie time'],
              steps: [{ say: 'Enjoy.' }, { command: 'set a timer for two hours' }],
            },
          ]);

          await page.getByRole('button', { name: 'Try it Movie time' }).click();
          await page.getByText('Enjoy. Timer, two hours.').waitFor();
          expect(await violations(page)).toEqual([]);
          await page
            .locator('section[aria-labelledby=routines]')
            .screenshot({ path: join(pictures, `routines-${size}.png`) });
          await page.getByRole('button', { name: 'Edit Movie time' }).click();
          await page.getByRole('button', { name: 'Remove step 2' }).click();
          await page.getByRole('button', { name: 'Save the routine' }).click();
          await page.getByText('Movie time is saved.').waitFor();
          expect(await kept()).toMatchObject([{ steps: [{ say: 'Enjoy.' }] }]);
          await page.getByRole('button', { name: 'Delete Movie time' }).click();
          await page.getByRole('button', { name: 'Delete it?' }).click();
          await page.getByText('Movie time is deleted.').waitFor();
          expect(await kept()).toEqual([]);
          await house.forgetTimers();
        },
        { looks },
      );
    });

    test('are suggested, and explain why they cannot be saved', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings/advanced`);
        await page.getByRole('button', { name: 'Add “Good night”' }).click();
        expect(await page.getByLabel('Words of step 1').inputValue()).toBe('turn off all lights');
        await page.getByRole('button', { name: 'Save the routine' }).click();

        await page.getByText('Hearth could not do this.').waitFor();
        expect(await page.getByLabel('Words of step 1').getAttribute('aria-invalid')).toBe('true');
        expect(await kept()).toEqual([]);
      });
    });

    test('say beside each field that it is empty', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings/advanced`);
        const card = page.locator('section[aria-labelledby=routines]');
        const save = card.getByRole('button', { name: 'Save the routine' });
        await card.getByRole('button', { name: 'Add a routine' }).click();
        await save.click();
        await card.getByText('Enter a name.').waitFor();
        await card.getByLabel('Name').fill('Film');
        await save.click();
        await card.getByText('Enter at least one sentence.').waitFor();
        await card.getByLabel('Sentences that start it').fill('film evening');
        await save.click();

        await card.getByText('Enter the words of this step.').waitFor();
        expect(await page.getByLabel('Words of step 1').getAttribute('aria-invalid')).toBe('true');
        expect(await violations(page)).toEqual([]);
      });
    });
  },
);
