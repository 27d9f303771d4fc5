/** @module-tag slow */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { openBrowser, phone, violations } from '../support/servers/browser.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { canBeSeen, pictures } from '../support/servers/page-house.ts';

const owner = 'Correct-Horse-Battery-Staple';
const authorization = `Bearer ${owner}`;

describe.runIf(canBeSeen)('a phone', () => {
  let redis: OwnRedis;
  let api: RunningApi;
  let browser: Browser;
  let closeBrowser: () => Promise<void>;
  let folder: string;
  let httpsPort: number;

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    redis = await startRedis();
    folder = mkdtempSync(join(tmpdir(), 'hearth-phone-'));
    httpsPort = await freePort();
    ({ browser, close: closeBrowser } = await openBrowser());
    api = await start();
  });
  afterAll(async () => {
    await closeBrowser?.();
    await api?.stop();
    await redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = () =>
    startApi({
      redisUrl: redis.url,
      env: {
        SERVICE_TOKEN: owner,
        HOST: '0.0.0.0',
        HTTPS: '1',
        HTTPS_DIR: folder,
        HTTPS_PORT: String(httpsPort),
      },
    });

  async function code(name: string): Promise<string> {
    const { body } = await api.call('/admin/pairings', {
      body: { scope: 'talk', name },
      headers: { authorization },
    });
    return z.object({ code: z.string() }).parse(body).code;
  }

  async function visited(looks: BrowserContextOptions, look: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ ...phone, ...looks, permissions: ['microphone'] });
    try {
      await look(await context.newPage());
    } finally {
      await context.close();
    }
  }

  const picture = (page: Page, name: string) =>
    page.screenshot({ path: join(pictures, `phone-${name}.png`), fullPage: true });

  test('without our certificate is shown how to trust it, for every system', async () => {
    await visited({}, async (page) => {
      await page.goto(`${api.address}/phone#${await code('Anna')}`);
      await page.getByRole('heading', { name: 'Let this device trust your home' }).waitFor();

      for (const system of ['Android', 'iPhone or iPad', 'Windows', 'macOS', 'Linux', 'Firefox']) {
        await page.getByLabel('This device').selectOption(system);
        expect(await page.locator('.steps .screen').count()).toBeGreaterThan(1);
        await picture(page, system.toLowerCase().replaceAll(' ', '-'));
      }
      const going = page.getByRole('link', { name: 'Continue without the certificate' });
      expect(await going.getAttribute('href')).toMatch(`https://127.0.0.1:${httpsPort}/phone#`);
      const file = await page.request.get(`${api.address}/hearth-ca.crt`);
      expect(await file.text()).toMatch(/^-----BEGIN CERTIFICATE-----/);
      expect(await violations(page)).toEqual([]);
    });
  });

  test('that trusts the household is paired at once, and can talk', async () => {
    await visited({ ignoreHTTPSErrors: true }, async (page) => {
      const link = `${api.address}/phone#${await code('Anna')}`;
      await page.goto(link);
      await page.getByLabel('Type a question').waitFor();

      expect(new URL(page.url()).origin).toBe(`https://127.0.0.1:${httpsPort}`);
      expect(await page.evaluate('isSecureContext && navigator.mediaDevices !== undefined')).toBe(true);
      expect(await page.evaluate('localStorage.getItem("hearth-token").length')).toBe(50);
      await picture(page, 'paired');

      await page.goto(link);
      await page.getByRole('heading', { name: 'This device was not paired' }).waitFor();
      await picture(page, 'used-link');
    });
  });

  test('shows the problem while Hearth is unreachable, and continues without help', async () => {
    await visited({}, async (page) => {
      // By http, as on the machine itself: a browser that only tolerates a certificate keeps nothing for
      // offline.
      await page.goto(`${api.address}/`);
      await page.evaluate('navigator.serviceWorker.ready');
      await api.stop();

      await page.reload();
      await page.getByRole('heading', { name: 'Hearth cannot be reached' }).waitFor();
      await page.getByText('Is this device in your network at home?').waitFor();
      await picture(page, 'offline');
      expect(await violations(page)).toEqual([]);

      const back = createServer((_request, answer) => answer.end('It is back.')).listen(
        api.port,
        '127.0.0.1',
      );
      await page.getByText('It is back.').waitFor();
      back.close();
    });
  });
});
