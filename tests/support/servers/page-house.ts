import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { projectFile } from '../../../api/src/wiring/installation.ts';
import { chromiumPath, openBrowser, type VisitOptions, visit } from './browser.ts';
import { freePort } from './free-port.ts';
import { openTimers } from './timer-household.ts';
import { startVoiceHousehold } from './voice-household.ts';

const root = join(projectFile('package.json'), '..');

/** Whether a browser exists and the page is built, so that tests can visit it. */
export const canBeSeen = chromiumPath !== undefined && existsSync(join(root, 'console/dist/index.html'));
export const pictures = join(root, '.test-reports/page');

export type PageHouse = Awaited<ReturnType<typeof openPageHouse>>;

/** The built page in a real browser, over engines that obey the test. */
export async function openPageHouse(env: Record<string, string> = {}) {
  mkdirSync(pictures, { recursive: true });
  const household = await startVoiceHousehold({
    env: { DEVICE_SOUND_PORT: String(await freePort()), ...env },
  });
  const { browser, close } = await openBrowser();
  const { address } = household.assistant;
  const timers = openTimers(household.urls.redisUrl);
  return {
    household,
    address,
    browser,
    timers,
    /** Removes all running and ringing timers. */
    async forgetTimers() {
      for (const { id } of await timers.store.all()) await timers.store.remove(id);
    },
    /** Visits the page; fails if it has an error at the end. */
    async see(look: (page: Page) => Promise<void>, options: Partial<VisitOptions> = {}) {
      const { page, faults, close: leave } = await visit(browser, { address, ...options });
      try {
        await look(page);
        expect(await faults()).toEqual([]);
      } finally {
        await leave();
      }
    },
    async close() {
      timers.close();
      await close();
      await household.stop();
    },
  };
}

/** Types a question and waits until it is answered. */
export async function askInPage(page: Page, question: string): Promise<void> {
  const answered = page.locator('.exchange[data-state=done]');
  const before = await answered.count();
  await page.getByLabel('Type a question').fill(question);
  await page.getByLabel('Type a question').press('Enter');
  await answered.nth(before).waitFor();
}
