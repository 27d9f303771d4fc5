/** @module-tag slow */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeFetcher, modelOf, startFakeFetcher } from '../support/fakes/fake-fetcher.ts';
import { violations } from '../support/servers/browser.ts';
import { canBeSeen, openPageHouse, type PageHouse, pictures } from '../support/servers/page-house.ts';
import { waitFor } from '../support/wait-for.ts';

const models = [
  modelOf('llm', 'tiny', { name: 'SmolLM2 135M Instruct', isHere: true, isChosen: true, bytes: 98_362_432 }),
  modelOf('llm', 'small', { name: 'Qwen3 4B Instruct 2507 (Q4_K_M)', bytes: 2_497_280_736 }),
  modelOf('stt', 'whisper', { name: 'Whisper tiny.en', isHere: true, isChosen: true }),
  modelOf('tts', 'en_US-joe-medium', { name: 'Joe (US English)', isHere: true, isChosen: true }),
  modelOf('tts', 'en_US-ljspeech-high', { name: 'LJ Speech, slower and finer (US English)' }),
];
const many = Array.from({ length: 200 }, (_, at) =>
  modelOf('tts', `de_DE-voice${at}-medium`, {
    name: `Voice ${at} (German, Germany)`,
    languages: ['de'],
    licence: 'see its model card',
    card: `https://huggingface.co/rhasspy/piper-voices/blob/0/de/voice${at}/MODEL_CARD`,
  }),
);

describe.skipIf(!canBeSeen)('models and voices in the page (needs chromium, and the page built)', () => {
  let fetcher: FakeFetcher;
  let house: PageHouse;
  beforeAll(async () => {
    fetcher = await startFakeFetcher(models);
    house = await openPageHouse({ MODELS_SOCKET: fetcher.socket });
  });
  beforeEach(() => {
    fetcher.state.models = [...models];
    fetcher.state.order = null;
    fetcher.state.voices = { state: 'idle', reason: null, isKnown: false };
  });
  afterAll(async () => {
    await house?.close();
    await fetcher?.stop();
  });

  test('a model is downloaded with its progress, tested, and works', async () => {
    await house.see(async (page) => {
      await page.goto(`${house.address}/#/settings/advanced`);
      const card = page.locator('section[aria-labelledby=models]');
      await card.getByText('2.5 GB · MIT · English').waitFor();
      await card.getByRole('button', { name: 'Download and use it Qwen3' }).click();
      await card.getByRole('button', { name: 'Change it?' }).click();
      await card.getByText('0 B of 2.5 GB downloaded.').waitFor();
      fetcher.order({ bytesDone: 1_200_000_000 });
      await card.getByText('1.2 GB of 2.5 GB downloaded.').waitFor();
      expect(await card.getByRole('progressbar').getAttribute('value')).toBe('1200000000');
      await page.screenshot({ path: join(pictures, 'models-downloading.png'), fullPage: true });
      expect(await violations(page)).toEqual([]);
      fetcher.order({ state: 'trying' });
      await card.getByText('The old one works until the new one answers.').waitFor();
      fetcher.order({ state: 'done', reason: 'Qwen3 4B Instruct 2507 (Q4_K_M) answers.' });

      await card.getByRole('status').filter({ hasText: '(Q4_K_M) answers.' }).waitFor();
      expect(await card.getByRole('progressbar').count()).toBe(0);
    });
  });

  test('the page explains why a model is unavailable, and the download can be stopped', async () => {
    await house.see(async (page) => {
      await page.goto(`${house.address}/#/settings/advanced`);
      const card = page.locator('section[aria-labelledby=models]');
      await card.getByRole('button', { name: 'Download and use it Qwen3' }).click();
      await card.getByRole('button', { name: 'Change it?' }).click();
      await card.getByRole('button', { name: 'Stop' }).click();
      await card.getByRole('alert').filter({ hasText: 'Stopped. The old one stays.' }).waitFor();
      await card.getByRole('button', { name: 'Download and use it Qwen3' }).click();
      await card.getByRole('button', { name: 'Change it?' }).click();
      fetcher.order({ state: 'failed', reason: 'The disk is too full for Qwen3. SmolLM2 stays.' });

      await card.getByRole('alert').filter({ hasText: 'The disk is too full' }).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });

  test('a voice is played, downloaded and used', async () => {
    await house.see(async (page) => {
      await page.goto(`${house.address}/#/settings/advanced`);
      const card = page.locator('section[aria-labelledby=voices]');
      await card.getByText('speaks now').waitFor();
      await card.getByRole('button', { name: 'Hear it Joe' }).click();
      await waitFor(() => house.household.piper.spoken.some(({ voice }) => voice === 'en_US-joe-medium'));

      await card.getByRole('button', { name: 'Download LJ Speech' }).click();
      await card.getByText('LJ Speech, slower and finer (US English): 0 B of 63.2 MB downloaded.').waitFor();
      await page.screenshot({ path: join(pictures, 'voices.png'), fullPage: true });
      expect(await violations(page)).toEqual([]);
    });
  });

  test('the page fetches all published voices only on a press, and searches them', async () => {
    await house.see(async (page) => {
      await page.goto(`${house.address}/#/settings/advanced`);
      const card = page.locator('section[aria-labelledby=voices]');
      await card.getByRole('button', { name: 'Show all of Piper’s voices' }).click();
      await card.getByRole('button', { name: 'Asking for the list …' }).waitFor();
      fetcher.state.voices = {
        state: 'failed',
        reason: 'The list of Piper’s voices cannot be loaded now.',
        isKnown: false,
      };
      await card.getByText('cannot be loaded now.').waitFor();
      fetcher.state.voices = { state: 'idle', reason: null, isKnown: true };
      fetcher.state.models = [...models, ...many];
      await card.getByRole('button', { name: 'Show 50 more voices' }).waitFor();
      await card.getByLabel('Search for a language or a name').fill('german');
      await card.getByText('Voice 0 (German, Germany)').first().waitFor();
      expect(await card.getByText('Joe (US English)').count()).toBe(0);
      const downloads = card.getByRole('button', { name: 'Download' });
      for (const shown of [58, 108, 158, 200]) {
        await card.getByRole('button', { name: /^Show \d+ more voices$/ }).click();
        await waitFor(async () => (await downloads.count()) === shown, { what: `${shown} voices` });
      }

      expect(await violations(page)).toEqual([]);
    });
  });
});
