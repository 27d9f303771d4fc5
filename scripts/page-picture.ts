import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startFakeLlm } from '../tests/support/fakes/fake-llm.ts';
import { startFakePiper } from '../tests/support/fakes/fake-piper.ts';
import { startFakeStt } from '../tests/support/fakes/fake-stt.ts';
import { type Assistant, startAssistant } from '../tests/support/servers/assistant.ts';
import { openBrowser, visit } from '../tests/support/servers/browser.ts';
import { freePort } from '../tests/support/servers/free-port.ts';

// `npm run picture`: photographs the page for README, in a household made for it. Needs redis-server,
// chromium and the built page.
const file = join(import.meta.dirname, '../docs/pictures/page.png');
const looks = { viewport: { width: 1100, height: 760 }, colorScheme: 'light' } as const;
const room = 'kitchen';
const longMs = 120_000;

/** Asked by another device of the room, so that the page shows only what they set. */
const earlier = [
  'Remind me tomorrow at half past six in the evening to take out the bins.',
  'Wake me at seven on weekdays.',
  'Set a timer for ten minutes for the pasta.',
  'Add milk and bread to the shopping list.',
] as const;
const questions = [
  'How many grams are in two cups of flour?',
  'Add eggs and butter to the shopping list.',
  'What is on the shopping list?',
  'Add two minutes to the pasta timer.',
] as const;

async function startRedis(): Promise<{ url: string; server: ChildProcess }> {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: 'ignore',
  });
  await once(server, 'spawn');
  return { url: `redis://127.0.0.1:${port}`, server };
}

async function ask(page: Page, question: string): Promise<void> {
  const answered = page.locator('.exchange[data-state=done]');
  const before = await answered.count();
  await page.getByLabel('Type a question').fill(question);
  await page.getByLabel('Type a question').press('Enter');
  await answered.nth(before).waitFor({ timeout: longMs });
}

async function photograph(assistant: Assistant): Promise<void> {
  const { browser, close } = await openBrowser();
  try {
    const { page } = await visit(browser, { address: assistant.address, looks });
    await page.locator('.hold:enabled').waitFor({ timeout: longMs });
    for (const question of questions) await ask(page, question);
    await page.getByRole('button', { name: /^Undo/ }).waitFor();
    await page.locator(':focus').blur();
    await delay(500); // transitions
    await page.screenshot({ path: file });
  } finally {
    await close();
  }
}

const { url: redisUrl, server } = await startRedis();
const [llm, stt, tts] = await Promise.all([
  startFakeLlm(),
  startFakeStt({ installed: ['whisper'], hears: () => null }),
  startFakePiper(),
]);
const assistant = await startAssistant({
  ...{ redisUrl, llmUrl: llm.url, sttUrl: stt.url, ttsUrl: tts.url },
  env: { DEVICE_SOUND_PORT: String(await freePort()) },
});
try {
  for (const text of earlier) await assistant.ask(text, { client: 'shelf', room });
  await photograph(assistant);
} finally {
  await assistant.stop();
  for (const engine of [llm, stt, tts]) await engine.stop();
  server.kill();
}
// Some connections would keep the process alive for minutes.
process.exit(0);
