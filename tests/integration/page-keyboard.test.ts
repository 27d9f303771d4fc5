/** @module-tag slow */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canBeSeen, openPageHouse, type PageHouse } from '../support/servers/page-house.ts';

const views = [
  ...(['talk', 'talk/sentences', 'home', 'activity'] as const),
  ...(['settings', 'settings/advanced', 'settings/health'] as const),
];
const maxStops = 300;

interface Stop {
  /** Its place among all elements of the page. */
  place: number;
  name: string;
  isMarked: boolean;
  isInSight: boolean;
}

/** The element with the focus, or null at the end of the page. */
const focused = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const shown = one.matches('.choice input') ? one.closest('label') : one;
  const { top, bottom, left, right } = shown.getBoundingClientRect();
  const style = getComputedStyle(shown);
  return {
    place: [...document.querySelectorAll('*')].indexOf(one),
    name: one.id || one.getAttribute('aria-label') || one.textContent.trim().slice(0, 40) || one.type,
    isMarked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
    isInSight: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
  };
})()`;

async function focusOf(page: Page): Promise<Stop | null> {
  return await page.evaluate<Stop | null>(focused);
}

/** All stops of the tab key, from the top to the end of the page. */
async function stopsOf(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < maxStops) {
    await page.keyboard.press('Tab');
    const stop = await focusOf(page);
    if (stop === null || stop.place === stops[0]?.place) return stops;
    stops.push(stop);
  }
  throw new Error(`the focus does not leave the page: ${stops.at(-1)?.name}`);
}

describe.skipIf(!canBeSeen)(
  'the page by keyboard alone (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
      await house.household.assistant.ask('Put milk on the shopping list', { client: 'hall' });
      await house.timers.set(3_600_000);
    });
    afterAll(() => house?.close());

    test.each(views)('every control of %s gets the focus in order, marked and in sight', async (view) => {
      await house.see(
        async (page) => {
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.locator('main:not(:has(.loading))').waitFor();

          const stops = await stopsOf(page);

          expect(stops.length).toBeGreaterThan(6);
          expect(stops.map(({ place }) => place)).toEqual(
            stops.map(({ place }) => place).toSorted((one, other) => one - other),
          );
          expect(stops.filter(({ isMarked, isInSight }) => !isMarked || !isInSight)).toEqual([]);
        },
        { view },
      );
    });

    test('the first stop skips the tabs', async () => {
      await house.see(
        async (page) => {
          await page.getByRole('heading', { name: 'Lists' }).waitFor();
          await page.keyboard.press('Tab');
          expect((await focusOf(page))?.name).toBe('Skip to content');

          await page.keyboard.press('Enter');
          expect((await focusOf(page))?.name).toBe('main');
          await page.keyboard.press('Tab');

          expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
        },
        { view: 'home' },
      );
    });

    test('Escape closes what a button has opened, and the focus returns to it', async () => {
      await house.see(async (page) => {
        const who = page.getByRole('button', { name: /change the name and the room/ });
        await who.press('Enter');
        await page.getByRole('heading', { name: 'This device' }).waitFor();
        expect((await focusOf(page))?.name).toBe('device-room');
        await page.keyboard.press('Escape');
        await page.getByRole('heading', { name: 'This device' }).waitFor({ state: 'detached' });
        await page.locator('button:focus', { hasText: 'tablet, kitchen' }).waitFor();

        const chip = page.locator('.timer-chip');
        await chip.press('Enter');
        await page.locator('.chip-panel button').first().press('Escape');
        await page.locator('.chip-panel').waitFor({ state: 'detached' });
        await page.locator('.timer-chip:focus').waitFor();
      });
    });

    /** The kind of the focused element, the card around it, and its first words. */
    const focusIn = (page: Page) => async () =>
      await page.evaluate(`(() => {
        const { localName, innerText } = document.activeElement;
        const card = document.activeElement.closest('section')?.getAttribute('aria-labelledby');
        return [localName, card, innerText.trim().split(/\\s+/)[0]].join(' ');
      })()`);

    test('the focus stays near a timer, a list item and a list that are gone', async () => {
      const { assistant } = house.household;
      for (const label of ['cake', 'rice']) await house.timers.set(7_200_000, { label });
      const market = { name: 'market', items: ['figs', 'kale'] };
      await assistant.call('/admin/lists', { method: 'POST', body: market });
      await house.see(
        async (page) => {
          const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
          const isIn = (place: string) => expect.poll(focusIn(page), { timeout: 5_000 }).toBe(place);

          await press('Cancel cake');
          await isIn('button timers Undo');
          await press('+ 1 min rice');
          await isIn('button timers +');
          await page.getByLabel('Done with figs').press('Space');
          await isIn('button lists Undo');
          await page.keyboard.press('Enter');
          await isIn('section lists Lists');
          await press('Rename market');
          await page.keyboard.type('Bazaar');
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { name: 'Bazaar' }).waitFor();
          await isIn('section lists Lists');
          await press('Delete Bazaar');
          await press('Delete the whole list?');
          await isIn('button lists Undo');
          await page.getByRole('button', { name: 'Undo' }).click();
          await isIn('section lists Lists');
        },
        { view: 'home' },
      );
    });

    test('the focus stays near an answer that is forgotten and a setting that is saved', async () => {
      for (const text of ['What is one?', 'What is two?'])
        await house.household.assistant.ask(text, { client: 'hall' });
      await house.see(
        async (page) => {
          const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
          const isIn = (place: string) => expect.poll(focusIn(page), { timeout: 5_000 }).toBe(place);

          await press('Forget What is two?');
          await press('Forget it?');
          await isIn('li said What');
          await page.goto(`${house.address}/#/settings`);
          await press('Hear it');
          await isIn('button  Hear');
          await page.locator('#setting-speed').press('ArrowRight');
          await press('Save');
          await isIn('div  Saved.');
          await press('Back to the default of Speed');
          await isIn('section  Speed');
        },
        { view: 'activity' },
      );
    });

    test('Escape cancels a confirmation button', async () => {
      await house.see(
        async (page) => {
          const remove = page.getByRole('button', { name: 'Delete shopping' });
          await remove.press('Enter');
          const sure = page.getByRole('button', { name: 'Delete the whole list?' });
          await sure.press('Escape');
          await remove.press('Enter');
          await sure.waitFor();
          expect(await page.getByRole('heading', { name: 'shopping' }).count()).toBe(1);
        },
        { view: 'home' },
      );
    });

    test('a button that asks waits for an answer, until the focus or a press goes elsewhere', async () => {
      await house.see(
        async (page) => {
          await page.clock.install();
          await page.reload();
          const remove = page.getByRole('button', { name: 'Delete shopping' });
          const sure = page.getByRole('button', { name: 'Delete the whole list?' });
          await remove.press('Enter');
          await page.clock.fastForward('10:00');
          await sure.waitFor();
          await page.keyboard.press('Tab');
          await remove.press('Enter');
          await sure.waitFor();
          await page.getByRole('heading', { name: 'shopping' }).click();
          await remove.waitFor();
        },
        { view: 'home' },
      );
    });
  },
);
