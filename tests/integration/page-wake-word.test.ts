/** @module-tag slow */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toBytes } from '../../api/src/audio/pcm.ts';
import { createWakeMemory } from '../../api/src/wake/wake-memory.ts';
import { spokenClip } from '../support/audio/spoken-clips.ts';
import { voiceOf } from '../support/clients/room.ts';
import { openBrowser, phone, type Spoken, type VisitOptions, visit } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';
import { hearInPage } from '../support/wake/page-detector.ts';
import { inRow, referenceSounds, spokenWord } from '../support/wake/sounds.ts';
import { fetchedWakeWords, wakeWordFolder } from '../support/wake/words.ts';

const eventSchema = z.looseObject({ type: z.string() });
/** The models load in this time, on a busy machine too. */
const loadMs = 8_000;
/** "Okay Nabu" with a request in the same breath. */
const called = Buffer.concat([
  toBytes(spokenWord('okay-nabu')).subarray(0, 1_700 * 32),
  spokenClip('weather'),
]);
const story = Array.from({ length: 12 }, (_, n) => `This is sentence number ${n} of a long story.`).join(' ');

/** The events that the page sends and gets, with the number of sound bytes sent before each. */
function trafficOf(page: Page) {
  const traffic: { event: string; soundBytes: number }[] = [];
  let soundBytes = 0;
  const note = (payload: string | Buffer, isSent: boolean): void => {
    if (typeof payload === 'string') {
      const { type } = eventSchema.parse(JSON.parse(payload));
      traffic.push({ event: type, soundBytes });
    } else if (isSent) soundBytes += payload.length;
  };
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => note(payload, true));
    socket.on('framereceived', ({ payload }) => note(payload, false));
  });
  return {
    soundBytes: () => soundBytes,
    /** Sound bytes sent before the first event of a type. */
    before: (event: string) => traffic.find((each) => each.event === event)?.soundBytes,
    has: (event: string) => traffic.some((each) => each.event === event),
  };
}

describe.skipIf(!canBeSeen || fetchedWakeWords.length !== 2)(
  'the page by wake word (needs chromium, the page built, and the fetched models)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse({ WAKE_WORDS_DIR: wakeWordFolder });
      const body = { follow_up_sound: false, names: ['Computer'] };
      await house.household.assistant.call('/admin/pipeline', { method: 'PATCH', body });
    });
    beforeEach(() => {
      house.household.forget();
      house.household.piper.speaks(voiceOf);
    });
    afterAll(() => house?.close());

    /** Opens the page while a person speaks, and records the traffic from its beginning. */
    async function listen(
      spoken: Spoken,
      look: (page: Page, traffic: ReturnType<typeof trafficOf>) => Promise<void>,
      options: Partial<VisitOptions> = {},
    ): Promise<void> {
      const own = await openBrowser(spoken);
      const { address } = house.household.assistant;
      const { page, faults, close } = await visit(own.browser, { address, mode: 'word', ...options });
      try {
        const traffic = trafficOf(page);
        await page.reload();
        await look(page, traffic);
        expect(await faults()).toEqual([]);
      } finally {
        await close();
        await own.close();
      }
    }

    test('sends nothing before the word, and loses nothing of the request in the same breath', async () => {
      const { stt } = house.household;
      stt.hears('Okay Nabu, what time is it?');

      await listen([loadMs, spokenClip('weather'), 3_000, called], async (page, traffic) => {
        await page.getByText('Say “Okay Nabu” and what you want').waitFor();
        await page.locator('.exchange[data-state=done]').waitFor();
        const said = await page.locator('.exchange').textContent();
        await page.getByText('Awake: just speak').waitFor();

        expect(traffic.before('wake.heard')).toBe(0);
        expect(said).toContain('what time is it?');
        expect(said).not.toContain('Nabu');
        // From 1.5 s before the end of the word to the end of the request, with its silence.
        expect(traffic.before('response.created')).toBeGreaterThan(3 * 32_000);
        expect(stt.calls.every(({ sound }) => (sound?.samples.length ?? 0) > 32_000)).toBe(true);
      });
    });

    test('is stopped in the middle of an answer by voice, without the word', async () => {
      const { stt, llm } = house.household;
      stt.hears('Okay Nabu, tell me a story.');
      llm.answers(() => story);

      await listen([loadMs, called, 5_000, spokenClip('stop-stop')], async (page, traffic) => {
        await expect.poll(() => traffic.has('response.output_audio.started')).toBe(true);
        stt.hears('Stop.');
        await page.locator('.exchange[data-state=cancelled]').waitFor();

        expect(traffic.before('wake.heard')).toBe(0);
      });
    });

    test('sends nothing until a timer rings, and then hears “Stop”', async () => {
      const { stt } = house.household;
      stt.hears('Stop.');
      const stops = Array.from({ length: 12 }, () => [spokenClip('stop-stop'), 3_000]).flat();

      await listen([loadMs, ...stops], async (page, traffic) => {
        await page.getByText('Say “Okay Nabu” and what you want').waitFor();
        await expect.poll(() => page.evaluate('window.lastSpokenMs !== undefined')).toBe(true);
        const before = traffic.soundBytes();
        await house.timers.set(300, { label: 'pasta' });
        await page.getByRole('button', { name: 'Stop pasta' }).waitFor();
        await page.getByRole('button', { name: 'Stop pasta' }).waitFor({ state: 'detached' });

        expect(before).toBe(0);
        expect(traffic.soundBytes()).toBeGreaterThan(0);
      });
      await house.forgetTimers();
    });

    test.each(['**/wake-words', '**/wake-detector-*.js'])(
      'lets the server detect the word until %s can be loaded, and says so',
      async (lost) => {
        await listen([2_000], async (page) => {
          const fault = page.getByText('The wake word detector could not be loaded.');
          await page.clock.install();
          await page.route(lost, (route) => route.abort());
          const traffic = trafficOf(page);
          await page.reload();
          await fault.waitFor();
          await expect.poll(traffic.soundBytes).toBeGreaterThan(0);

          await page.unroute(lost);
          await page.clock.fastForward(15_000);
          await fault.waitFor({ state: 'detached' });
          const sent = traffic.soundBytes();
          await page.waitForTimeout(500);

          expect(traffic.soundBytes()).toBe(sent);
        });
      },
    );

    test('listens for a name or a wake word, and tells a phone when it may not listen', async () => {
      await listen(
        [2_000],
        async (page, traffic) => {
          await page.getByText('Name or word').click();
          await page.getByText('Say “Computer” or “Okay Nabu” and what you want').waitFor();
          await page.getByText('A phone may stop listening').waitFor();
          await page.screenshot({ path: join(pictures, 'talk-by-word-phone.png') });

          // The server looks for names in the transcript, so it needs all sound.
          await expect.poll(traffic.soundBytes).toBeGreaterThan(0);
        },
        { looks: phone },
      );
    });

    test('decides as the server does', async () => {
      const sound = inRow(...referenceSounds().values());
      await house.household.assistant.call('/admin/pipeline', {
        method: 'PATCH',
        body: { wake_words: fetchedWakeWords.map(({ id }) => id) },
      });
      const memory = createWakeMemory(fetchedWakeWords);
      const { hits } = memory.push(toBytes(sound));

      await house.see(async (page) => {
        const heard = await hearInPage(page, sound);

        expect(hits.length).toBeGreaterThan(4);
        expect(heard.hits).toEqual(hits.map(({ word, atMs, certainty }) => ({ word, atMs, certainty })));
      });
    });
  },
);
