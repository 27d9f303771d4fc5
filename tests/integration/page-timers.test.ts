/** @module-tag slow */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { desk, phone, violations } from '../support/servers/browser.ts';
import {
  askInPage,
  canBeSeen,
  openPageHouse,
  type PageHouse,
  pictures,
} from '../support/servers/page-house.ts';

describe.skipIf(!canBeSeen)(
  'timers set in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterEach(() => house.forgetTimers());
    afterAll(() => house?.close());

    test.each([
      ['desk', desk],
      ['phone', phone],
    ])('run, appear and are cancelled at the %s', async (size, looks) => {
      await house.see(
        async (page) => {
          const name = page.getByLabel('Name, if it needs one');
          await name.fill('eggs');
          await page.getByRole('button', { name: '10 min', exact: true }).click();
          await page.getByRole('button', { name: 'Cancel eggs' }).waitFor();
          await page.getByLabel('Minutes of a timer').fill('2.5');
          await page.keyboard.press('Enter');
          await page.getByRole('button', { name: 'Cancel timer' }).waitFor();
          await page.getByLabel('Time of an alarm').fill('06:30');
          await page.getByRole('button', { name: 'Set alarm' }).click();
          await page.getByRole('button', { name: 'Cancel alarm' }).waitFor();

          expect(await name.inputValue()).toBe('');
          const all = (await house.timers.store.all()).toSorted((one, other) => one.dueAt - other.dueAt);
          expect(all).toMatchObject([
            { kind: 'timer', label: null, durationMs: 150_000, room: 'kitchen', client: 'tablet' },
            { kind: 'timer', label: 'eggs', durationMs: 600_000 },
            { kind: 'alarm', label: null },
          ]);
          expect(await violations(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
          await page
            .locator('section[aria-labelledby=timers]')
            .screenshot({ path: join(pictures, `timers-${size}.png`) });
          await page.getByRole('button', { name: 'Cancel eggs' }).click();
          await expect.poll(() => house.timers.store.all()).toHaveLength(2);
        },
        { view: 'home', looks },
      );
    });

    test('come back after a cancellation in Home and on a chip of Talk', async () => {
      const alarm = { kind: 'alarm', label: 'work', time: '07:00', days: ['MO', 'FR'], client: 'tablet' };
      await house.household.assistant.call('/admin/timers', { method: 'POST', body: alarm });
      const [before] = await house.timers.store.all();
      const back = { ...before, revision: 2 };
      await house.see(
        async (page) => {
          await page.getByRole('button', { name: 'Cancel work' }).press('Enter');
          await page.getByText('The alarm work was cancelled.').waitFor();
          expect(await house.timers.store.all()).toEqual([]);
          expect(await violations(page)).toEqual([]);
          await page.screenshot({ path: join(pictures, 'timer-undo-home.png') });
          await page.keyboard.press('Enter');
          await page.getByRole('button', { name: 'Cancel work' }).waitFor();
          expect(await house.timers.store.all()).toEqual([back]);
          await page.getByText('was cancelled').waitFor({ state: 'detached' });

          await page.getByRole('link', { name: 'Talk' }).click();
          const chips = page.getByRole('list', { name: 'Timers' });
          await chips.getByRole('button', { name: 'work' }).click();
          await page.getByRole('button', { name: 'Cancel work' }).click();
          await page.getByText('The alarm work was cancelled.').waitFor();
          expect(await violations(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
          await page.screenshot({ path: join(pictures, 'timer-undo-talk.png') });
          await page.getByRole('button', { name: 'Undo', exact: true }).click();
          await chips.getByRole('button', { name: 'work' }).waitFor();
          expect(await house.timers.store.all()).toEqual([{ ...back, revision: 3 }]);
        },
        { view: 'home', looks: phone },
      );
    });

    test('say why one does not come back', async () => {
      await house.see(
        async (page) => {
          await page.getByRole('button', { name: '5 min', exact: true }).click();
          await page.getByRole('button', { name: 'Cancel timer' }).click();
          const undo = page.getByRole('button', { name: 'Undo', exact: true });
          await undo.waitFor();
          await house.household.assistant.ask('Undo that', { client: 'tablet' });
          await undo.click();

          await page.getByText('It was brought back already.').waitFor();
          await undo.waitFor({ state: 'detached' });
          await page.getByRole('button', { name: 'Cancel timer' }).waitFor();
        },
        { view: 'home' },
      );
    });

    test('have their whole name in Talk on a phone, if a line has room for it', async () => {
      for (const label of ['grandma’s sourdough bread', 'eggs'])
        await house.household.assistant.call('/admin/timers', {
          method: 'POST',
          body: { kind: 'timer', label, duration_seconds: 900, client: 'tablet', room: 'kitchen' },
        });
      await house.see(
        async (page) => {
          await page.locator('.chip-name').nth(1).waitFor();
          const cut =
            "[...document.querySelectorAll('.chip-name')].map((one) => one.scrollWidth > one.clientWidth)";

          expect(await page.evaluate(cut)).toEqual([false, false]);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
          await page.screenshot({ path: join(pictures, 'long-chip.png') });
        },
        { looks: phone },
      );
    });

    test('are confirmed below the form, and a name typed meanwhile stays', async () => {
      await house.see(
        async (page) => {
          const name = page.getByLabel('Name, if it needs one');
          await page.route('**/admin/timers', async (route) => {
            if (route.request().method() === 'POST') await name.fill('cake');
            await route.continue();
          });
          await page.getByRole('button', { name: '10 min', exact: true }).click();
          await page.getByText(/^Timer set: (10:00|9:5\d)\.$/).waitFor();
          expect(await name.inputValue()).toBe('cake');

          await page.getByLabel('Mon', { exact: true }).check();
          await page.getByLabel('Time of an alarm').fill('07:30');
          await page.getByRole('button', { name: 'Set alarm' }).click();
          await page.getByText('Alarm set: cake, 7:30 AM, Mondays.').waitFor();
          expect(await name.inputValue()).toBe('');
          await page.getByRole('button', { name: 'Cancel cake' }).click();
          await page.getByText('Alarm set: cake').waitFor({ state: 'detached' });
        },
        { view: 'home' },
      );
    });

    test("get another minute, pause and resume; a reminder needs words; the room's volume is lowered", async () => {
      await house.see(
        async (page) => {
          await page.getByRole('button', { name: '5 min', exact: true }).click();
          await page.getByRole('button', { name: '+ 1 min timer' }).click();
          const first = async () => (await house.timers.store.all())[0];
          await expect.poll(async () => (await first())?.durationMs).toBe(360_000);
          await page.getByRole('button', { name: 'Pause timer' }).click();
          await page.getByText('paused').waitFor();
          await page.getByRole('button', { name: 'Resume timer' }).click();
          await expect.poll(async () => (await first())?.state).toBe('running');
          await page.getByLabel('Time of a reminder').fill('2027-01-02T08:30');
          await page.getByRole('button', { name: 'Set reminder' }).click();
          await page.getByText('Enter the reminder text in the first field.').waitFor();
          await page.getByLabel('Name, if it needs one').fill('call mum');
          await page.getByRole('button', { name: 'Set reminder' }).click();
          await page.getByRole('button', { name: 'Cancel call mum' }).waitFor();
          await page.getByLabel('Volume of tablet').fill('40');
          await page.getByText('40 %').waitFor();
          await page.getByRole('button', { name: 'Mute tablet' }).click();

          await page.getByText(/^Connected since \d.*, muted$/).waitFor();
          expect(await violations(page)).toEqual([]);
        },
        { view: 'home' },
      );
    });

    test('show the time of an alarm in Talk; a chip adds a minute, pauses and cancels', async () => {
      await house.see(async (page) => {
        await askInPage(page, 'Set a pasta timer for ten minutes');
        await askInPage(page, 'Wake me at 7 every weekday');
        const chips = page.getByRole('list', { name: 'Timers' });
        await chips.getByText('7:00 AM, weekdays').waitFor();
        await chips.getByRole('button', { name: 'pasta' }).click();
        await page.getByRole('button', { name: '+ 1 min pasta' }).click();
        const pasta = async () => (await house.timers.store.all()).find(({ label }) => label === 'pasta');
        await expect.poll(async () => (await pasta())?.durationMs).toBe(660_000);
        await page.getByRole('button', { name: 'Pause pasta' }).click();
        await chips.getByText('paused').waitFor();
        for (const size of [
          { width: 844, height: 390 },
          { width: 320, height: 568 },
          { width: 640, height: 400 },
        ]) {
          await page.setViewportSize(size);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
          expect(await violations(page)).toEqual([]);
        }
        await page.getByRole('button', { name: 'Cancel pasta' }).click();
        await chips.getByText('pasta').waitFor({ state: 'detached' });
      });
    });

    test.each([
      ['bath', 'bath'],
      ['', null],
    ])('ring in the room that the page chooses: “%s”', async (chosen, room) => {
      await house.see(
        async (page) => {
          const place = page.getByLabel('Rings in');
          expect(await place.inputValue()).toBe('kitchen');
          await place.fill(chosen);
          await page.getByLabel('Name, if it needs one').fill('towels');
          await page.getByLabel('Time of a reminder').fill('2027-01-02T08:30');
          await page.getByRole('button', { name: 'Set reminder' }).click();
          await page.getByRole('button', { name: 'Cancel towels' }).waitFor();

          expect(await house.timers.store.all()).toMatchObject([{ kind: 'reminder', label: 'towels', room }]);
          expect(await place.inputValue()).toBe('kitchen');
        },
        { view: 'home', looks: phone },
      );
    });

    test('repeat on some days, and get another time, room and end, in the time zone of the household', async () => {
      await house.see(
        async (page) => {
          await page.getByLabel('Name, if it needs one').fill('school');
          await page.getByRole('checkbox', { name: 'Mon' }).check();
          await page.getByLabel('Time of an alarm').fill('06:30');
          await page.getByRole('button', { name: 'Set alarm' }).click();
          await page.getByRole('button', { name: 'Edit school' }).click();
          const form = page.locator('.edit-timer');
          await form.getByRole('checkbox', { name: 'Tue' }).check();
          await form.getByLabel('Time').fill('08:15');
          await form.getByLabel('Room').fill('attic');
          await form.getByLabel('Last day').fill('2027-06-30');
          expect(await violations(page)).toEqual([]);
          await form.getByRole('button', { name: 'Save' }).click();
          await page.getByText('8:15 AM, Mondays, Tuesdays until Jun 30').waitFor();

          const [alarm] = await house.timers.store.all();
          expect(alarm).toMatchObject({
            ...{ kind: 'alarm', label: 'school', room: 'attic' },
            repeats: { rule: 'FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20270630T235959Z', timeZone: 'Europe/Berlin' },
          });
          await page.getByRole('button', { name: 'Edit school' }).click();
          for (const day of ['Mon', 'Tue']) await form.getByRole('checkbox', { name: day }).uncheck();
          await form.getByLabel('Date').fill('2027-01-02');
          await form.getByRole('button', { name: 'Save' }).click();
          await form.waitFor({ state: 'detached' });
          // 8:15 in Berlin, although this device is in New York.
          const once = (await house.timers.store.all())[0];
          expect([once?.dueAt, once?.repeats]).toEqual([Date.parse('2027-01-02T07:15:00Z'), undefined]);
        },
        { view: 'home', looks: { ...phone, timezoneId: 'America/New_York' } },
      );
    });

    test('are set although their view is closed meanwhile', async () => {
      await house.see(
        async (page) => {
          const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
          await page.route('**/admin/timers', async (route) => {
            if (route.request().method() === 'POST') {
              asked.resolve();
              await gate.promise;
            }
            await route.continue();
          });
          await page.getByLabel('Name, if it needs one').fill('rice');
          await page.getByLabel('Minutes of a timer').fill('7');
          await page.getByRole('button', { name: 'Set timer' }).click();
          await asked.promise;
          await page.getByRole('link', { name: 'Activity' }).click();
          await page.getByRole('heading', { name: 'What was said' }).waitFor();
          gate.resolve();
          await page.getByRole('link', { name: 'Home' }).click();

          await page.getByRole('button', { name: 'Cancel rice' }).waitFor();
        },
        { view: 'home' },
      );
    });

    test('are refused with a sentence, and the name stays', async () => {
      await house.see(
        async (page) => {
          await page.getByLabel('Name, if it needs one').fill('<eggs>');
          await page.getByRole('button', { name: '5 min', exact: true }).click();
          await page.getByText('It may contain text, but no markup.').waitFor();

          expect(await page.getByLabel('Name, if it needs one').inputValue()).toBe('<eggs>');
          expect(await house.timers.store.all()).toEqual([]);
        },
        { view: 'home' },
      );
    });
  },
);
