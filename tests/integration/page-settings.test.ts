/** @module-tag slow */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFakeVoiceDevice } from '../support/fakes/fake-voice-device.ts';
import { misplaced, phone, violations } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';
import { waitFor } from '../support/wait-for.ts';
import { fetchedWakeWords, wakeWordFolder } from '../support/wake/words.ts';

/** The space between each card and the next one of its column, in pixels. */
const gaps = `[...Map.groupBy(
  [...document.querySelectorAll('main .card:not(.keep)')].map((card) => card.getBoundingClientRect()),
  ({ left }) => left,
).values()].flatMap((column) => column.slice(1).map(({ top }, at) => Math.round(top - column[at].bottom)))`;

describe.skipIf(!canBeSeen)(
  'the settings in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse({ WAKE_WORDS_DIR: wakeWordFolder });
    });
    afterAll(() => house?.close());

    test.skipIf(fetchedWakeWords.length !== 2)('offer the wake words that have a model', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings/advanced`);
        const words = page.getByRole('group', { name: 'Wake words' });
        await words.getByLabel('Hey Jarvis').check();
        await words.getByLabel('Okay Nabu').uncheck();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved. It applies from the next question.').waitFor();

        const saved = await house.household.assistant.call('/admin/pipeline');

        expect(saved.body).toMatchObject({ values: { wake_words: ['hey_jarvis'] } });
        await page.getByRole('button', { name: 'Back to the default of Wake words' }).click();
        await words.getByLabel('Okay Nabu').and(page.locator(':checked')).waitFor();
      });
    });

    test.skipIf(fetchedWakeWords.length !== 2)('use a wake word and stop using it', async () => {
      await house.see(
        async (page) => {
          const used = async () => (await house.household.assistant.call('/admin/pipeline')).body;
          await page.goto(`${house.address}/#/settings/advanced`);
          const card = page.getByRole('region', { name: 'Wake words' });
          await card.getByRole('button', { name: /^Use it\W+Hey Jarvis/ }).click();
          await card.getByText('Hearth listens for “Hey Jarvis”.').waitFor();
          expect(await used()).toMatchObject({ values: { wake_words: ['okay_nabu', 'hey_jarvis'] } });
          expect(await violations(page)).toEqual([]);
          expect(await misplaced(page)).toEqual([]);
          await card.screenshot({ path: join(pictures, 'wake-words.png') });

          await card.getByRole('button', { name: /^Stop using it\W+Hey Jarvis/ }).click();
          await card.getByText('Hearth no longer listens for “Hey Jarvis”.').waitFor();
          expect(await used()).toMatchObject({ values: { wake_words: ['okay_nabu'] } });
          expect(await card.getByRole('button', { name: 'Stop using it' }).count()).toBe(0);
        },
        { looks: phone },
      );
    });

    test('leave no gap between the cards of a column in a wide window', async () => {
      await house.see(
        async (page) => {
          await page.locator('#about').waitFor();
          await page.locator('main:not(:has(.loading))').waitFor();

          expect(await page.evaluate(gaps)).toEqual([16, 16, 16, 16]);
        },
        { view: 'settings', looks: { viewport: { width: 1280, height: 800 } } },
      );
    });

    test('are saved when valid, and reset to the default', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings/advanced`);
        const field = page.getByLabel('Silence that ends a sentence', { exact: true });

        await field.fill('9');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Nothing was saved. Correct the marked setting.').waitFor();
        await page.getByText('At least 200.').waitFor();
        await field.fill('700');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved. It applies from the next question.').waitFor();
        await page.reload();
        const kept = await field.inputValue();
        await page
          .getByRole('button', { name: 'Back to the default of Silence that ends a sentence' })
          .click();
        await page
          .getByRole('button', { name: 'Back to the default of Silence that ends a sentence' })
          .waitFor({ state: 'detached' });

        expect([kept, await field.inputValue()]).toEqual(['700', '600']);
      });
    });

    test('choose the language, say that it needs a restart, and reset it', async () => {
      await house.see(
        async (page) => {
          await page.goto(`${house.address}/#/settings`);
          const field = page.getByLabel('Language', { exact: true });

          await field.selectOption({ label: 'German' });
          await page.getByText('Hearth speaks German after you save this and restart it.').waitFor();
          await page.getByRole('button', { name: 'Save' }).click();
          await page.getByText('Saved. The language applies after a restart.').waitFor();
          await page.getByText('After a restart it speaks German. A restart takes').waitFor();
          await page.getByRole('button', { name: 'Restart Hearth' }).waitFor();
          expect(await violations(page)).toEqual([]);
          expect(await misplaced(page)).toEqual([]);
          await page.screenshot({ path: join(pictures, 'language.png') });

          const warning = page.locator('.status').getByRole('link');
          await expect.poll(() => warning.getAttribute('href')).toBe('#/settings');
          await page.getByRole('button', { name: 'Back to the default of Language' }).click();
          await page.getByRole('button', { name: 'Restart Hearth' }).waitFor({ state: 'detached' });
          expect(await field.inputValue()).toBe('en');
        },
        { looks: phone },
      );
    });

    test('take the time zone of the device, in a field with a search and in the first steps', async () => {
      const own = await openPageHouse({ TZ: '' });
      const zone = 'Pacific/Chatham';
      await own.see(
        async (page) => {
          const card = page.getByRole('region', { name: 'Time and quiet hours' });
          const field = card.getByLabel('Time zone');
          await field.fill('Narnia/Lamppost');
          await page.getByRole('button', { name: 'Save' }).click();
          await card.getByText('This is not a time zone.').waitFor();
          await card.getByRole('button', { name: 'Use this device’s time zone' }).click();
          expect(await field.inputValue()).toBe(zone);
          await page.getByRole('button', { name: 'Save' }).click();
          await card.getByText(`After a restart it uses that of ${zone}.`).waitFor();
          expect(await violations(page)).toEqual([]);
          expect(await misplaced(page)).toEqual([]);
          await card.screenshot({ path: join(pictures, 'time-zone.png') });
          await page.getByRole('button', { name: 'Back to the default of Time zone' }).click();
          await page.getByRole('button', { name: 'Restart Hearth' }).waitFor({ state: 'detached' });

          await page.goto(`${own.address}/?step=2#/talk`);
          await page.getByText('Hearth’s clock shows').waitFor();
          expect(await violations(page)).toEqual([]);
          await page.screenshot({ path: join(pictures, 'first-time-zone.png') });
          await page.getByRole('button', { name: `Use ${zone}` }).click();
          await page.getByText('Saved. Hearth restarts').waitFor();

          const { body } = await own.household.assistant.call('/admin/pipeline');
          expect(body).toMatchObject({ values: { time_zone: zone } });
        },
        { looks: { ...phone, timezoneId: zone }, view: 'settings' },
      );
      await own.close();
    });

    test('show the time zone that TZ sets, and no field for it', async () => {
      await house.see(
        async (page) => {
          const card = page.getByRole('region', { name: 'Time and quiet hours' });
          await card.getByText('set by the server’s environment').waitFor();
          expect(await card.getByLabel('Time zone').textContent()).toBe('Europe/Berlin');
        },
        { view: 'settings' },
      );
    });

    test('have the fields of a new voice device in one row of a wide window', async () => {
      await house.see(
        async (page) => {
          const form = page.getByRole('region', { name: 'Voice devices' });
          await form.getByLabel('Address').waitFor();
          const top = async (label: string) => (await form.getByLabel(label).boundingBox())?.y;

          const tops = await Promise.all(['Address', 'Name', 'Room', 'Encryption key'].map(top));

          expect(new Set(tops).size).toBe(1);
          await form.screenshot({ path: join(pictures, 'new-voice-device.png') });
        },
        { view: 'settings/advanced', looks: { viewport: { width: 1280, height: 800 } } },
      );
    });

    test('adopt a voice device, show its problem, and remove it', async () => {
      const device = await startFakeVoiceDevice();
      try {
        await house.see(async (page) => {
          await page.goto(`${house.address}/#/settings/advanced`);
          const card = page.locator('section[aria-labelledby=voice-devices]');
          await card.getByLabel('Address').fill('no address');
          await card.getByLabel('Name').fill('puck');
          await card.getByRole('button', { name: 'Add it' }).click();
          await card.getByRole('alert').filter({ hasText: 'address' }).waitFor();

          await card.getByLabel('Address').fill(device.address);
          await card.getByLabel('Room').fill('kitchen');
          await card.getByRole('button', { name: 'Add it' }).click();
          await card.getByText('connected', { exact: true }).waitFor();
          await card.getByLabel('Hey Jarvis').check();
          await waitFor(() => device.active().includes('hey_jarvis'));

          await card.getByText('Change puck').click();
          await card.getByLabel('Encryption key', { exact: true }).fill(`${'A'.repeat(43)}=`);
          await card.getByRole('button', { name: 'Save' }).click();
          await card.getByText('does not use encryption').waitFor();
          expect(await violations(page)).toEqual([]);
          await card.screenshot({ path: join(pictures, 'voice-devices.png') });

          await card.getByRole('button', { name: 'Remove puck' }).click();
          await card.getByRole('button', { name: 'Remove it?' }).click();
          await card.getByRole('listitem').waitFor({ state: 'detached' });
        });
      } finally {
        await device.end();
      }
    });

    test('keep typed text when another person changes them meanwhile', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings`);
        const field = page.getByLabel('Speed', { exact: true });
        await field.fill('1.2');
        await fetch(`${house.address}/admin/pipeline`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: '{"patience":"patient"}',
        });

        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Someone else changed the settings.').waitFor();

        expect([
          await field.inputValue(),
          await page.getByLabel('Patience', { exact: true }).inputValue(),
        ]).toEqual(['1.2', '2']);
      });
    });

    test('keep typed text while another view is open, and show where it waits', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings`);
        await page.getByLabel('Speed', { exact: true }).fill('1.2');
        await page.getByRole('link', { name: 'For experts' }).click();
        await page.getByRole('button', { name: 'Add a routine', exact: true }).click();
        await page.getByLabel('Name', { exact: true }).last().fill('Movie time');
        await page.getByLabel('Words of step 1').fill('turn off the lights');
        await page.getByRole('navigation').getByRole('link', { name: 'Talk' }).click();
        await page.getByRole('link', { name: 'Settings (unsaved changes)' }).click();

        expect(await page.getByLabel('Speed', { exact: true }).inputValue()).toBe('1.2');
        await page.getByRole('link', { name: 'For experts' }).click();
        expect(await page.getByLabel('Words of step 1').inputValue()).toBe('turn off the lights');
        await page.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Discard' }).click();
        await page.getByRole('link', { name: 'Settings', exact: true }).waitFor();
      });
    });

    test('scroll to a mistake and give it the focus, and show it from another page of the settings', async () => {
      await house.see(
        async (page) => {
          await page.goto(`${house.address}/#/settings/advanced`);
          const field = page.getByLabel('Silence that ends a sentence', { exact: true });
          const isSeen = async () => {
            const [box, size] = [await field.boundingBox(), page.viewportSize()];
            return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height;
          };
          await field.fill('9');
          await page.evaluate('scrollTo(0, 0)');
          await page.getByRole('button', { name: 'Save' }).click();
          await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('setting-end_silence_ms');
          await expect.poll(isSeen).toBe(true);

          await page.getByRole('link', { name: 'Everyday' }).click();
          await page.getByRole('region', { name: 'Time and quiet hours' }).waitFor();
          await page.getByRole('button', { name: 'Save' }).click();

          await expect.poll(isSeen).toBe(true);
          await page.getByRole('button', { name: 'Discard' }).click();
        },
        { looks: phone },
      );
    });

    test('warn before unsaved text is lost by closing or reloading the page', async () => {
      await house.see(async (page) => {
        await page.goto(`${house.address}/#/settings`);
        const field = page.getByLabel('Speed', { exact: true });
        const asked: string[] = [];
        page.on('dialog', (dialog) => {
          asked.push(dialog.type());
          void dialog.dismiss();
        });
        await field.click();
        await page.getByText('1 unsaved change.').waitFor();
        await page.reload({ timeout: 2_000 }).catch(() => undefined);
        await expect.poll(() => asked).toEqual(['beforeunload']);
        await page.getByRole('button', { name: 'Discard' }).click();
        await page.reload();
        await field.waitFor();

        expect(asked).toEqual(['beforeunload']);
      });
    });
  },
);
