import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  openBrowser,
  type Spoken,
  type Visit,
  type VisitOptions,
  visit,
} from '../support/servers/browser.ts';
import { root } from './household.ts';

export const reports = join(root, '.test-reports/page');
export const views = ['talk', 'home', 'activity', 'settings'] as const;
export const headings = { talk: 'Talk', home: 'Home', activity: 'Activity', settings: 'Settings' };
export const spokenSoonMs = { timeout: 30_000, interval: 50 };

interface VisitsOptions {
  address: () => string;
  /** The browser without speech. */
  browser: () => Browser;
}

export type Visits = ReturnType<typeof createVisits>;

/** Visits to the page of a household; each must end without an error in it. */
export function createVisits({ address, browser }: VisitsOptions) {
  /** Visits the page; fails if it has an error at the end. */
  const see = async (
    look: (page: Page, visit: Visit) => Promise<void>,
    options: Partial<VisitOptions> = {},
  ) => {
    const visited = await visit(browser(), { address: address(), ...options });
    await look(visited.page, visited);
    const faults = await visited.faults();
    await visited.close();
    expect(faults).toEqual([]);
  };
  /** The same in a browser that hears speech. */
  const speak = async (
    spoken: Spoken,
    options: Partial<VisitOptions>,
    look: (page: Page) => Promise<void>,
  ) => {
    const own = await openBrowser(spoken);
    try {
      const visited = await visit(own.browser, { address: address(), ...options });
      await look(visited.page);
      expect(await visited.faults()).toEqual([]);
    } finally {
      await own.close();
    }
  };
  return { address, browser, see, speak };
}

/** The loudest sample that went to the sound card, of 1. */
export async function loudest(page: Page): Promise<number> {
  return Number(await page.evaluate('window.loudest'));
}
