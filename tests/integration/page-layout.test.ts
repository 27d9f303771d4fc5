/** @module-tag slow */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { says } from '../support/fakes/fake-llm.ts';
import { desk, phone, violations } from '../support/servers/browser.ts';
import {
  askInPage,
  canBeSeen,
  openPageHouse,
  type PageHouse,
  pictures,
} from '../support/servers/page-house.ts';

/**
 * A window zoomed to 200 % has half the pixels. A keyboard on a phone's screen takes about half of its
 * height.
 */
const sizes = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  'small-phone': { width: 320, height: 568 },
  'phone-on-its-side': { width: 844, height: 390 },
  'phone-with-keyboard': { width: 390, height: 430 },
  'zoomed-to-200': { width: 640, height: 400 },
  'zoomed-to-400': { width: 320, height: 256 },
} as const;
type Size = keyof typeof sizes;
const names: readonly Size[] = [
  ...(['desk', 'phone', 'small-phone', 'phone-on-its-side'] as const),
  ...(['phone-with-keyboard', 'zoomed-to-200', 'zoomed-to-400'] as const),
];

const longAnswer = 'Once upon a time there was a boat, and it went far out to sea in all weathers. '.repeat(
  12,
);

/** Those of these elements that are fully visible: a touch at any of their corners hits them. */
const touchable = `(selectors) => selectors.filter((selector) => {
  const one = [...document.querySelectorAll(selector)].at(-1);
  if (!one) return false;
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return [[left + 3, top + 3], [right - 3, top + 3], [left + 3, bottom - 3], [right - 3, bottom - 3]].every(([x, y]) => {
    const there = document.elementFromPoint(x, y);
    return there !== null && (one.contains(there) || there.contains(one)) && !there.contains(document.querySelector('main'));
  });
})`;

async function seen(page: Page, ...selectors: string[]): Promise<unknown> {
  return await page.evaluate(`(${touchable})(${JSON.stringify(selectors)})`);
}

/** How many pixels of the first step are hidden below the end of its scroller. */
const belowScroller = `Math.ceil(document.querySelector('.first-steps').getBoundingClientRect().bottom
  - document.querySelector('.talk-scroll').getBoundingClientRect().bottom)`;

/** How far the conversation scrolls, in px. */
const scrolls =
  "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.talk-scroll'))";

/** The exchanges of other tests would make the page scroll. */
async function forgetConversations({ household: { assistant } }: PageHouse): Promise<void> {
  const { body } = await assistant.call('/admin/conversations');
  const { conversations } = z.object({ conversations: z.array(z.object({ name: z.string() })) }).parse(body);
  for (const { name } of conversations)
    await assistant.call(`/admin/conversations/${encodeURIComponent(name)}`, { method: 'DELETE' });
}

/** How far the window itself can scroll, and the conversation sideways. */
async function overflow(page: Page): Promise<unknown> {
  const [root, talk] = ['document.documentElement', "document.querySelector('.talk-scroll')"];
  return await page.evaluate(
    `[${root}.scrollWidth - innerWidth, ${root}.scrollHeight - innerHeight, ${talk}.scrollWidth - ${talk}.clientWidth]`,
  );
}

