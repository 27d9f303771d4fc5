import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Pcm, toNumbers } from '../../api/src/audio/pcm.ts';
import { clip } from '../support/clients/room.ts';
import { openBrowser, visit } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';

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

/** The clip "hello" has 0.5 s of voice and "weather" 1.3 s, however much silence a busy machine sends around them. */
const betweenMs = 900;
function voicedMs({ samples, sampleRateHz }: Pcm): number {
  const numbers = toNumbers(samples);
  const frame = sampleRateHz / 50;
  let frames = 0;
  for (let at = 0; at < numbers.length; at += frame)
    if (numbers.subarray(at, at + frame).some((number) => Math.abs(number) > 500)) frames += 1;
  return frames * 20;
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

    test('is open for its name only, and shows nothing of what others are told', async () => {
      const { stt, assistant } = house.household;
      const own = await openBrowser([clip('hello').samples, 6_000, clip('weather').samples]);
      const { page, faults, close } = await visit(own.browser, { address: assistant.address, mode: 'name' });
      const cleared = new Promise<void>((resolve) => {
        page.on('websocket', (socket) =>
          socket.on('framereceived', ({ payload }) => {
            if (String(payload).includes('input_audio_buffer.cleared')) resolve();
          }),
        );
      });
      stt.hears(({ sound }) =>
        sound && voicedMs(sound) < betweenMs ? 'And that was the news.' : 'Computer, what time is it?',
      );
      await page.reload();
      await page.getByText('Say its name and what you want').waitFor();
      await cleared;
      const shown = await page.locator('.exchange').count();
      await page.locator('.exchange[data-state=done]').waitFor();
      await page.getByText('Just speak', { exact: true }).nth(1).waitFor();
      await page.screenshot({ path: join(pictures, 'talk-by-name.png') });
      const question = await page.locator('.exchange').textContent();
      const wrong = await faults();
      await close();
      await own.close();

      expect([shown, question?.includes('what time is it?'), question?.includes('Computer')]).toEqual([
        0,
        true,
        false,
      ]);
      expect(wrong).toEqual([]);
    });

    test('is not needed: examples of what can be said are asked at a press, and make room for the answer', async () => {
      await house.see(
        async (page) => {
          const examples = page.getByRole('list', { name: 'Say what you would like' });
          await examples.getByRole('button', { name: 'Put milk on the shopping list' }).click();
          await page.getByText('I added milk to the shopping list.').first().waitFor();
          expect(await examples.count()).toBe(0);
          await page.reload();
          await page.locator('.exchange').waitFor();

          expect(await examples.count()).toBe(0);
        },
        { name: 'somebody-new' },
      );
    });

    test('is not needed: every example is answered, most of them by a rule', async () => {
      await house.see(
        async (page) => {
          const examples = page.locator('.empty button');
          await examples.first().waitFor();
          const all = await examples.allTextContents();
          const vias: string[] = [];
          for (const [at, text] of all.entries()) {
            const answer = await house.household.assistant.ask(text, { client: `example-${at}` });
            vias.push(z.object({ via: z.string() }).parse(answer.body).via);
          }
          expect(vias).toEqual([...Array.from({ length: all.length - 1 }, () => 'skills'), 'local']);
        },
        { name: 'somebody-else' },
      );
    });
  },
);
