/** @module-tag slow */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { desk, phone, violations } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';
import { waitFor } from '../support/wait-for.ts';

const listsSchema = z.object({
  lists: z.array(z.object({ name: z.string(), items: z.array(z.object({ text: z.string() })) })),
});

describe.skipIf(!canBeSeen)(
  'the lists in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterEach(async () => await house.household.store.flushdb());
    afterAll(() => house?.close());

    const kept = async () => {
      const { lists } = listsSchema.parse((await house.household.assistant.call('/admin/lists')).body);
      return lists.map(({ name, items }) => `${name}: ${items.map(({ text }) => text).join(', ')}`);
    };
    const add = async (page: Page, text: string, list = 'shopping') => {
      await page.getByLabel(`Add to ${list}`, { exact: true }).fill(text);
      await page.keyboard.press('Enter');
      await page.getByLabel(`Done with ${text}`).waitFor();
    };
    const see = (look: (page: Page) => Promise<void>, looks = desk) =>
      house.see(look, { view: 'home', looks });

    test.each([
      ['desk', desk],
      ['phone', phone],
    ])('are created, filled, changed and completed at the %s', async (size, looks) => {
      await see(async (page) => {
        await page.getByLabel('Name of a new list').fill('shopping');
        await page.getByRole('button', { name: 'Create' }).click();
        for (const text of ['milk', 'eggs', 'rye bread']) await add(page, text);
        await page.getByRole('button', { name: 'Edit eggs' }).click();
        await page.keyboard.type('Brown eggs');
        await page.keyboard.press('Enter');
        await page.getByLabel('Done with Brown eggs').waitFor();
        expect(await kept()).toEqual(['shopping: milk, Brown eggs, rye bread']);
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        await page
          .locator('section[aria-labelledby=lists]')
          .screenshot({ path: join(pictures, `lists-${size}.png`) });

        await page.getByLabel('Done with milk').click();
        await page.getByText('milk is done.').waitFor();
        expect(await kept()).toEqual(['shopping: Brown eggs, rye bread']);
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByLabel('Done with milk').waitFor();
        await page.getByRole('button', { name: 'Rename shopping' }).click();
        await page.keyboard.type('Market');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Market' }).waitFor();

        expect(await kept()).toEqual(['Market: Brown eggs, rye bread, milk']);
      }, looks);
    });

    test('include the one for sentences that name none', async () => {
      const { assistant } = house.household;
      await assistant.call('/admin/lists', { method: 'POST', body: { name: 'market', items: [] } });
      await see(async (page) => {
        const select = page.getByLabel('Default list');
        const choose = (name: string) =>
          Promise.all([page.waitForResponse('**/admin/pipeline'), select.selectOption(name)]);
        const isShown = (name: string) => waitFor(async () => (await select.inputValue()) === name);
        await choose('market');
        await waitFor(async () =>
          JSON.stringify((await assistant.ask("What's on the list?")).body).includes('market'),
        );
        await assistant.ask('Put milk on the list');
        expect(await kept()).toEqual(['market: milk']);
        await page.reload();
        await isShown('market');
        expect(await violations(page)).toEqual([]);
        await choose('');
        await page.reload();
        await isShown('');
      });
    });

    test('and their items are sorted by the value of their numbers', async () => {
      for (const name of ['list 10', 'list 2']) {
        const body = { name, items: ['10', '2', '1', 'lamp 10', 'lamp 9'] };
        await house.household.assistant.call('/admin/lists', { method: 'POST', body });
      }
      await see(async (page) => {
        const items = page.locator('.one-list').first().locator('.items .words');
        await page.getByRole('button', { name: /^A to Z\W+list 2$/ }).click();

        expect(await page.locator('.one-list h3').allTextContents()).toEqual(['list 2', 'list 10']);
        expect(await items.allTextContents()).toEqual(
          ['1', '2', '10', 'lamp 9', 'lamp 10'].map((text) => `Done with ${text}`),
        );
      });
    });

    test('can be searched by name when there are many', async () => {
      for (let number = 1; number <= 9; number += 1) {
        const body = { name: `list ${number}`, items: [] };
        await house.household.assistant.call('/admin/lists', { method: 'POST', body });
      }
      await see(async (page) => {
        await page.getByLabel('Search lists').fill('list 9');
        await page.getByRole('heading', { name: 'list 9' }).waitFor();
        expect(await page.locator('.one-list').count()).toBe(1);
      });
    });

    test('are eight of many at first, and the new one', async () => {
      for (let number = 1; number <= 9; number += 1) {
        const body = { name: `list ${number}`, items: [] };
        await house.household.assistant.call('/admin/lists', { method: 'POST', body });
      }
      await see(async (page) => {
        await page.getByRole('button', { name: 'Show 1 more lists' }).waitFor();
        const before = await page.locator('.one-list').count();
        await page.getByLabel('Name of a new list').fill('camping');
        await page.getByRole('button', { name: 'Create' }).click();
        await page.getByRole('heading', { name: 'camping' }).waitFor();

        expect([before, await page.locator('.one-list').count()]).toEqual([8, 10]);
      });
    });

    test('are deleted after a question, and restored', async () => {
      await house.household.assistant.ask('Put milk and eggs on the shopping list');
      await see(async (page) => {
        const button = page.getByRole('button', { name: 'Delete shopping' });
        await button.click();
        await page.getByRole('button', { name: 'Delete the whole list?' }).click();
        await page.getByText('The list shopping was deleted.').waitFor();
        expect(await kept()).toEqual([]);
        await page.getByRole('button', { name: 'Undo' }).click();
        await button.waitFor();

        expect(await kept()).toEqual(['shopping: milk, eggs']);
      });
    });

    test('can be completed by keyboard alone, and a refusal leaves them unchanged', async () => {
      await house.household.assistant.ask('Put milk and eggs on the shopping list');
      await see(async (page) => {
        await page.getByLabel('Done with milk').focus();
        await page.keyboard.press('Space');
        await page.getByText('milk is done.').waitFor();
        await page.keyboard.press('Enter');
        await page.getByLabel('Done with milk').waitFor();
        await page.getByText('milk is done.').waitFor({ state: 'detached' });
        await page.route(/admin\/lists\//, (route) => route.abort());
        // The tick disappears as soon as the error arrives, however long the lists take.
        await page.route(/admin\/lists$/, () => undefined);
        await page.getByLabel('Done with eggs').click();
        await page.getByRole('alert').getByText('Hearth cannot be reached.').waitFor();

        expect(await page.getByLabel('Done with eggs').isChecked()).toBe(false);
        expect(await kept()).toEqual(['shopping: eggs, milk']);
      });
    });

    test('explain a refusal, and keep the typed text', async () => {
      await house.household.assistant.ask('Put milk and eggs on the shopping list');
      await see(async (page) => {
        await page.getByLabel('Add to shopping', { exact: true }).fill('<b>milk</b>');
        await page.keyboard.press('Enter');
        await page.getByText('It may contain text, but no markup.').waitFor();
        expect(await page.getByLabel('Add to shopping', { exact: true }).inputValue()).toBe('<b>milk</b>');
        await page.getByRole('button', { name: 'Edit eggs' }).click();
        await page.keyboard.type('Milk');
        await page.keyboard.press('Enter');
        await page.getByText('There is already a thing with this name.').waitFor();
        expect(await page.getByLabel('New words for eggs').inputValue()).toBe('Milk');
        await page.keyboard.press('Escape');
        await page.getByLabel('Done with eggs').waitFor();

        expect(await kept()).toEqual(['shopping: milk, eggs']);
      });
    });
  },
);
