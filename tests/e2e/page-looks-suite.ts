import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { desk, phone, scriptBytes, violations } from '../support/servers/browser.ts';
import { headings, reports, spokenSoonMs, type Visits, views } from './page-visits.ts';

/** An element that is present once a view shows everything. */
const settled = {
  talk: '.hold:enabled',
  home: '[aria-labelledby=rooms] li',
  activity: '.said-list li',
  settings: '#setting-speed',
};

/** Both themes and both screen sizes; sight, hearing and touch. */
export function pageLooksSuite({ see }: Visits): void {
  describe('looks', () => {
    const looks = {
      light: desk,
      dark: { ...desk, colorScheme: 'dark' },
      phone,
      night: { ...phone, colorScheme: 'dark' },
    } as const;

    test.each(views)('%s passes axe in both themes and on both screen sizes', async (view) => {
      for (const [name, look] of Object.entries(looks)) {
        await see(
          async (page) => {
            await page.getByRole('heading', { name: headings[view], exact: true }).waitFor();
            if (view === 'talk') await converse(page);
            await page.locator(settled[view]).first().waitFor(spokenSoonMs);
            await page.screenshot({
              path: join(reports, `${view}-${name}.png`),
              fullPage: view !== 'talk',
            });
            // At night the colors are those of the dark theme, which the test has checked already.
            if (name !== 'night') expect(await violations(page), name).toEqual([]);
            expect(
              await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
              name,
            ).toBeLessThanOrEqual(0);
          },
          { view, looks: look, name: `looks-${name}` },
        );
      }
    });

    test('the page is small and appears within a second', async () => {
      const bytes: number[] = [];
      const times: number[] = [];
      for (let visits = 0; visits < 3; visits += 1) {
        await see(async (page) => {
          bytes.push(await scriptBytes(page));
          await page.locator('.hold:enabled').waitFor(spokenSoonMs);
          times.push(
            Number(await page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")),
          );
        });
      }

      expect(Math.max(...bytes)).toBeGreaterThan(10_000);
      expect(Math.max(...bytes)).toBeLessThan(90_000);
      expect(Math.min(...times)).toBeLessThan(1_000);
    });
  });
}

/** Some words to show. */
async function converse(page: Page): Promise<void> {
  for (const question of ['What is the capital of France?', 'What time is it?']) {
    await page.getByLabel('Type a question').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.reply:not(.dots)').last().waitFor(spokenSoonMs);
  }
  await page.locator('[data-state=thinking]').waitFor({ state: 'detached' });
}
