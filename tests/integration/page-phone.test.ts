/** @module-tag slow */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { homeAddresses } from '../../api/src/tls/machine-names.ts';
import { startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type RunningApi, startApi, startAssistant } from '../support/servers/assistant.ts';
import { misplaced, openBrowser, phone, violations } from '../support/servers/browser.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type Machine, startMachine } from '../support/servers/lending-machine.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { canBeSeen, pictures } from '../support/servers/page-house.ts';

const homeAddress = homeAddresses()[0] ?? '';
const codeSchema = z.object({ code: z.string() });
const tokenSchema = z.object({ token: z.string() });
const atDesk = { viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false };
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
    return codeSchema.parse(body).code;
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
      await page.getByRole('button', { name: /^Anna/ }).waitFor();
      expect(await page.getByText('Step 1 of').count()).toBe(0);

      await page.goto(link);
      await page.getByRole('heading', { name: 'This device was not paired' }).waitFor();
      await picture(page, 'used-link');
    });
  });

  test.runIf(homeAddress)(
    'is let in by one press on the page of this machine, and shut out again',
    async () => {
      const port = await freePort();
      const own = await startApi({
        redisUrl: redis.url,
        env: { HTTPS_DIR: folder, HTTPS_PORT: String(port), MACHINE_NAMES: homeAddress },
      });
      try {
        await visited(atDesk, async (page) => {
          await page.goto(`${own.address}/#/settings`);
          const card = page.locator('section[aria-labelledby=pair-phone]');
          await card.getByText('Only the computer that runs Hearth').waitFor();
          const drawing = '**/assets/dist-*.js';
          await page.route(drawing, (route) => route.abort());
          await card.getByRole('button', { name: 'Open, and show a code for its camera' }).click();
          await card.getByText('The QR code could not be loaded.').waitFor();
          await page.unroute(drawing);
          await card.getByRole('button', { name: 'Try again' }).click();
          await card.getByRole('img', { name: 'A QR code' }).waitFor();
          const link = await card.locator('.note .mono').innerText();
          await picture(page, 'switch-open');
          expect(await violations(page)).toEqual([]);

          await visited({ ignoreHTTPSErrors: true }, async (device) => {
            await device.goto(link);
            await device.getByLabel('Type a question').waitFor();
            expect(new URL(device.url()).origin).toBe(`https://${homeAddress}:${port}`);
          });
          const { body } = await own.call('/admin/pairings', { body: { scope: 'administer', name: 'Ben' } });
          const paired = await own.call('/pair', { body: { ...codeSchema.parse(body), name: 'Ben' } });
          const { token } = tokenSchema.parse(paired.body);
          await fetch(`http://${homeAddress}:${own.port}/admin/network`, {
            method: 'PATCH',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: '{"is_open":false}',
          });
          await card.getByText('Hearth opens again at').waitFor();
          await picture(page, 'switch-reverts');
          expect(await violations(page)).toEqual([]);
          await card.getByRole('button', { name: 'Keep it closed' }).click();
          await card.getByText('Hearth opens again at').waitFor({ state: 'detached' });

          const toggle = card.getByRole('checkbox', { name: 'Open to my home network' });
          await toggle.check();
          await card.getByText(`at https://${homeAddress}:${port}`).waitFor();
          await toggle.uncheck();
          await card.getByText('Only the computer that runs Hearth').waitFor();
          await fetch(link).then(
            () => expect.fail('the phone still reaches Hearth'),
            () => undefined,
          );
        });
      } finally {
        await own.stop();
      }
    },
  );

  test.runIf(homeAddress)('invites a machine that lends its engines, and removes it', async () => {
    const llm = await startFakeLlm();
    const own = await startAssistant({
      ...{ redisUrl: redis.url, llmUrl: llm.url, sttUrl: 'off', ttsUrl: 'off' },
      env: {
        ...{ HTTPS_DIR: folder, HTTPS_PORT: String(await freePort()), LENT_DIR: folder },
        ...{ MACHINE_NAMES: homeAddress, HEARTH_LANGUAGE: 'en,de' },
      },
    });
    let machine: Machine | undefined;
    try {
      await visited(atDesk, async (page) => {
        await page.goto(`${own.address}/#/settings/advanced`);
        const card = page.getByRole('region', { name: 'Second machine' });
        await card.getByLabel('Name of the machine').fill('desktop');
        await card.getByRole('button', { name: 'Open to my home network, and show the command' }).click();
        const command = await card.getByLabel('Command').inputValue();
        await card.screenshot({ path: join(pictures, 'invited.png') });
        machine = await startMachine(command.replace('make join CODE=', ''));

        await card.getByText(/Language model: .*ready/).waitFor();
        await card.screenshot({ path: join(pictures, 'joined.png') });
        expect(await violations(page)).toEqual([]);
        expect(await misplaced(page)).toEqual([]);
        await card.getByRole('button', { name: 'Send nothing new desktop' }).click();
        await card.getByText('It gets no new questions until you change that.').waitFor();
        await card.getByRole('button', { name: 'Use it again desktop' }).click();
        await card.getByText(/Language model: .*ready/).waitFor();

        const asleep = createSocket('udp4').bind(0, '127.0.0.1');
        await once(asleep, 'listening');
        const packet = once(asleep, 'message');
        await card.getByText('Wake-on-LAN').click();
        await card.getByLabel('MAC address').fill('3c:7c:3f:aa:bb:cc');
        await card.getByLabel('Broadcast address').fill(`127.0.0.1:${asleep.address().port}`);
        await card.getByRole('button', { name: 'Save' }).click();
        await card.getByLabel('Wake it when it is needed').check();
        await expect.poll(() => card.getByLabel('Wake it when it is needed').isChecked()).toBe(true);
        machine.lender.kill('SIGKILL');
        await card.getByRole('button', { name: 'Wake desktop' }).click();
        await card.getByText('The packet has been sent.').waitFor();
        expect((await packet)[0]).toHaveLength(102);
        asleep.close();
        await card.screenshot({ path: join(pictures, 'woken.png') });
        expect(await violations(page)).toEqual([]);
        expect(await misplaced(page)).toEqual([]);
        const again = machine.lend();
        await card.getByText(/Language model: .*ready/).waitFor();

        await card.getByRole('button', { name: 'Remove desktop' }).click();
        await card.getByRole('button', { name: 'Remove it?' }).click();
        await card.getByRole('button', { name: 'Remove desktop' }).waitFor({ state: 'detached' });
        await expect.poll(again.output).toContain('removed');
      });
    } finally {
      await machine?.stop();
      await own.stop();
      await llm.stop();
    }
  });

  test.each([
    ['With Docker', { LISTEN_ADDRESS: '127.0.0.1' }],
    ['HOST in .env is set', {}],
  ])('is told who opens Hearth, where the page cannot: %s', async (words, env) => {
    const own = await startApi({ redisUrl: redis.url, env: { HOST: '0.0.0.0', ...env } });
    try {
      await visited(atDesk, async (page) => {
        await page.goto(`${own.address}/?step=4#/talk`);
        await page.getByText(words).waitFor();
        expect(await page.getByRole('checkbox').count()).toBe(0);
        expect(await page.getByText('for its camera').count()).toBe(0);
        await picture(page, words.slice(0, 6).trim());
      });
    } finally {
      await own.stop();
    }
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
      await page.getByText('Is this device in your home network?').waitFor();
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
