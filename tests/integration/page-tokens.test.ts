/** @module-tag slow */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { desk, misplaced, phone, violations } from '../support/servers/browser.ts';
import {
  askInPage,
  canBeSeen,
  openPageHouse,
  type PageHouse,
  pictures,
} from '../support/servers/page-house.ts';

const owner = 'Correct-Horse-Battery-Staple';

/** Creates a token on the page, and reads it from the page. */
async function makeInPage(page: Page, name: string, scope = 'talk'): Promise<string> {
  await page.getByLabel('Device or program').fill(name);
  await page.getByLabel('It may').selectOption(scope);
  await page.getByRole('button', { name: 'Make an access key' }).click();
  return await page.getByLabel(`The access key of “${name}”`).inputValue();
}

async function enter(page: Page, token: string): Promise<void> {
  await page.getByLabel('Access key', { exact: true }).last().fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.skipIf(!canBeSeen)(
  'tokens in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    let closed: RunningApi;
    beforeAll(async () => {
      house = await openPageHouse();
      closed = await startApi({ ...house.household.urls, env: { SERVICE_TOKEN: owner } });
    });
    afterAll(async () => {
      await closed?.stop();
      await house?.close();
    });
    const statusWith = async (token: string, path = '/v1/models') =>
      (await closed.call(path, { headers: { authorization: `Bearer ${token}` } })).status;

    test.each([
      ['desk', desk],
      ['phone', phone],
    ])('admit a satellite that asks to join, at the %s', async (size, looks) => {
      const token = `hearth_made-by-the-satellite-at-the-${size}`;
      const asked = await closed.call('/joinings', {
        body: { name: 'pi', token_sha256: createHash('sha256').update(token).digest('hex') },
      });
      const { digits } = z.object({ digits: z.string() }).parse(asked.body);
      await house.see(
        async (page) => {
          await page.goto(`${house.address}/#/home`);
          await page.getByText('A satellite asks to join: pi').waitFor();
          expect(await violations(page)).toEqual([]);
          expect(await misplaced(page)).toEqual([]);
          await page.screenshot({ path: join(pictures, `joining-home-${size}.png`) });
          await page.goto(`${house.address}/#/settings`);
          await page.getByText('A satellite asks to join: pi').waitFor();
          await page.getByRole('region', { name: 'Satellites' }).getByLabel('Room').fill('Kitchen');
          await page
            .getByRole('region', { name: 'Satellites' })
            .getByLabel('Name')
            .fill(`shelf at the ${size}`);
          await page.getByLabel('Six digits').fill(digits === '000000' ? '000001' : '000000');
          await page.getByRole('button', { name: 'Let it in' }).click();
          await page.getByText('5 more tries').waitFor();
          expect(await violations(page)).toEqual([]);
          expect(await misplaced(page)).toEqual([]);
          await page
            .locator('section[aria-labelledby=satellites]')
            .screenshot({ path: join(pictures, `joining-${size}.png`) });

          await page.getByLabel('Six digits').fill(`${digits.slice(0, 3)} ${digits.slice(3)}`);
          await page.getByRole('button', { name: 'Let it in' }).click();
          await page.getByText(`“shelf at the ${size}” has joined.`).waitFor();
        },
        { looks },
      );

      expect(await statusWith(token)).toBe(200);
      await closed.call(`/admin/tokens/shelf%20at%20the%20${size}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${owner}` },
      });
    });

    test.each([
      ['desk', desk],
      ['phone', phone],
    ])('are created, shown once and revoked at the %s', async (size, looks) => {
      await house.see(
        async (page) => {
          await page.goto(`${house.address}/#/settings/health`);
          const kitchen = await makeInPage(page, 'kitchen');
          const panel = await makeInPage(page, 'Panel on the wall with quite a long name', 'look');
          await page.getByText('never used').first().waitFor();
          await page.getByRole('heading', { name: 'Access keys' }).scrollIntoViewIfNeeded();
          expect(await violations(page)).toEqual([]);
          expect(await misplaced(page)).toEqual([]);
          await page
            .locator('section[aria-labelledby=tokens]')
            .screenshot({ path: join(pictures, `tokens-${size}.png`) });

          expect([await statusWith(kitchen), await statusWith(panel, '/admin/turns')]).toEqual([200, 200]);
          await page.getByRole('button', { name: 'Revoke kitchen' }).click();
          await page.getByRole('button', { name: 'Revoke it?' }).click();
          await page.getByRole('button', { name: 'Revoke kitchen' }).waitFor({ state: 'detached' });
          expect(await statusWith(kitchen)).toBe(401);

          await page.reload();
          await page.getByRole('button', { name: 'Revoke Panel' }).waitFor();
          expect(await page.content()).not.toContain(panel.slice(8));
          await page.getByRole('button', { name: 'Revoke Panel' }).click();
          await page.getByRole('button', { name: 'Revoke it?' }).click();
          await page
            .locator('section[aria-labelledby=tokens]')
            .getByText('There are no access keys yet.')
            .waitFor();
        },
        { looks },
      );
    });

    test('that are refused explain why, and the name stays for a correction', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings/health`);
        await page.getByLabel('Device or program').fill('a/b');
        await page.getByRole('button', { name: 'Make an access key' }).click();

        await page.getByText('This is not valid.').waitFor();
        expect(await page.getByLabel('Device or program').inputValue()).toBe('a/b');
      });
    });

    test('that may only talk let the page talk, and it shows their limits', async () => {
      let hall = '';
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings/health`);
        hall = await makeInPage(page, 'hall');
      });
      await house.see(
        async (page) => {
          await enter(page, hall);
          house.household.llm.answers(() => 'It is a bird.');
          await askInPage(page, 'What is a parrot?');
          await page.getByText('It is a bird.').first().waitFor();
          await page.getByRole('link', { name: 'Activity' }).click();
          await page
            .getByText('The access key "hall" has the scope talk. This needs one with the scope look.')
            .first()
            .waitFor();
          await page.screenshot({ path: join(pictures, 'talk-token-activity.png') });
          await page.getByRole('link', { name: 'Settings', exact: true }).click();
          await page.getByText('This needs one with the scope look.').first().waitFor();
          await page.screenshot({ path: join(pictures, 'talk-token-settings.png'), fullPage: true });
          await page.getByRole('navigation').getByRole('link', { name: 'Talk' }).click();
          await fetch(`${house.address}/admin/tokens/hall`, { method: 'DELETE' });

          await page.getByRole('button', { name: 'Sign in' }).waitFor();
          await page.screenshot({ path: join(pictures, 'token-revoked.png') });
        },
        { address: closed.address },
      );
      house.household.forget();
    });
  },
);
