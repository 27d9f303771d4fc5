/** @module-tag slow */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { clip } from '../support/clients/room.ts';
import { says } from '../support/fakes/fake-llm.ts';
import { openBrowser, visit } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';
import { waitFor } from '../support/wait-for.ts';

const eventSchema = z.looseObject({ type: z.string() });

/** The frames that the page sends, one word each: an event's type, or the size of a sound frame. */
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

/** Makes the browser ask for the microphone until `allow()` is called. Runs inside the page. */
const asksFirst = `
  const devices = navigator.mediaDevices;
  const open = devices.getUserMedia.bind(devices);
  const allowed = new Promise((done) => (window.allow = done));
  devices.getUserMedia = (wish) => allowed.then(() => open(wish));
`;

/** Counts the locks that keep the screen on. Runs inside the page. */
const countsWakeLocks = `
  window.held = 0;
  const request = async () => {
    window.held += 1;
    const lock = new EventTarget();
    lock.release = async () => {
      window.held -= 1;
      lock.dispatchEvent(new Event('release'));
    };
    return lock;
  };
  Object.defineProperty(navigator, 'wakeLock', { value: { request } });
`;

describe.skipIf(!canBeSeen)(
  'the microphone of the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(() => house?.close());

    test('sends frames of 20 ms while the button is held, and then the end', async () => {
      await house.see(async (page) => {
        const sent = sentBy(page);
        await page.reload();
        const button = page.getByRole('button', { name: 'Hold to talk' });
        await button.and(page.locator(':enabled')).hover();

        await page.mouse.down();
        await waitFor(() => sent.includes('640 bytes'));
        await page.mouse.up();
        await waitFor(() => sent.includes('input_audio_buffer.commit'));
        await page.mouse.down();
        await waitFor(() => sent.length === 6);

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

    test('hears one utterance without the button when the browser had to ask first', async () => {
      const { stt, assistant } = house.household;
      const own = await openBrowser([clip('weather').samples]);
      const looks = { address: assistant.address, name: 'visitor', isMicrophoneAllowed: false };
      const { page, faults, close } = await visit(own.browser, looks);
      const sent = sentBy(page);
      stt.hears('What is three times four?');
      await page.reload();
      await page.evaluate(asksFirst);
      const button = page.getByRole('button', { name: 'Hold to talk' });
      await button.and(page.locator(':enabled')).click();
      await page.evaluate('window.allow()');

      await page.locator('.exchange[data-state=done]').getByText('12').waitFor();
      await page.getByText('Hold the button or space bar, and speak').waitFor();

      expect(sent.slice(0, 5)).toEqual([
        ...['session.update', 'input_audio_buffer.clear', 'session.update', '640 bytes', 'session.update'],
      ]);
      expect(await faults()).toEqual([]);
      await close();
      await own.close();
    });

    test('listens for its name only, and shows nothing of other utterances', async () => {
      const { stt, assistant } = house.household;
      const own = await openBrowser([clip('hello').samples, 6_000, clip('weather').samples]);
      const { page, faults, close } = await visit(own.browser, { address: assistant.address, mode: 'name' });
      const cleared = Promise.withResolvers<void>();
      stt.hears('And that was the news.');
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
          if (!String(payload).includes('input_audio_buffer.cleared')) return;
          stt.hears('Computer, what time is it?');
          cleared.resolve();
        }),
      );
      await page.reload();
      await page.getByText('Say “Computer” and what you want').waitFor();
      await cleared.promise;
      const shown = await page.locator('.exchange').count();
      await page.locator('.exchange[data-state=done]').waitFor();
      await page.getByText('Awake: just speak').waitFor();
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

    test('is muted by the button while it is always open, and the page says so', async () => {
      await house.see(
        async (page) => {
          const button = page.getByRole('button', { name: 'Mute the microphone' });
          await page.getByText('Listening. Just speak').waitFor();
          await button.click();
          await page.getByText('Muted. Press the button').waitFor();
          await page.screenshot({ path: join(pictures, 'talk-muted.png') });
          expect(await button.getAttribute('aria-pressed')).toBe('true');
          await button.press('Enter');
          await page.getByText('Listening. Just speak').waitFor();

          expect(await button.getAttribute('aria-pressed')).toBe('false');
        },
        { mode: 'free' },
      );
    });

    test('works by the button after it was lost while it was always open', async () => {
      await house.see(
        async (page) => {
          const sent = sentBy(page);
          await page.addInitScript(`
            const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
            navigator.mediaDevices.getUserMedia = async (how) => (window.opened = await open(how));
          `);
          await page.reload();
          await page.getByText('Listening. Just speak').waitFor();
          await page.evaluate("window.opened.getTracks()[0].dispatchEvent(new Event('ended'))");
          await page.getByText('The microphone was disconnected.').waitFor();
          const before = sent.length;
          await page.getByRole('button', { name: 'Hold to talk' }).hover();
          await page.mouse.down();
          await waitFor(() => sent.at(-1) === '640 bytes' && sent.length > before);
          await page.mouse.up();
          await waitFor(() => sent.includes('input_audio_buffer.commit'));

          expect(sent.slice(-4)).toEqual([
            ...['session.update', 'input_audio_buffer.clear', '640 bytes', 'input_audio_buffer.commit'],
          ]);
        },
        { mode: 'free' },
      );
    });

    test('keeps the screen on while it is always open, and no longer', async () => {
      await house.see(
        async (page) => {
          await page.context().addInitScript(countsWakeLocks);
          await page.reload();
          const held = () => page.evaluate('window.held');
          await page.getByText('Listening. Just speak').waitFor();
          await expect.poll(held).toBe(1);

          await page.getByRole('button', { name: 'Mute the microphone' }).click();
          await expect.poll(held).toBe(0);
          await page.getByRole('button', { name: 'Mute the microphone' }).click();
          await expect.poll(held).toBe(1);
          await page.getByText('Hold', { exact: true }).click();
          await expect.poll(held).toBe(0);
        },
        { mode: 'free' },
      );
    });

    test('ends the first steps: the last one waits until it was heard', async () => {
      const { stt, assistant } = house.household;
      const own = await openBrowser([clip('weather').samples]);
      const { page, faults, close } = await visit(own.browser, { address: assistant.address, name: 'new' });
      stt.hears('What is three times four?');
      await page.goto(`${assistant.address}/?step=5#/talk`);
      await page.getByText('Now try it: hold the round button').waitFor();
      const button = page.getByRole('button', { name: 'Hold to talk' });
      await button.and(page.locator(':enabled')).hover();
      await page.mouse.down();
      await expect.poll(() => page.evaluate('window.lastSpokenMs !== undefined')).toBe(true);
      await page.mouse.up();

      await page.getByText('Hearth heard you: “What is three times four?”').waitFor();
      await page.screenshot({ path: join(pictures, 'first-heard.png') });
      expect(await page.getByText('Now try it').count()).toBe(0);
      expect(await faults()).toEqual([]);
      await close();
      await own.close();
    });

    test('is requested only at a press of the button, even if it is always open', async () => {
      await house.see(
        async (page) => {
          const asked = () => page.evaluate('window.asked');
          await page.addInitScript(`
            window.asked = 0;
            const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
            navigator.mediaDevices.getUserMedia = (how) => { window.asked += 1; return open(how); };
          `);
          await page.reload();
          await page.getByText('Press the button to listen').waitFor();
          const before = await asked();
          await page.getByRole('button', { name: 'Mute the microphone' }).click();
          await page.getByText('There is no wake word yet').waitFor();

          expect([before, await asked()]).toEqual([0, 1]);
        },
        { mode: 'word', isMicrophoneAllowed: false },
      );
    });

    test('is not needed: example sentences are shown, found by a word and asked at a press', async () => {
      await house.see(
        async (page) => {
          await page.getByRole('link', { name: 'What can I say?' }).click();
          await page.getByLabel('Search the sentences').fill('cups');
          const sentences = page.locator('.sayable button');
          await expect.poll(() => sentences.count()).toBe(1);
          await sentences.click();

          await page.locator('.exchange[data-state=done]').waitFor();
          expect(await page.locator('.exchange .said').textContent()).toContain(
            'How many cups are in a litre?',
          );
        },
        { name: 'somebody-who-asks' },
      );
    });

    test('is not needed: examples are asked at a press, and give way to the answer', async () => {
      await house.see(
        async (page) => {
          const examples = page.getByRole('list', { name: 'Say what you would like' });
          await examples.getByRole('button', { name: 'Put milk on the shopping list' }).click();
          await page.getByText('I added milk to the shopping list.').first().waitFor();
          expect(await examples.count()).toBe(0);
          const undo = page.getByRole('button', { name: 'Undo Put milk on the shopping list' });
          await undo.waitFor();
          await page.screenshot({ path: join(pictures, 'talk-undo.png') });
          await page.reload();
          await page.locator('.exchange').waitFor();
          expect(await examples.count()).toBe(0);
          await undo.click();
          await page.getByText('I took milk off the shopping list again').first().waitFor();

          await undo.waitFor({ state: 'detached' });
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

    test('is not needed: a long wait for an answer is explained, and can be ended', async () => {
      const { promise: answer, resolve } = Promise.withResolvers<string>();
      house.household.llm.answers(() => async (wire, call) => await says(await answer)(wire, call));
      await house.see(async (page) => {
        await page.clock.install();
        await page.locator('.hold:enabled').waitFor();
        await page.getByLabel('Type a question').fill('Is it slow?');
        await page.keyboard.press('Enter');
        await page.locator('[data-state=thinking]').waitFor();

        await page.clock.fastForward(5_000);
        await page.getByText('Still thinking …').waitFor();
        await page.clock.fastForward(10_000);
        await page.getByText('This takes longer than usual.').waitFor();
        await page.getByRole('button', { name: 'Stop waiting' }).click();

        await page.locator('[data-state=thinking]').waitFor({ state: 'detached' });
      });
      resolve('It was.');
      house.household.forget();
    });
  },
);
