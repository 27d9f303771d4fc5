import { describe, expect, test, vi } from 'vitest';
import { phone } from '../support/servers/browser.ts';
import { loudest, spokenSoonMs, type Visits } from './page-visits.ts';

/** Talking and typing. */
export function pageTalkSuite({ see, speak }: Visits): void {
  describe('talking', () => {
    test('hears a question, answers it aloud and shows both', async () => {
      await speak(['joe-france.wav'], { mode: 'free', name: 'listener' }, async (page) => {
        await page.getByText('What is the capital of France?').first().waitFor(spokenSoonMs);
        await page.locator('.reply', { hasText: 'The capital of France is Paris.' }).waitFor(spokenSoonMs);
        await vi.waitFor(async () => expect(await loudest(page)).toBeGreaterThan(0.1), spokenSoonMs);
        await page.locator('[data-state=done]').waitFor(spokenSoonMs);

        expect(await page.locator('.exchange').textContent()).toMatch(
          /by the language model, after [\d.]+ m?s/,
        );
      });
    });

    test('falls silent soon after an interruption, and answers it', async () => {
      const spoken = ['joe-story.wav', 5_500, 'joe-france.wav'];
      await speak(spoken, { mode: 'free', name: 'interrupter' }, async (page) => {
        await page.locator('.reply', { hasText: 'Once upon a time' }).waitFor(spokenSoonMs);
        await page.locator('[data-state=cancelled]', { hasText: 'Interrupted.' }).waitFor(spokenSoonMs);
        const cancelledAtMs = Date.now();
        await page.waitForTimeout(400); // the next answer does not start that early
        const lastSoundOfStoryMs = Number(await page.evaluate('window.lastLoudMs'));

        expect(lastSoundOfStoryMs).toBeGreaterThan(0);
        expect(lastSoundOfStoryMs - cancelledAtMs).toBeLessThan(300);
        await page.locator('.reply', { hasText: 'The capital of France is Paris.' }).waitFor(spokenSoonMs);
        await page.locator('[data-state=done]', { hasText: 'Paris' }).waitFor(spokenSoonMs);
      });
    });

    test('listens while the button is held', async () => {
      await speak(['joe-italy.wav'], { name: 'holder', looks: phone }, async (page) => {
        const button = page.getByRole('button', { name: 'Hold to talk' });
        await button.and(page.locator(':enabled')).hover();
        await page.mouse.down();
        await page.getByText('Let go when you are done').waitFor();
        await page.waitForTimeout(3_800);
        await page.mouse.up();

        await page.locator('.reply', { hasText: 'The capital of Italy is Rome.' }).waitFor(spokenSoonMs);
      });
    });

    test('answers a typed question', async () => {
      await see(async (page) => {
        await page.getByLabel('Type a question').fill('What is the capital of Germany?');
        await page.keyboard.press('Enter');

        await page.locator('.reply', { hasText: 'The capital of Germany is Berlin.' }).waitFor(spokenSoonMs);
      });
    });

    test('shows a timer as soon as it is set', async () => {
      await see(
        async (page) => {
          await page.getByLabel('Type a question').fill('Set an egg timer for 7 minutes');
          await page.keyboard.press('Enter');

          await page.getByRole('list', { name: 'Timers' }).getByText('egg').waitFor(spokenSoonMs);
          await page
            .getByText(/^6:\d\d$/)
            .first()
            .waitFor(spokenSoonMs);
        },
        { name: 'cook' },
      );
    });

    test('explains what to do if the microphone is blocked', async () => {
      await see(async (page) => {
        await page.context().clearPermissions();
        await page.evaluate(
          "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))",
        );
        await page.getByRole('button', { name: 'Hold to talk' }).press('Enter');

        await page.getByText('The microphone is not allowed for this page.').waitFor();
      });
    });
  });
}
