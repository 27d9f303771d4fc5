/** @module-tag slow */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { desk, phone, violations } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';

const file = 'en/skills/lists.yaml';

describe.skipIf(!canBeSeen)(
  'own sentences in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    let folder: string;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hearth-sentences-'));
      house = await openPageHouse({ LANGUAGES_DIR: folder });
    });
    afterAll(async () => {
      await house?.close();
      rmSync(folder, { recursive: true });
    });

    test.each([
      ['desk', desk],
      ['phone', phone],
    ])('are written, refused with the place, saved and deleted, at the %s', async (size, looks) => {
      await house.see(
        async (page) => {
          const card = page.locator('section[aria-labelledby=own-sentences]');
          const text = page.getByLabel(`Your additions to ${file}`);
          await card.getByText('There are no own sentences yet.').waitFor();
          await page.getByLabel('Add to one of Hearth’s files').selectOption(file);
          await page.getByRole('button', { name: 'Write additions' }).click();
          await text.fill('sentences:\n  put: [pop {items} on {list}');
          await page.getByRole('button', { name: 'Check and save' }).click();
          await card.getByText(/^skills\/lists\.yaml:\d+: /).waitFor({ timeout: 70_000 });
          expect(existsSync(join(folder, file))).toBe(false);
          await card.getByText(`Hearth’s own ${file}`).click();
          await expect
            .poll(() => page.getByLabel(`Hearth’s own ${file}`).inputValue())
            .toContain('sentences:');
          expect(await violations(page)).toEqual([]);
          await card.screenshot({ path: join(pictures, `sentences-wrong-${size}.png`) });

          await text.fill('sentences:\n  put:\n    - pop {items} on {list}\n');
          await page.getByRole('button', { name: 'Check and save' }).click();
          await card.getByText(`${file} is saved.`).waitFor({ timeout: 70_000 });
          await card.getByText('only after a restart', { exact: false }).waitFor();
          expect(readFileSync(join(folder, file), 'utf8')).toContain('pop {items}');
          expect(await violations(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
          await card.screenshot({ path: join(pictures, `sentences-saved-${size}.png`) });

          await page.getByRole('button', { name: `Delete ${file}` }).click();
          await page.getByRole('button', { name: 'Delete it?' }).click();
          await card.getByText('There are no own sentences yet.').waitFor({ timeout: 70_000 });
          expect(existsSync(join(folder, file))).toBe(false);
        },
        { view: 'settings/advanced', looks },
      );
    });
  },
);
