/** @module-tag slow */
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seal } from '../../api/src/backup/sealing.ts';
import { type FakeHome, homeToken, startFakeHome } from '../support/fakes/fake-home.ts';
import { violations } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';

/** Shows a card in windows of three sizes, and in the dark theme: nothing may overflow the window. */
async function lookAt(card: Locator, name: string): Promise<void> {
  const page = card.page();
  const picture = (looks: string) => card.screenshot({ path: join(pictures, `${name}-${looks}.png`) });
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), `${width}`).toBe(0);
    await picture(String(width));
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
  await picture('dark');
  await page.emulateMedia({ colorScheme: 'light' });
}

async function sealed(plain: Buffer, passphrase: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of seal(Readable.from([plain]), passphrase)) parts.push(part);
  return Buffer.concat(parts);
}

describe.skipIf(!canBeSeen)(
  'the household views of the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    let fake: FakeHome;
    beforeAll(async () => {
      [house, fake] = await Promise.all([openPageHouse(), startFakeHome()]);
    });
    afterAll(async () => {
      await house?.close();
      await fake?.stop();
    });

    test.each([
      ['talk', '.hold:enabled'],
      ['home', '.satellite .well'],
      ['activity', 'text=Where the time went'],
      ['settings', '#about'],
    ])('match the accessibility tree of %s in the file beside this one', async (view, there) => {
      await house.see(
        async (page) => {
          await page.locator('.hold:enabled').waitFor();
          await page.goto(`${house.address}/#/${view}`);
          await page.locator(there).first().waitFor();
          await page.getByRole('link', { name: 'All is well' }).waitFor();
          await page.locator('main:not(:has(.loading))').waitFor();

          const tree = await page.locator('body').ariaSnapshot();
          await expect(tree.replace(/(?<=Connected since ).*/, '…')).toMatchFileSnapshot(
            `page-trees/${view}.txt`,
          );
        },
        { name: 'tablet' },
      );
    });

    test('offer each Home Assistant that the network announces', async () => {
      const homes = [{ name: 'Cabin', url: 'http://192.168.1.20:8123', version: '2026.11.0' }];
      await house.see(async (page) => {
        await page.route('**/admin/home-assistant/search', (route) => route.fulfill({ json: { homes } }));
        await page.goto(`${house.address}/#/settings/advanced`);
        const card = page.getByRole('region', { name: 'Home Assistant' });

        await card.getByRole('button', { name: 'Find it on the network' }).click();
        await card.getByText('http://192.168.1.20:8123, 2026.11.0').waitFor();
        expect(await violations(page)).toEqual([]);
        await card.screenshot({ path: join(pictures, 'find-home.png') });
        await card.getByRole('button', { name: 'Choose Cabin' }).click();

        const address = card.getByLabel('Address of Home Assistant');
        expect(await address.inputValue()).toBe('http://192.168.1.20:8123');
        const hasFocus = 'document.activeElement.type === "password"';
        expect(await page.evaluate(hasFocus)).toBe(true);
      });
    });

    test('say that Home Assistant has not answered yet, and stop trying', async () => {
      await house.see(async (page) => {
        const isGone = Promise.withResolvers<void>();
        await page.route('**/admin/home-assistant', async (route) => {
          if (route.request().method() !== 'PUT') return route.continue();
          await isGone.promise;
          await route.abort();
        });
        page.on('requestfailed', () => isGone.resolve());
        await page.goto(`${house.address}/#/settings/advanced`);
        const card = page.getByRole('region', { name: 'Home Assistant' });
        await card.getByLabel('Address of Home Assistant').fill(fake.url);
        await card.getByLabel('Long-lived access token').fill(homeToken);
        await card.getByRole('button', { name: 'Try and connect' }).click();

        await card.getByText('No answer yet. Hearth keeps trying for a few seconds.').waitFor();
        await card.getByRole('button', { name: 'Cancel' }).click();
        await card.getByRole('button', { name: 'Try and connect' }).waitFor();
        expect(await card.getByText('No answer yet.').count()).toBe(0);
        expect(await card.getByLabel('Address of Home Assistant').inputValue()).toBe(fake.url);
      });
    });

    test('connect Home Assistant, show it and remove it without a restart', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings/advanced`);
        const card = page.getByRole('region', { name: 'Home Assistant' });
        const token = card.getByLabel('Long-lived access token');
        const connect = card.getByRole('button', { name: 'Try and connect' });

        await connect.click();
        await card.getByText('Type the address of your Home Assistant.').waitFor();
        await card.getByLabel('Address of Home Assistant').fill(fake.url);
        await token.fill('wrong');
        await connect.click();
        await card
          .getByText('Home Assistant does not accept the access token. Make a new one there.')
          .waitFor();
        expect(await token.getAttribute('aria-invalid')).toBe('true');
        await lookAt(card, 'connect-home');
        await token.fill(homeToken);
        await connect.click();
        await card.getByText('It works: 8 things in 5 rooms.').waitFor();
        await card.screenshot({ path: join(pictures, 'home-connected.png') });
        await card.getByText('Another address or access token').click();
        await token.fill('wrong');
        await connect.click();
        await card
          .getByText('Home Assistant does not accept the access token. Make a new one there.')
          .waitFor();
        expect(await card.getByText('It works').count()).toBe(0);
        await token.fill(homeToken);
        await connect.click();
        await card.getByText('It works: 8 things in 5 rooms.').waitFor();
        expect(await token.isVisible()).toBe(false);

        await page.goto(`${house.address}/#/home`);
        const kitchen = page.getByRole('region', { name: 'Kitchen' });
        await kitchen.getByText('Kitchen ceiling').waitFor();
        fake.sets('light.kitchen_ceiling', 'on');
        await kitchen.getByText('on', { exact: true }).waitFor();
        fake.is('gone');
        await page.getByText('This view may be out of date.').waitFor();
        fake.is('RUNNING');
        await page.getByText('This view may be out of date.').waitFor({ state: 'detached' });
        await lookAt(page.getByRole('region', { name: 'Devices you can control' }), 'things');
        expect(await violations(page)).toEqual([]);

        await page.goto(`${house.address}/#/settings/advanced`);
        await card.getByRole('button', { name: 'Disconnect' }).click();
        await card.getByRole('button', { name: 'Disconnect it?' }).click();
        await card.getByText('Home Assistant is disconnected.').waitFor();
        expect(await page.content()).not.toContain(homeToken);

        await page.goto(`${house.address}/#/home`);
        await page.getByText('Connect Home Assistant').click();
        await page.getByLabel('Address of Home Assistant').fill(fake.url);
        await page.getByLabel('Long-lived access token').fill(homeToken);
        await page.getByRole('button', { name: 'Try and connect' }).click();
        await page
          .getByRole('region', { name: 'Devices you can control' })
          .getByText('It works: 8 things in 5 rooms.')
          .waitFor();
      });
    });

    test('show the news beside the version', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings`);
        const card = page.getByRole('region', { name: 'Hearth 0.1.0' });
        await card.getByText('What is new').click();
        await card.getByRole('heading', { level: 3 }).waitFor();

        expect(await card.getByRole('listitem').count()).toBe(6);
        await lookAt(card, 'what-is-new');
      });
    });

    test('save a backup to a file, and restore it from one', async () => {
      const { store } = house.household;
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings`);
        const card = page.getByRole('region', { name: 'Backup' });
        await store.hset('hearth:lists', { garden: 'garden', party: 'party' });
        await store.zadd('hearth:list:garden', 1, 'seeds');

        const [file] = await Promise.all([
          page.waitForEvent('download'),
          card.getByRole('button', { name: 'Download a backup' }).click(),
        ]);
        await card.getByText(`Saved as ${file.suggestedFilename()}.`).waitFor();
        await store.del('hearth:lists', 'hearth:list:garden');
        await card.getByText('Restore a backup').click();
        const field = card.getByLabel('Backup file');
        const button = card.getByRole('button', { name: 'Restore' });
        const sure = card.getByRole('button', { name: 'Replace everything?' });
        const wrong = { name: 'cat.tar.gz', mimeType: 'application/gzip', buffer: Buffer.from('cat') };
        await field.setInputFiles(wrong);
        await button.click();
        await sure.click();
        await card.getByText('This is not a backup of Hearth. Nothing has been changed.').waitFor();
        await lookAt(card, 'backup');
        const large = join(tmpdir(), `hearth-large-${process.pid}.tar.gz`);
        await writeFile(large, '');
        await truncate(large, 200 * 1024 * 1024);
        await field.setInputFiles(large);
        await card.getByText('This file is larger than 64 MB.').waitFor();
        await rm(large);
        expect(await button.isDisabled()).toBe(true);
        await field.setInputFiles({ name: 'none.tar.gz', mimeType: 'application/gzip', buffer: Buffer.of() });
        await card.getByText('This file is empty.').waitFor();
        await field.setInputFiles(await file.path());
        await button.click();
        await sure.click();
        await card.getByText(/^Restored the backup of .*: .* 2 lists,/).waitFor();

        expect(await store.zrange('hearth:list:garden', 0, '-1')).toEqual(['seeds']);
        await store.del('hearth:lists', 'hearth:list:garden');
        const buffer = await sealed(await readFile(await file.path()), 'Grüße an alle');
        await field.setInputFiles({ name: 'hearth.tar.gz.enc', mimeType: '', buffer });
        const passphrase = card.getByLabel('Passphrase of the backup');
        await passphrase.fill('Gruesse an alle');
        await button.click();
        await sure.click();
        await card.getByText('The passphrase is wrong, or the backup is damaged.').waitFor();
        await lookAt(card, 'encrypted-backup');
        await passphrase.fill('Grüße an alle');
        await button.click();
        await sure.click();
        await card.getByText(/^Restored the backup of .*: .* 2 lists,/).waitFor();

        expect(await store.zrange('hearth:list:garden', 0, '-1')).toEqual(['seeds']);
      });
    });
  },
);
