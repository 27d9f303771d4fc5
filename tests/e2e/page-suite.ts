import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { z } from 'zod';
import { openBrowser } from '../support/servers/browser.ts';
import { ask, type Household, untilReady } from './household.ts';
import { pageLooksSuite } from './page-looks-suite.ts';
import { pageTalkSuite } from './page-talk-suite.ts';
import { pageTroubleSuite } from './page-trouble-suite.ts';
import { pageViewsSuite } from './page-views-suite.ts';
import { createVisits, reports } from './page-visits.ts';

const timersSchema = z.object({ timers: z.array(z.object({ id: z.string() })) });

/** The page in a browser. The household must use the model whose answers are known word for word. */
export function pageSuite(of: () => Household): void {
  let opened: Awaited<ReturnType<typeof openBrowser>>;
  const address = () => `http://localhost:${of().port}`;
  const visits = createVisits({ address, browser: () => opened.browser });

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

  pageTalkSuite(visits);
  pageViewsSuite(visits, of);
  pageTroubleSuite(visits, of);
  pageLooksSuite(visits);
}

/** Cancels all timers and resets the speed, so that tests do not affect each other. */
async function tidy(address: string): Promise<void> {
  const answer: unknown = await (await fetch(`${address}/admin/timers`)).json();
  const { timers } = timersSchema.parse(answer);
  for (const { id } of timers) await fetch(`${address}/admin/timers/${id}`, { method: 'DELETE' });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${address}/admin/pipeline`, { method: 'PATCH', headers, body: '{"speed":null}' });
}
