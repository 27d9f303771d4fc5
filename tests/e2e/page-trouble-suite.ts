import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApi } from '../support/servers/assistant.ts';
import { violations, visit } from '../support/servers/browser.ts';
import { startRedis } from '../support/servers/own-redis.ts';
import { type Household, untilReady } from './household.ts';
import { reports, spokenSoonMs, type Visits } from './page-visits.ts';

/** The household of these tests may have the smallest models. */
const well = /All is well|It works, with the smallest models/;

/** Strangers and faults. */
export function pageTroubleSuite({ address, browser, see }: Visits, of: () => Household): void {
  describe('with a token', () => {
    const token = 'Correct-Horse-Battery-Staple';
    let redis: Awaited<ReturnType<typeof startRedis>>;
    let api: Awaited<ReturnType<typeof startApi>>;
    beforeAll(async () => {
      redis = await startRedis();
      api = await startApi({ redisUrl: redis.url, env: { SERVICE_TOKEN: token } });
    });
    afterAll(async () => {
      await api?.stop();
      await redis?.stop();
    });

    test('asks for it, reports a wrong one, and stores it only on the device', async () => {
      await see(
        async (page) => {
          const addresses: string[] = [];
          page.on('request', (request) => addresses.push(request.url()));
          page.on('websocket', (socket) => addresses.push(socket.url()));
          await page.locator('#token').fill('wrong');
          await page.getByRole('button', { name: 'Sign in' }).click();
          await page.getByText('The access key is wrong.').waitFor();
          await page.screenshot({ path: join(reports, 'token.png') });
          expect(await violations(page)).toEqual([]);
          await page.locator('#token').fill(token);
          await page.getByLabel('Remember it on this device').check();
          await page.getByRole('button', { name: 'Sign in' }).click();

          await page.getByRole('heading', { name: 'Talk' }).waitFor();
          await page.locator('.hold:enabled').waitFor(spokenSoonMs);
          await page.reload();
          await page.locator('.hold:enabled').waitFor(spokenSoonMs);
          expect(addresses.length).toBeGreaterThan(3);
          expect(addresses.join()).not.toContain(token);
          expect(await page.context().cookies()).toEqual([]);
          await page.goto(`${api.address}/#/settings`);
          await page.getByRole('button', { name: 'Forget the access key' }).click();
          await page.locator('#token').waitFor();
          expect(
            await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}])'),
          ).not.toContain(token);
        },
        { address: api.address },
      );
    });
  });

  describe('with faults', () => {
    test('reports that an engine is down, and that it is back', async () => {
      await see(
        async (page) => {
          await page.getByText(well).waitFor(spokenSoonMs);
          await vi.waitFor(
            async () => {
              await untilReady(of()); // A program that is down cannot be killed.
              await of().kill('stt');
              await page.getByText(/The speech recognition is (down|starting)/).waitFor({ timeout: 6_000 });
            },
            { timeout: 60_000, interval: 10 },
          );
          await of().bringBack('stt');
          await page.getByText(well).waitFor({ timeout: 60_000 });
        },
        { view: 'settings/health' },
      );
    });

    test('reconnects when the api has restarted', async () => {
      await see(async (page) => {
        await page.locator('.hold:enabled').waitFor(spokenSoonMs);
        // The wait begins beforehand, because the text is visible only briefly.
        const isTold = page
          .getByText(/Trying again/)
          .first()
          .waitFor(spokenSoonMs);

        await Promise.all([isTold, of().restartApi()]);
        await page.locator('.hold:enabled').waitFor({ timeout: 60_000 });
      });
      await untilReady(of());
    });

    test('yields to a newer page of the same name, and takes over again on request', async () => {
      await see(
        async (page) => {
          await page.locator('.hold:enabled').waitFor(spokenSoonMs);
          const newer = await visit(browser(), { address: address(), name: 'twin' });
          await page.getByText('Another page with the same name has taken over').waitFor(spokenSoonMs);
          await newer.close();

          await page.getByRole('button', { name: 'Talk here' }).click();
          await page.locator('.hold:enabled').waitFor(spokenSoonMs);
        },
        { name: 'twin' },
      );
    });
  });
}
