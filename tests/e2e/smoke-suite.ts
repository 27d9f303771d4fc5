import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { spokenRecording } from '../support/audio/spoken-clips.ts';
import { connectListen } from '../support/clients/listen-client.ts';
import { chromiumPath, openBrowser } from '../support/servers/browser.ts';
import {
  ask,
  call,
  type Household,
  hasHouseholdModel,
  householdModel,
  placeHouseholdModel,
  sizeForTiny,
  untilReady,
} from './household.ts';
import { hasSpokenClips } from './listen-suite.ts';
import { enterRoom, loudest } from './live-room.ts';
import { createVisits, spokenSoonMs } from './page-visits.ts';

const question = 'What is the capital of France?';
const spokenQuestion = 'joe-france.wav';
const room = 'smoke-room';

const voiceSchema = z.object({ heard: z.string(), reply: z.string(), audio: z.base64().nullable() });

/**
 * The main paths through the whole assistant, on its real engines of size tiny. Fast enough to run at every
 * change. The suite starts and removes the household.
 */
export function smokeSuite(create: () => Promise<Household>): void {
  let household: Household;
  let output: string;

  beforeAll(async () => {
    household = await create();
    if (hasHouseholdModel) await placeHouseholdModel(household);
    const model = hasHouseholdModel ? { LLM_MODEL: householdModel } : {};
    output = await household.start({ ...(await sizeForTiny()), ...model });
    await untilReady(household);
  });
  afterAll(async () => await household?.remove());

  test('prints its address', () => {
    expect(output).toContain(`http://localhost:${household.port}`);
  });

  test('answers a typed question', async () => {
    const { reply, via } = await ask(household, question);

    expect(reply).toContain('Paris');
    expect(via).toBe('local');
  });

  test('answers an OpenAI client', async () => {
    const openai = new OpenAI({
      baseURL: `http://127.0.0.1:${household.port}/v1`,
      apiKey: 'no-token-is-set',
      maxRetries: 0,
    });

    const stream = await openai.chat.completions.create({
      model: 'assistant',
      messages: [{ role: 'user', content: question }],
      stream: true,
    });
    let reply = '';
    for await (const { choices } of stream) reply += choices[0]?.delta.content ?? '';

    expect(reply).toContain('Paris');
  });

  describe.skipIf(!hasSpokenClips)('spoken to (needs ../shared/speech)', () => {
    test('answers a recording', async () => {
      const answer = await call(household, { path: '/voice', recording: spokenRecording(spokenQuestion) });

      expect(answer.status).toBe(200);
      const { heard, reply, audio } = voiceSchema.parse(answer.body);
      expect(heard).toContain('capital');
      expect(reply).toContain('Paris');
      expect(audio).not.toBeNull();
    });

    test('answers a question over /listen aloud', async () => {
      const satellite = await enterRoom(household, { client: 'smoke-satellite' });

      const exchange = await satellite.ask(spokenQuestion);
      await satellite.leave();

      expect(exchange.done).toMatchObject({ status: 'completed', via: 'local' });
      expect(exchange.done.reply).toContain('Paris');
      expect(loudest(exchange)).toBeGreaterThan(1_000);
    });
  });

  describe.skipIf(chromiumPath === undefined)('on the page (needs chromium)', () => {
    test('answers a typed question', async () => {
      const { browser, close } = await openBrowser();
      const visits = createVisits({
        address: () => `http://localhost:${household.port}`,
        browser: () => browser,
      });

      await visits.see(async (page) => {
        await page.getByLabel('Type a question').fill(question);
        await page.keyboard.press('Enter');
        await page.locator('.reply', { hasText: 'Paris' }).waitFor(spokenSoonMs);
      });
      await close();
    });
  });

  test('keeps timers, lists and conversations over a restart, and rings', async () => {
    await ask(household, 'My name is Anna.', 'smoke-memory');
    await ask(household, 'Add oat milk to the shopping list', 'smoke-cook');
    await call(household, { body: { text: 'Set a pasta timer for ten seconds', room } });

    await household.stop();
    await household.start();
    await untilReady(household);
    const satellite = await vi.waitFor(
      () => connectListen(`http://127.0.0.1:${household.port}`, { client: 'smoke-clock', room }),
      { timeout: 60_000, interval: 100 },
    );

    expect((await satellite.event('timer.finished', 0, 60_000)).event.timer.name).toBe('pasta');
    expect((await satellite.exchange(0, 60_000)).done.reply).toMatch(/pasta timer/);
    await call(household, { body: { text: 'Stop', room } });
    await satellite.event('timer.stopped');
    await satellite.close();
    expect((await ask(household, "What's on the shopping list?")).reply).toContain('oat milk');
    if (hasHouseholdModel) {
      expect((await ask(household, 'What is my name?', 'smoke-memory')).reply).toContain('Anna');
    }
  });
}
