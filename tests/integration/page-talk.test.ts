import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { canBeSeen, openPageHouse, type PageHouse } from '../support/servers/page-house.ts';

const eventSchema = z.looseObject({ type: z.string() });

/** The frames that the page sends over its connection, one word each: the type of an event, or the size of a frame of sound. */
function sentBy(page: Page): string[] {
  const sent: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const word =
        typeof payload === 'string' ? eventSchema.parse(JSON.parse(payload)).type : `${payload.length} bytes`;
      if (sent.at(-1) !== word) sent.push(word);
    });
  });
  return sent;
}

describe.skipIf(!canBeSeen)(
  'the microphone of the page (needs chromium, and the page built)',
  { timeout: 60_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(() => house?.close());

    test('is sent in frames of 20 ms while the button is held, and then the end of it', async () => {
      await house.see(async (page) => {
        const sent = sentBy(page);
        await page.reload();
        const button = page.getByRole('button', { name: 'Hold to talk' });
        await button.and(page.locator(':enabled')).hover();

        await page.mouse.down();
        await vi.waitFor(() => expect(sent).toContain('640 bytes'), 10_000);
        await page.mouse.up();
        await vi.waitFor(() => expect(sent).toContain('input_audio_buffer.commit'), 10_000);
        await page.mouse.down();
        await vi.waitFor(() => expect(sent).toHaveLength(6), 10_000);

        expect(sent).toEqual([
          'session.update',
          'input_audio_buffer.clear',
          '640 bytes',
          'input_audio_buffer.commit',
          'input_audio_buffer.clear',
          '640 bytes',
        ]);
      });
    });
  },
);
