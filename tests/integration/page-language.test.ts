/** @module-tag slow */
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageLanguages } from '../../console/src/language/translate.ts';
import { misplaced, phone, violations } from '../support/servers/browser.ts';
import {
  askInPage,
  canBeSeen,
  openPageHouse,
  type PageHouse,
  pictures,
} from '../support/servers/page-house.ts';

const others = pageLanguages.filter((each) => each !== 'en');
const inLocale = (locale: string): BrowserContextOptions => ({ ...phone, locale });

const firstSteps = [1, 2, 3, 4, 5].map((step) => `?step=${step}#/talk`);
const views = [
  ...['#/talk', '#/talk/sentences', '#/home', '#/activity'],
  ...['#/settings', '#/settings/advanced', '#/settings/health'],
];
const sizes = [
  { width: 390, height: 844 },
  { width: 320, height: 568 },
];

/** Width of the arrow in a select. */
const arrowPx = 16;

/**
 * Texts that do not fit into their place, one line each. The person's own words in a chip may be cut. A
 * select shows its chosen option beside an arrow.
 */
const cut = `[
  ...[...document.querySelectorAll('button, a, label, legend, h1, h2, h3, summary, .tag, .timer-chip, .tabs span')]
    .filter((one) => {
      if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('.visually-hidden, .chip-name')) return false;
      if (getComputedStyle(one).display === 'inline') return false;
      const isHigh = one.matches('button, .tabs a, .subtabs a') && one.scrollHeight > one.clientHeight + 1;
      return isHigh || one.scrollWidth > one.clientWidth + 1;
    })
    .map((one) => one.textContent.trim() + ' (' + one.scrollWidth + ' in ' + one.clientWidth + ')'),
  ...[...document.querySelectorAll('select')].flatMap((select) => {
    const style = getComputedStyle(select);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = style.font;
    const space = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - ${arrowPx};
    return [...select.selectedOptions]
      .filter((option) => select.checkVisibility() && pen.measureText(option.text).width > space)
      .map((option) => option.text + ' (select of ' + space + ')');
  }),
]`;

const tabs = (page: Page) => page.locator('.tabs a').allInnerTexts();
const language = (page: Page) => page.evaluate('document.documentElement.lang');
const tabsIn = {
  en: ['Talk', 'Home', 'Activity', 'Settings'],
  de: ['Sprechen', 'Zuhause', 'Verlauf', 'Einstellungen'],
  fr: ['Parler', 'Maison', 'Activité', 'Réglages'],
};

