/** @module-tag slow */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { phone, violations } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';

describe.skipIf(!canBeSeen)(
  'the activity view of the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterEach(async () => await house.household.store.flushdb());
    afterAll(() => house?.close());

    const ask = (text: string, client: string) =>
      house.household.assistant.ask(text, { client, room: 'kitchen' });
    const asked = (page: Page) => page.locator('.said-list .asked').allTextContents();

    test('shows turns with the words first, finds them by a word, and deletes them one by one', async () => {
      await ask('How many cups are in a litre?', 'anna');
      await ask('What is 17 times 23?', 'bert');
      await house.see(
        async (page) => {
          const first = page.locator('.said-list > li').first();
          await first.getByText('What is 17 times 23?').first().waitFor();
          await first.getByText('391').first().waitFor();
          await first.getByText('kitchen').waitFor();
          await first.getByText('Why this answer').click();
          await first.getByText('by fixed rules').waitFor();
          await first.getByText('It fits the examples under “Sums”').waitFor();
          await page.getByRole('heading', { name: 'Today' }).waitFor();
          expect(await violations(page)).toEqual([]);
          await page.screenshot({ path: join(pictures, 'activity-phone.png') });
          await page.getByLabel('Search what was said').fill('CUPS');
          await expect.poll(() => asked(page)).toEqual(['How many cups are in a litre?']);
          await page.getByRole('button', { name: 'Forget How many cups' }).click();
          await page.getByRole('button', { name: 'Forget it?' }).click();
          await page.getByText('Nothing was found.').waitFor();
          await page.getByLabel('Search what was said').fill('');

          await expect.poll(() => asked(page)).toEqual(['What is 17 times 23?']);
        },
        { view: 'activity', looks: phone },
      );
    });

    test('shows no time before it knows the time zone of the household', async () => {
      await ask('What is 17 times 23?', 'anna');
      await house.see(
        async (page) => {
          const gate = Promise.withResolvers<void>();
          const there = [page.waitForResponse(/admin.turns/), page.waitForResponse(/admin.exchanges/)];
          await page.route('**/health', async (route) => {
            await gate.promise;
            await route.continue().catch(() => undefined);
          });
          await page.reload();
          await Promise.all(there.map(async (each) => await (await each).finished()));
          await page.getByText('One moment').first().waitFor();
          expect(await asked(page)).toEqual([]);
          gate.resolve();

          await expect.poll(() => asked(page)).toEqual(['What is 17 times 23?']);
        },
        { view: 'activity', looks: { timezoneId: 'America/New_York' } },
      );
    });

    test('marks a turn as misunderstood, exports it, and teaches it as a sentence of the household', async () => {
      await ask('What is 17 times 23?', 'anna');
      await house.see(
        async (page) => {
          await page.getByRole('button', { name: 'That was wrong' }).click();
          const part = page.locator('section[aria-labelledby=mistakes]');
          const download = page.waitForEvent('download');
          await part.getByRole('button', { name: 'Export as a file' }).click();
          expect((await download).suggestedFilename()).toBe('hearth-misunderstood.json');
          await part.getByText('Teach what you meant').click();
          await part.getByLabel('do this').fill('what is 12 plus 30');
          await part.getByRole('button', { name: 'Teach it' }).click();
          await part
            .getByRole('alert')
            .filter({ hasText: 'Hearth already understands this sentence' })
            .waitFor();
          await part.getByLabel('When I say').fill('the usual sum');
          expect(await violations(page)).toEqual([]);
          await page.screenshot({ path: join(pictures, 'misunderstood.png'), fullPage: true });
          await part.getByRole('button', { name: 'Teach it' }).click();
          await part.getByText('Taught: “the usual sum”.').waitFor();

          expect((await ask('The usual sum.', 'anna')).body).toMatchObject({
            reply: expect.stringContaining('42'),
          });
          expect((await house.household.assistant.call('/admin/mistakes')).body).toEqual({ mistakes: [] });
        },
        { view: 'activity' },
      );
    });

    test('says when its chart could not be loaded, and loads it later', async () => {
      await house.see(async (page) => {
        await page.route('**/assets/times-*.js', (route) => route.abort());
        await page.goto(`${house.address}/#/activity`);
        await page.getByText('Details: where the time went').click();
        await page.getByText('This part of the page could not be loaded.').waitFor();
        expect(await violations(page)).toEqual([]);

        await page.unroute('**/assets/times-*.js');
        await page.getByRole('button', { name: 'Try again' }).click();

        await page.getByText('This part of the page could not be loaded.').waitFor({ state: 'detached' });
        await page.locator('.times .stack > *').first().waitFor();
      });
    });

    test('shows the usual wait for an answer, stage by stage', async () => {
      const spoken = {
        ...{ id: 'usual', source: 'listen', room: 'kitchen', via: 'local', outcome: 'done' },
        ...{ created_at: '2026-11-20T18:05:00Z', pipeline_revision: 1, timings: { total: 900 } },
        spans: [
          { name: 'stt', start_ms: 10, took_ms: 140 },
          { name: 'llm', start_ms: 150, took_ms: 160 },
          { name: 'tts', start_ms: 310, took_ms: 80 },
        ],
        marks: { end_of_speech: -100, certain_end: 220, first_sound: 400 },
      };
      const day = { turns: [spoken], percentiles: {}, percentiles_by_source: {}, hours: [] };
      await house.see(
        async (page) => {
          await page.route('**/admin/turns?*', (route) => route.fulfill({ json: day }));
          await page.reload();
          await page.getByText('Details: where the time went').click();
          const part = page.locator('section[aria-labelledby=median-wait]');
          await part.getByText('the first sound: 500 ms').waitFor();
          const rows = await part.locator('tbody tr').allInnerTexts();
          await part.screenshot({ path: join(pictures, 'median-wait-phone.png') });

          expect(rows.map((row) => row.split('\t')[0])).toEqual([
            'the silence that shows you have finished',
            'speech recognition',
            'language model',
            'speaking a sentence',
            'on the way between the stages',
          ]);
          expect(await violations(page)).toEqual([]);
        },
        { view: 'activity', looks: phone },
      );
    });

    test('removes a forgotten question from all of the view at once', async () => {
      await ask('What time is it?', 'anna');
      await house.see(
        async (page) => {
          await page.getByRole('button', { name: 'That was wrong' }).click();
          const misunderstood = page.getByRole('region', { name: 'Misunderstood' });
          await misunderstood.waitFor();
          // The view asks for nothing anew by itself.
          await page.evaluate('window.setTimeout = () => 0');
          await page.getByRole('button', { name: 'Forget everything that was said' }).click();
          await page.getByRole('button', { name: 'Forget everything?' }).click();

          await page.getByText('Nothing has been said yet.').waitFor();
          await misunderstood.waitFor({ state: 'detached' });
        },
        { view: 'activity' },
      );
    });

    test('deletes turns for a device, for a day, and altogether', async () => {
      for (const client of ['anna', 'bert', 'carl']) await ask('What time is it?', client);
      await house.see(
        async (page) => {
          const part = page.locator('section[aria-labelledby=forget]');
          await part.getByLabel('Device').selectOption('anna');
          await part.getByRole('button', { name: 'Forget what was said there' }).click();
          await part.getByRole('button', { name: 'Forget all of it?' }).click();
          await part.getByText('Forgotten: one question and its answer.').waitFor();
          await part.getByLabel('Day').fill('2020-01-01');
          await part.getByRole('button', { name: 'Forget this day' }).click();
          await part.getByRole('button', { name: 'Forget this day?' }).click();
          await part.getByText('There was nothing to forget.').waitFor();
          await part.getByRole('button', { name: 'Forget everything that was said' }).click();
          await part.getByRole('button', { name: 'Forget everything?' }).click();

          await part.getByText('Forgotten: 2 questions and answers.').waitFor();
          await page.getByText('Nothing has been said yet.').waitFor();
        },
        { view: 'activity' },
      );
    });
  },
);
