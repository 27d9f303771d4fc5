/** @module-tag slow */
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { desk, phone } from '../support/servers/browser.ts';
import { askInPage, canBeSeen, openPageHouse, type PageHouse } from '../support/servers/page-house.ts';
import { waitFor } from '../support/wait-for.ts';

/** The contrast that text needs for people with low vision (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;

const states = {
  'as it is': [],
  'under the mouse': ['hover'],
  'with the keyboard': ['focus', 'focus-visible'],
  'while pressed': ['hover', 'active', 'focus'],
} as const;

const nodesSchema = z.object({ nodeIds: z.array(z.number()) });
const rootSchema = z.object({ root: z.object({ nodeId: z.number() }) });

/** Every button, with the contrast between its text and its background; runs inside the page. */
const faint = `(least) => {
  const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const read = (colours) => {
    paint.clearRect(0, 0, 1, 1);
    for (const colour of colours) { paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1); }
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb) => rgb
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (one) => one === null ? ['Canvas'] : [...behind(one.parentElement), getComputedStyle(one).backgroundColor];
  const opacity = (one) => one === null ? 1 : Number(getComputedStyle(one).opacity) * opacity(one.parentElement);
  return [...document.querySelectorAll(${JSON.stringify('button, a, .choice label')})].flatMap((one) => {
    const hasWords = (each) => [...each.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '');
    const parts = [...one.querySelectorAll('*')].filter((each) => hasWords(each) && !each.classList.contains('visually-hidden'));
    return [one, ...parts].flatMap((each) => {
      const back = behind(each);
      const style = getComputedStyle(each);
      const [over, under] = [read([...back, style.color]), read(back)].map(luminance);
      const ratio = (Math.max(over, under) + 0.05) / (Math.min(over, under) + 0.05);
      if (ratio >= least && opacity(each) === 1 && style.filter === 'none') return [];
      return [one.className + ' "' + one.textContent.trim() + '" ' + ratio.toFixed(2) + ', opacity ' + opacity(each) + ', filter ' + style.filter];
    });
  });
}`;

describe.skipIf(!canBeSeen)(
  'the buttons of the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterEach(() => house.forgetTimers());
    afterAll(() => house?.close());

    test('look after a touch as before it', async () => {
      await house.see(
        async (page) => {
          const button = page.getByRole('button', { name: 'Speak answers' });
          const ground = () =>
            page.evaluate("getComputedStyle(document.querySelector('.speaks')).backgroundColor");
          await button.waitFor();
          const before = await ground();

          await button.tap();
          await expect.poll(ground).not.toBe(before);
          await button.tap();
          await expect.poll(ground).toBe(before);
        },
        { looks: phone },
      );
    });

    const check = async (page: Page, what: string): Promise<void> => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const found: unknown = await page.evaluate(`(${faint})(${minContrast})`);
        expect(found, `${what}, ${colorScheme}`).toEqual([]);
      }
    };
    /** Every button of the view, in every possible state. */
    const look = async (page: Page, view: string): Promise<void> => {
      const session = await page.context().newCDPSession(page);
      for (const [name, forced] of Object.entries(states)) {
        await force(session, forced);
        await check(page, `${view}, ${name}`);
      }
      await force(session, ['hover']);
      await page.evaluate("for (const one of document.querySelectorAll('button')) one.disabled = true");
      await check(page, `${view}, disabled`);
      await session.detach();
    };

    test('are readable in every state, in both themes', async () => {
      await house.see(
        async (page) => {
          const go = async (view: string) => {
            await page.goto(`${house.address}/#/${view}`);
            await page.reload();
            await page.getByRole('button', { name: 'Stop pasta' }).waitFor();
          };
          await askInPage(page, 'Set an egg timer for 10 minutes');
          await house.timers.set(300, { label: 'pasta' });
          await page.getByRole('button', { name: 'change the name and the room' }).click();
          await page.getByRole('button', { name: 'Save' }).waitFor();
          await look(page, 'talk');
          await go('home');
          await page.getByRole('button', { name: 'Mute' }).first().waitFor();
          await look(page, 'home');
          await go('activity');
          await page.getByRole('button', { name: 'Forget' }).first().click();
          await page.locator('button.danger').waitFor();
          await look(page, 'activity');
          await go('talk/sentences');
          await page.getByRole('button', { name: 'Set a timer for ten minutes' }).waitFor();
          await look(page, 'sentences');
          await go('settings/health');
          await page.getByRole('button', { name: 'Check everything' }).waitFor();
          await look(page, 'health');
          await go('settings');
          await page.getByLabel('Speed', { exact: true }).fill('1.2');
          await page.getByRole('button', { name: 'Save' }).waitFor();
          await look(page, 'settings');
        },
        { looks: { ...desk, reducedMotion: 'reduce' } },
      );
    });
  },
);

/** Puts every button into a state. If the page has redrawn some meanwhile, it repeats that. */
async function force(session: CDPSession, forcedPseudoClasses: readonly string[]): Promise<void> {
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  await waitFor(async () => {
    const { root } = rootSchema.parse(await session.send('DOM.getDocument', { depth: 0 }));
    const selector = 'button, a, .choice label';
    const found = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector });
    for (const nodeId of nodesSchema.parse(found).nodeIds) {
      await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: [...forcedPseudoClasses] });
    }
    return true;
  });
}