describe.skipIf(!canBeSeen)(
  'the language of the page (needs chromium, and the page built)',
  { timeout: 240_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(() => house?.close());

    test("is the browser's", async () => {
      await house.see(
        async (page) => {
          await page.getByRole('button', { name: 'Zum Sprechen halten' }).waitFor();

          expect([await tabs(page), await language(page)]).toEqual([tabsIn.de, 'de']);
          expect(await page.title()).toBe('Sprechen · Hearth');
          expect(await violations(page)).toEqual([]);
        },
        { looks: inLocale('de-AT') },
      );
    });

    test("is English for a browser in another language, with that browser's 24 hours", async () => {
      await house.see(
        async (page) => {
          await page.getByRole('button', { name: 'Hold to talk' }).waitFor();
          await page.getByLabel('Type a question').fill('Set an alarm for seven thirty');
          await page.getByLabel('Type a question').press('Enter');

          expect([await tabs(page), await language(page)]).toEqual([tabsIn.en, 'en']);
          await expect.poll(() => page.locator('.timer-chip').innerText()).toMatch(/\b(?:19|07):30$/);
        },
        { looks: inLocale('pl-PL') },
      );
      await house.forgetTimers();
    });

    test('is chosen on the device, and stays', async () => {
      await house.see(
        async (page) => {
          const choose = async (label: string, value: string) => {
            await page.getByLabel(label).selectOption(value);
            await page.waitForEvent('load');
            await page.locator('.tabs').waitFor();
          };
          const choice = page.getByLabel('Sprache dieser Seite');
          await choice.waitFor();
          const options = await choice.locator('option').allInnerTexts();
          await choose('Sprache dieser Seite', 'fr');
          await page.reload();
          await page.locator('.tabs').waitFor();
          const chosen = [await tabs(page), await language(page)];
          await choose('Langue de cette page', '');

          expect(options).toEqual([
            'Browser (Deutsch)',
            ...['English', 'Deutsch', 'Español', 'Français', 'Italiano', 'Nederlands'],
          ]);
          expect(chosen).toEqual([tabsIn.fr, 'fr']);
          expect(await tabs(page)).toEqual(tabsIn.de);
        },
        { looks: inLocale('de-DE'), view: 'settings' },
      );
    });

    test('is English if its texts do not arrive', async () => {
      await house.see(
        async (page) => {
          await page.route(/\/assets\/(?:home|settings|talk)-[^/]*\.js$/, (route) => route.abort());
          await page.reload();
          await page.getByRole('button', { name: 'Hold to talk' }).waitFor();

          expect([await tabs(page), await language(page)]).toEqual([tabsIn.en, 'en']);
        },
        { looks: inLocale('de-DE') },
      );
    });

    test("is not the household's: the page's own sentences are said in the household's", async () => {
      await house.see(
        async (page) => {
          const said = page.locator('.exchange .said');
          await page.getByRole('button', { name: 'Wie spät ist es?' }).click();
          await said.getByText('What time is it?').waitFor();
          await page.locator('.exchange[data-state=done]').waitFor();
          await page.getByLabel('Frage eintippen').fill('Put milk on the shopping list');
          await page.getByLabel('Frage eintippen').press('Enter');
          await page.getByRole('button', { name: 'Rückgängig Put milk on the shopping list' }).click();
          await page.locator('.exchange[data-state=done]').nth(2).waitFor();

          expect(await said.last().innerText()).toContain('Undo that');
          expect(await page.locator('.exchange .reply').last().innerText()).toMatch(/took milk off|removed/i);
        },
        { looks: inLocale('de-DE'), name: 'german tablet' },
      );
    });

    /** The texts that do not fit at each address, in windows of each size. */
    async function cutAt(page: Page, tag: string, paths: readonly string[]): Promise<string[]> {
      const faults: string[] = [];
      for (const path of paths) {
        await page.goto(`${house.address}/${path}`);
        await page.locator('.tabs').waitFor();
        await page.locator('main .loading').first().waitFor({ state: 'detached' });
        if (path === '#/talk') {
          await page.locator('.timer-chip').first().click();
          await page.locator('.talk-top button').dispatchEvent('click'); // it may be scrolled away
        }
        for (const size of sizes) {
          await page.setViewportSize(size);
          await page.evaluate(
            'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
          );
          const found = [await page.evaluate(cut), await misplaced(page)].flat();
          faults.push(...found.map((fault) => `${path}, ${size.width}: ${String(fault)}`));
          const name = `language-${tag}${path.replaceAll(/\W+/g, '-')}-${size.width}.png`;
          await page.screenshot({ path: join(pictures, name), fullPage: true });
        }
      }
      return faults;
    }

    async function haveTimers(page: Page): Promise<void> {
      await page.goto(`${house.address}/#/talk`);
      await page.locator('.hold:enabled').waitFor();
      const sentences = ['Set a pasta timer for ten minutes', 'Set a timer for one second'];
      for (const [at, sentence] of sentences.entries()) {
        await page.locator('#question').fill(sentence);
        await page.locator('#question').press('Enter');
        await page.locator('.exchange[data-state=done]').nth(at).waitFor();
      }
      await page.locator('.ringing').waitFor();
    }

    test.each(others)('leaves room for the texts in %s', async (tag) => {
      await house.see(
        async (page) => {
          const beforeTimers = await cutAt(page, tag, firstSteps);
          await haveTimers(page);

          expect([...beforeTimers, ...(await cutAt(page, tag, views))]).toEqual([]);
        },
        { looks: inLocale(tag), name: `tablet ${tag}` },
      );
      await house.forgetTimers();
    });
  },
);

test.skipIf(!canBeSeen)("an English page undoes in a household's German", { timeout: 120_000 }, async () => {
  const house = await openPageHouse({ HEARTH_LANGUAGE: 'de' });
  try {
    await house.see(async (page) => {
      await askInPage(page, 'Setz Milch auf die Einkaufsliste');
      await page.getByRole('button', { name: /^Undo/ }).click();
      await page.locator('.exchange[data-state=done]').nth(1).waitFor();

      expect(await page.locator('.exchange .said').last().innerText()).toContain('Mach das rückgängig');
      const { body } = await house.household.assistant.call('/admin/lists');
      expect(JSON.stringify(body)).not.toContain('Milch');
    });
  } finally {
    await house.close();
  }
});
