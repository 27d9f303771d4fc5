import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startApi } from '../support/assistant.ts';
import { startRedis } from '../support/own-redis.ts';
import {
  desk,
  openBrowser,
  phone,
  type Spoken,
  type Visit,
  type VisitOptions,
  violations,
  visit,
} from './browser.ts';
import { ask, call, type Household, root, untilReady } from './household.ts';
import { hostilePage } from './page-hostile.ts';

const timersSchema = z.object({ timers: z.array(z.object({ id: z.string() })) });
const reports = join(root, '.test-reports/page');
const views = ['talk', 'turns', 'house', 'settings'] as const;
const headings = { talk: 'Talk', turns: 'Turns', house: 'House', settings: 'Settings' };
/** What stands there when a view has all that it shows. */
const settled = {
  talk: '.hold:enabled',
  turns: '[aria-labelledby=conversations] li',
  house: '.lines td',
  settings: '#setting-speed',
};
const spokenSoonMs = { timeout: 30_000, interval: 50 };

/** The page, as somebody sees it in a browser. The household must know the model whose answers are known word by word. */
export function pageSuite(of: () => Household): void {
  let opened: Awaited<ReturnType<typeof openBrowser>>;
  const address = () => `http://localhost:${of().port}`;

  beforeAll(async () => {
    mkdirSync(reports, { recursive: true });
    await untilReady(of());
    await tidy(address());
    await ask(of(), 'What is the capital of France?', 'seen');
    await ask(of(), 'Set a pasta timer for 20 minutes', 'seen');
    await ask(of(), 'Add oat milk to the shopping list', 'seen');
    opened = await openBrowser();
  });
  afterAll(async () => {
    await opened?.close();
    await tidy(address());
  });

  /** Looks at the page, and sees to it that nothing was wrong in it. */
  const see = async (
    look: (page: Page, visit: Visit) => Promise<void>,
    options: Partial<VisitOptions> = {},
  ) => {
    const visited = await visit(opened.browser, { address: address(), ...options });
    await look(visited.page, visited);
    const faults = await visited.faults();
    await visited.close();
    expect(faults).toEqual([]);
  };
  /** The same in a browser into which something is said. */
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

    test('is silent soon after somebody talks over it, and answers that', async () => {
      const spoken = ['joe-story.wav', 5_500, 'joe-france.wav'];
      await speak(spoken, { mode: 'free', name: 'interrupter' }, async (page) => {
        await page.locator('.reply', { hasText: 'Once upon a time' }).waitFor(spokenSoonMs);
        await page.locator('[data-state=cancelled]', { hasText: 'Interrupted.' }).waitFor(spokenSoonMs);
        const cancelledAtMs = Date.now();
        await page.waitForTimeout(400); // the next answer is not there so soon
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

    test('answers what is typed', async () => {
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

    test('says what to do when the microphone is not allowed', async () => {
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

  describe('the other views', () => {
    test('show how a turn went', async () => {
      await see(
        async (page) => {
          await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor();
          await page.locator('.turn-row').last().click();

          await page.getByRole('heading', { name: 'One turn' }).waitFor();
          await page.getByText(/All of it took/).waitFor();
        },
        { view: 'turns' },
      );
    });

    test('show timers, lists and conversations, and forget them', async () => {
      await ask(of(), 'What colour is snow?', 'to be forgotten');
      await see(
        async (page) => {
          await page.getByText('oat milk').first().waitFor();
          await page.getByText('pasta').first().waitFor();
          const conversation = page.getByRole('listitem').filter({ hasText: 'to be forgotten' });
          await conversation.getByRole('button', { name: 'to be forgotten', exact: true }).click();
          await conversation.getByText('Snow is white.').first().waitFor();
          await conversation.getByRole('button', { name: 'Forget' }).click();
          await conversation.getByRole('button', { name: 'Really forget?' }).click();

          await conversation.waitFor({ state: 'detached' });
        },
        { view: 'turns' },
      );
    });

    test('run the check and tell its outcome in words', async () => {
      await see(
        async (page) => {
          await page.getByRole('button', { name: 'Check everything' }).click();

          await page
            .getByRole('button', { name: 'Check everything' })
            .and(page.locator(':enabled'))
            .waitFor({ timeout: 60_000 });
          expect(await page.locator('.steps li').count()).toBeGreaterThan(3);
          expect(await page.locator('section[aria-labelledby=check] [role=status]').textContent()).not.toBe(
            '',
          );
        },
        { view: 'house' },
      );
    });

    test('show the log as it is written', async () => {
      const chatterbox = `chatterbox-${Date.now()}`;
      await see(
        async (page) => {
          await page.getByLabel('With the words').fill(chatterbox);
          await page.getByText('No lines.').waitFor();
          const other = await visit(opened.browser, { address: address(), name: chatterbox });

          await page.locator('.lines').getByText('a satellite has connected').first().waitFor(spokenSoonMs);
          await other.close();
        },
        { view: 'house' },
      );
    });

    test('change a setting, and take it back', async () => {
      await see(
        async (page) => {
          await page.getByLabel('Speed').fill('1.2');
          await page.getByRole('button', { name: 'Keep' }).click();
          await page.getByText('It counts from the next question on.').waitFor();
          expect(await settingOf(of(), 'speed')).toBe(1.2);
          await page.getByRole('button', { name: 'Hear it' }).click();
          await vi.waitFor(async () => expect(await loudest(page)).toBeGreaterThan(0.05), spokenSoonMs);

          await page.getByRole('button', { name: 'Back to the default of Speed' }).click();
          await vi.waitFor(async () => expect(await settingOf(of(), 'speed')).toBe(1), spokenSoonMs);
        },
        { view: 'settings' },
      );
    });

    test('say beside the field why a setting is refused', async () => {
      await see(
        async (page) => {
          await page.getByLabel('End silence').fill('9');
          await page.getByText('At least 200.').waitFor();
          await page.getByRole('button', { name: 'As it was' }).click();
          await page.getByLabel('MCP servers').fill('[{"name": "x"}]');
          await page.getByRole('button', { name: 'Keep' }).click();

          await page.getByText('Nothing was changed: one of the settings was refused.').waitFor();
          expect(await page.locator('#why-mcp_servers').textContent()).not.toBe('');
          expect(await settingOf(of(), 'mcp_servers')).toEqual([]);
        },
        { view: 'settings' },
      );
    });
  });

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

    test('asks for it, says when it is wrong, and keeps it on the device only', async () => {
      await see(
        async (page) => {
          const addresses: string[] = [];
          page.on('request', (request) => addresses.push(request.url()));
          page.on('websocket', (socket) => addresses.push(socket.url()));
          await page.locator('#token').fill('wrong');
          await page.getByRole('button', { name: 'Come in' }).click();
          await page.getByText('The token is wrong.').waitFor();
          await page.screenshot({ path: join(reports, 'token.png') });
          expect(await violations(page)).toEqual([]);
          await page.locator('#token').fill(token);
          await page.getByLabel('Remember it on this device').check();
          await page.getByRole('button', { name: 'Come in' }).click();

          await page.getByRole('heading', { name: 'Talk' }).waitFor();
          await page.locator('.hold:enabled').waitFor(spokenSoonMs);
          await page.reload();
          await page.locator('.hold:enabled').waitFor(spokenSoonMs);
          expect(addresses.length).toBeGreaterThan(3);
          expect(addresses.join()).not.toContain(token);
          expect(await page.context().cookies()).toEqual([]);
          await page.goto(`${api.address}/#/settings`);
          await page.getByRole('button', { name: 'Forget the token' }).click();
          await page.locator('#token').waitFor();
          expect(
            await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}])'),
          ).not.toContain(token);
        },
        { address: api.address },
      );
    });
  });

  describe('when something goes wrong', () => {
    test('says that an engine is down, and that it is back', async () => {
      await see(
        async (page) => {
          await page.getByText('All is well').waitFor(spokenSoonMs);
          await of().kill('stt');

          await page.getByText(/The speech recognition is (down|starting)/).waitFor(spokenSoonMs);
          await of().bringBack('stt');
          await page.getByText('All is well').waitFor({ timeout: 60_000 });
        },
        { view: 'house' },
      );
    });

    test('connects again by itself when the api has restarted', async () => {
      await see(async (page) => {
        await page.locator('.hold:enabled').waitFor(spokenSoonMs);
        await of().restartApi();

        await page
          .getByText(/Trying again/)
          .first()
          .waitFor(spokenSoonMs);
        await page.locator('.hold:enabled').waitFor({ timeout: 60_000 });
      });
      await untilReady(of());
    });

    test('leaves the place to a newer page of the same name, and takes it back on demand', async () => {
      await see(
        async (page) => {
          await page.locator('.hold:enabled').waitFor(spokenSoonMs);
          const newer = await visit(opened.browser, { address: address(), name: 'twin' });
          await page.getByText('was taken by another page').waitFor(spokenSoonMs);
          await newer.close();

          await page.getByRole('button', { name: 'Talk here' }).click();
          await page.locator('.hold:enabled').waitFor(spokenSoonMs);
        },
        { name: 'twin' },
      );
    });

    test('shows whatever was written as text', async () => {
      await see(async (page) => {
        await hostilePage(page, address());

        for (const view of views) {
          await page.goto(`${address()}/#/${view}`);
          await page.reload();
          await page.getByRole('heading', { name: headings[view], exact: true }).waitFor();
          await page.waitForTimeout(300);
          expect(await page.evaluate('window.hit'), view).toBeUndefined();
          expect(
            await page.locator('main :is(img, script, iframe, b, a[href^="javascript"])').count(),
            view,
          ).toBe(0);
        }
        expect(await page.locator('main').textContent()).not.toBe('');
      });
    });
  });

  describe('looks', () => {
    const looks = {
      light: desk,
      dark: { ...desk, colorScheme: 'dark' },
      phone,
      night: { ...phone, colorScheme: 'dark' },
    } as const;

    test.each(views)(
      '%s has nothing that axe would object to, by day and by night, large and small',
      async (view) => {
        for (const [name, look] of Object.entries(looks)) {
          await see(
            async (page) => {
              await page.getByRole('heading', { name: headings[view], exact: true }).waitFor();
              if (view === 'talk') await converse(page);
              await page.locator(settled[view]).first().waitFor(spokenSoonMs);
              await page.screenshot({
                path: join(reports, `${view}-${name}.png`),
                fullPage: view !== 'talk',
              });
              // The colours of the night are those of the dark.
              if (name !== 'night') expect(await violations(page), name).toEqual([]);
              expect(
                await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
                name,
              ).toBeLessThanOrEqual(0);
            },
            { view, looks: look, name: `looks-${name}` },
          );
        }
      },
    );

    test('is small, and there within a second', async () => {
      const bytes: number[] = [];
      const times: number[] = [];
      for (let visits = 0; visits < 3; visits += 1) {
        await see(async (page) => {
          const script = await page.evaluate(
            "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)",
          );
          await page.locator('.hold:enabled').waitFor(spokenSoonMs);
          bytes.push(Number(script));
          times.push(
            Number(await page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")),
          );
        });
      }

      expect(Math.max(...bytes)).toBeGreaterThan(10_000);
      expect(Math.max(...bytes)).toBeLessThan(150_000);
      expect(Math.min(...times)).toBeLessThan(1_000);
    });
  });
}

/** No timer of ours rings in other tests, and what they set does not meet ours. */
async function tidy(address: string): Promise<void> {
  const answer: unknown = await (await fetch(`${address}/admin/timers`)).json();
  const { timers } = timersSchema.parse(answer);
  for (const { id } of timers) await fetch(`${address}/admin/timers/${id}`, { method: 'DELETE' });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${address}/admin/pipeline`, { method: 'PATCH', headers, body: '{"speed":null}' });
}

/** Some words to look at. */
async function converse(page: Page): Promise<void> {
  for (const question of ['What is the capital of France?', 'What time is it?']) {
    await page.getByLabel('Type a question').fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.reply:not(.dots)').last().waitFor(spokenSoonMs);
  }
  await page.locator('[data-state=thinking]').waitFor({ state: 'detached' });
}

/** The loudest sample that went to the sound card, of 1. */
async function loudest(page: Page): Promise<number> {
  return Number(await page.evaluate('window.loudest'));
}

async function settingOf(household: Household, key: string): Promise<unknown> {
  const { body } = await call(household, { path: '/admin/pipeline' });
  const values: unknown = typeof body === 'object' && body !== null && 'values' in body ? body.values : {};
  return Object.entries(values ?? {}).find(([name]) => name === key)?.[1];
}