/** Waits until the page has redrawn after a change of its size. */
async function resize(page: Page, size: Size): Promise<void> {
  await page.setViewportSize(sizes[size]);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

/** Shows a conversation of this many exchanges in windows of every size. */
async function lookAtAll(page: Page, count: number): Promise<void> {
  const wanted = count === 0 ? controls : [...newest, ...controls];
  for (const size of names) {
    await resize(page, size);
    expect(await seen(page, ...wanted), `${size}, ${count}`).toEqual(wanted);
    expect(await overflow(page), `${size}, ${count}`).toEqual([0, 0, 0]);
    if (count === 5) await page.screenshot({ path: join(pictures, `newest-${size}.png`) });
  }
}

const newest = ['.exchange .said', '.exchange .reply'];
const controls = ['.hold', '#question', '.typing button', '.choice'];

describe.skipIf(!canBeSeen)(
  'a conversation in the page (needs chromium, and the page built)',
  { timeout: 180_000 },
  () => {
    let house: PageHouse;
    beforeAll(async () => {
      house = await openPageHouse();
    });
    afterAll(async () => await house?.close());

    test('shows the newest question and answer above the controls at every size', async () => {
      await house.see(async (page) => {
        let asked = 0;
        for (const count of [0, 1, 3, 5, 20]) {
          for (; asked < count; asked += 1) await askInPage(page, `What is number ${asked + 1}?`);
          await lookAtAll(page, count);
        }
        await resize(page, 'zoomed-to-200');
        expect(await violations(page)).toEqual([]);
        expect(await page.locator('meta[name=viewport]').getAttribute('content')).toContain(
          'interactive-widget=resizes-content', // A keyboard on the screen makes the window lower, as here.
        );
      });
    });

    test('shows a long answer from the question on', async () => {
      house.household.llm.answers(() => longAnswer);
      await house.see(async (page) => {
        await resize(page, 'phone-on-its-side');
        for (let asked = 0; asked < 3; asked += 1) await askInPage(page, 'Tell me about the boat');

        expect(await seen(page, '.exchange .said')).toEqual(['.exchange .said']);
        await page.screenshot({ path: join(pictures, 'long-answer.png') });
        await page.getByRole('button', { name: 'Newest' }).waitFor({ state: 'hidden' });
      });
      house.household.forget();
    });

    test('keeps the reading position, and leads back to the newest turn', async () => {
      await house.see(async (page) => {
        for (let asked = 0; asked < 12; asked += 1) await askInPage(page, 'What is it?');
        const scrolled = async () =>
          Number(await page.evaluate("document.querySelector('.talk-scroll').scrollTop"));
        const button = page.getByRole('button', { name: 'Newest' });
        expect(await button.count()).toBe(0);
        const { promise: answer, resolve } = Promise.withResolvers<string>();
        house.household.llm.answers(() => async (wire, call) => await says(await answer)(wire, call));
        await page.getByLabel('Type a question').fill('Is it slow?');
        await page.keyboard.press('Enter');
        await page.locator('[data-state=thinking]').waitFor();
        await page.locator('.talk-scroll').hover();
        await page.mouse.wheel(0, -10_000);
        await expect.poll(scrolled).toBe(0);
        await button.waitFor();
        resolve('It was.');
        await page.getByText('It was.').first().waitFor({ state: 'attached' });

        expect(await scrolled()).toBe(0);
        await page.screenshot({ path: join(pictures, 'scrolled-up.png') });
        await button.click();
        await button.waitFor({ state: 'detached' });
        expect(await seen(page, ...newest)).toEqual(newest);
      });
      house.household.forget();
    });

    test('starts with five steps, which can be skipped, left and resumed', async () => {
      await house.see(
        async (page) => {
          const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
          const title = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
          await page.evaluate("localStorage.setItem('hearth-device', '{}')");
          await page.reload();
          await title('Names');
          await page.getByLabel('Name of this device').fill('hall tablet');
          await press('Next');
          await title('This room');
          await page.getByRole('textbox', { name: 'Room' }).fill('hall');
          await press('Next');
          for (const [step, button] of [
            ['Home Assistant', 'Skip'],
            ['Your phone', 'Next'],
            ['Privacy and backup', 'Back'],
          ] as const) {
            await title(step);
            await page.screenshot({ path: join(pictures, `first-${step.replaceAll(' ', '-')}.png`) });
            expect(await violations(page), step).toEqual([]);
            await press(button);
          }
          await title('Your phone');
          expect(new URL(page.url()).search).toBe('?step=4');
          await page.reload();
          await title('Your phone');
          await press('Later');
          await page.getByRole('button', { name: 'hall tablet, hall' }).waitFor();
          await page.reload();
          await page.locator('.hold:enabled').waitFor();

          expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0);
        },
        { looks: phone },
      );
    });

    test.each([
      ['phone', phone],
      ['low phone', { ...phone, viewport: { width: 390, height: 664 } }],
      ['desk', desk],
    ])('shows each first step whole at the %s, whatever timers run', async (_size, looks) => {
      await house.household.assistant.call('/admin/timers', {
        method: 'POST',
        body: { kind: 'timer', duration_seconds: 900, client: 'tablet', room: 'kitchen' },
      });
      await forgetConversations(house);
      await house.see(
        async (page) => {
          for (let step = 1; step <= 5; step += 1) {
            await page.goto(`${house.address}/?step=${step}#/talk`);
            await page.getByText(`Step ${step} of 5`).waitFor();
            await page.getByRole('link', { name: 'All is well' }).waitFor();
            const hidden = await page.evaluate(belowScroller);
            expect(hidden, `step ${step}`).toBeLessThanOrEqual(0);
            expect(await page.evaluate(scrolls), `step ${step}`).toBe(0);
          }
          expect(await seen(page, '.hold')).toEqual(['.hold']);
        },
        { looks },
      );
      await house.forgetTimers();
    });

    test('first asks for names, from the top', async () => {
      await house.see(async (page) => {
        await page.context().addInitScript("localStorage.setItem('hearth-device', '{}')");
        for (const size of names) {
          await page.setViewportSize(sizes[size]);
          await page.reload();
          await page.getByLabel('Name of this device').waitFor();
          // A small window gives the step the room of the controls.
          const wanted = size === 'desk' ? ['h1', ...controls] : ['h1'];
          expect(await seen(page, 'h1', ...controls), size).toEqual(wanted);
        }
      });
    });
  },
);
