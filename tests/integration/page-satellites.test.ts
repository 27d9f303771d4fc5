/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterRoom, type Room } from '../support/clients/room.ts';
import { desk, misplaced, phone, violations } from '../support/servers/browser.ts';
import { askInPage, canBeSeen, openPageHouse, type PageHouse } from '../support/servers/page-house.ts';

describe.skipIf(!canBeSeen)(
  'a satellite in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    let shelf: Room;
    beforeAll(async () => {
      house = await openPageHouse({ HEARTH_LANGUAGE: 'en,de' });
      shelf = await enterRoom(house.address, { client: 'shelf', room: 'hall' });
      await shelf.event('session.created');
    });
    afterAll(async () => {
      await shelf?.leave();
      await house?.close();
    });

    test('is not listed if it is a page that never got a name', async () => {
      const seen = (room: string | null) => JSON.stringify({ room, seenAt: Date.now() });
      const pages = { 'page-12ab': seen(null), 'page-34cd': seen('attic'), 'old puck': seen(null) };
      await house.household.store.hset('hearth:seen-satellites', pages);
      await house.see(
        async (page) => {
          await page.locator('.satellite').getByText('old puck').first().waitFor();
          await page.locator('.satellite').getByText('attic').first().waitFor();
          expect(await page.getByText('page-12ab').count()).toBe(0);
        },
        { view: 'home' },
      );
      await house.household.store.hdel('hearth:seen-satellites', ...Object.keys(pages));
    });

    test.each([
      ['desk', desk],
      ['phone', phone],
    ])('is moved, renamed, muted, played and removed at the %s', async (size, looks) => {
      const [name, room] = [`Shelf of the ${size}`, `library ${size}`];
      const sounds = () => shelf.sounds.length;
      await house.see(
        async (page) => {
          const one = page
            .locator('.satellite', { hasText: 'shelf' })
            .or(page.locator('.satellite', { hasText: 'Shelf' }));
          await one.getByText('More').click();
          await one.getByLabel('Name', { exact: true }).fill(name);
          await one.getByLabel('Room').fill(room);
          await one.getByLabel('It answers').selectOption('name');
          await one.getByRole('button', { name: 'Save' }).click();
          await one.getByText(name).first().waitFor();
          await page.reload();
          await one.getByText('More').click();
          expect(await one.getByLabel('It answers').inputValue()).toBe('name');
          // Its longest choice needs the whole row.
          expect((await one.getByLabel('It answers').boundingBox())?.width).toBeGreaterThan(270);
          await one.getByRole('meter', { name: `The microphone of ${name}` }).waitFor();
          const before = sounds();
          await one.getByRole('button', { name: 'Play a sound' }).click();
          await expect.poll(sounds).toBeGreaterThan(before);
          await one.getByRole('button', { name: `Mute ${name}` }).click();
          await one.getByText(/^Connected since \d.*, muted$/).waitFor();
          await one.getByRole('button', { name: 'Play a sound' }).click();
          await one.getByText('The satellite is muted').waitFor();
          await one.getByRole('button', { name: `Unmute ${name}` }).click();
          await one.getByText(/^Connected since \d[^,]*$/).waitFor();
          const times = one.getByRole('group', { name: `Mute ${name}` });
          await times.getByRole('button', { name: 'for an hour' }).click();
          await one.getByText(/, muted until /).waitFor();
          await times.getByRole('button', { name: /^until .*7:00.AM$/ }).click();
          await one.getByText(/, muted until .*7:00.AM$/).waitFor();
          await one.getByRole('button', { name: `Unmute ${name}` }).click();
          await one.getByText(/^Connected since \d[^,]*$/).waitFor();
          await one.getByLabel(`Words to say in ${room}`).fill('Dinner is ready.');
          await one.getByRole('button', { name: `Announce in ${room}` }).click();
          await one.getByText(`Announced in ${room}.`).waitFor();
          expect(await violations(page)).toEqual([]);
          expect(await misplaced(page)).toEqual([]);

          await one.getByRole('button', { name: 'Remove' }).click();
          await one.getByRole('button', { name: 'Remove it?' }).click();

          await one.getByText('without its own access key').waitFor();
        },
        { view: 'home', looks },
      );
      const told = shelf.events.flatMap(({ event }) =>
        event.type === 'session.updated' ? [event.session] : [],
      );
      expect(told.at(-1)).toMatchObject({ room, wake: 'name' });
    });

    test('can be the page itself, which says what the household lets it answer', async () => {
      const { assistant } = house.household;
      const choose = (wake: string | null) =>
        assistant.call('/admin/satellites/shelf', { method: 'PATCH', body: { wake } });
      await house.see(
        async (page) => {
          await choose(null); // another test has chosen
          await page.getByText('Listening. Just speak').waitFor();
          await choose('name');
          await page.getByText('Say “Computer” and what you want').waitFor();
          await choose(null);
          await page.getByText('Listening. Just speak').waitFor();
        },
        { name: 'shelf', mode: 'free' },
      );
    });

    test('can be the page itself, which types in the room and the language of the household’s choice', async () => {
      const { assistant } = house.household;
      await house.see(
        async (page) => {
          await page.getByRole('button', { name: 'wall, kitchen' }).waitFor();
          await page.locator('.hold:enabled').waitFor();
          const body = { room: 'office', language: 'de' };
          await assistant.call('/admin/satellites/wall', { method: 'PATCH', body });
          await page.getByRole('button', { name: 'wall, office' }).click();
          await askInPage(page, 'Wie spät ist es?');
          await page.locator('.reply', { hasText: 'Uhr' }).waitFor();
          expect((await assistant.call('/admin/turns')).body).toMatchObject({ turns: [{ room: 'office' }] });

          await page.getByRole('textbox', { name: 'Room' }).fill('hall');
          await page.getByRole('button', { name: 'Save' }).click();

          await page.getByText('The household has put this device into the room “office”.').waitFor();
          await page.getByRole('button', { name: 'wall, office' }).waitFor();
        },
        { name: 'wall' },
      );
    });
  },
);
