import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAiClientsSuite } from '../support/clients/openai-clients-suite.ts';
import { chromiumPath } from '../support/servers/browser.ts';
import { canWatchCalls } from '../support/servers/way-out.ts';
import { checkSuite, failedCheckSuite } from './check-suite.ts';
import { ask, hasHouseholdModel, health, sizeForTiny, untilReady } from './household.ts';
import { householdSuite } from './household-suite.ts';
import { hasSpokenClips, roomSuite } from './listen-suite.ts';
import { pageSuite } from './page-suite.ts';
import { endLimitMs, type RunningHousehold, runningHousehold } from './running-household.ts';
import { dyingTimersSuite, timersSuite } from './timers-suite.ts';
import { enginesSuite } from './voice-suite.ts';
import { wayOutSuite } from './way-out-suite.ts';

describe('without Docker', () => {
  let household: RunningHousehold;
  let said: string;

  beforeAll(async () => {
    household = await runningHousehold();
    said = await household.start(await sizeForTiny());
  });
  afterAll(async () => await household?.remove());

  describe('with defaults', () => {
    test('prints its address', () => {
      expect(said).toContain(`http://localhost:${household.port}`);
    });

    test('answers with the language model of size tiny', async () => {
      await untilReady(household);

      const { reply, via } = await ask(household, 'What is the capital of France?');

      expect(reply).toContain('Paris');
      expect(via).toBe('local');
      expect((await health(household)).configured.models).toBe('tiny');
    });

    test('keeps every program running', async () => {
      const states = (await household.supervisor('status'))
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/).slice(0, 2));

      expect(Object.fromEntries(states)).toEqual({
        redis: 'RUNNING',
        fetcher: 'RUNNING',
        'engines:llm': 'RUNNING',
        'engines:stt': 'RUNNING',
        'engines:tts': 'RUNNING',
        'hearth:announcer': 'RUNNING',
        'hearth:api': 'RUNNING',
        'hearth:worker': 'RUNNING',
      });
    });
  });

  test('leaves no path of its folder in its output', async () => {
    const npm = await readFile(join(household.folder, '.venv/bin/npm'), 'utf8');

    expect(npm).not.toContain(household.folder);
  });

  test('refuses to run twice on the same data', async () => {
    const { code, said } = await household.startAnother({});

    expect(code).not.toBe(0);
    expect(said).toContain(`Hearth is already running with the data in ${household.folder}/data`);
  });

  test('reports that its port is taken', async () => {
    const other = createServer();
    const port = await new Promise<number>((done) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        done(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });

    const { code, said } = await household.startAnother({ PORT: String(port), DATA_DIR: 'other-data' });

    other.close();
    expect(code).not.toBe(0);
    expect(said).toContain(`Port ${port} is taken by another program`);
  });

  describe.skipIf(!hasHouseholdModel)("with the owner's own model file (needs ../shared/models)", () => {
    householdSuite(() => household);
    checkSuite(() => household);
    timersSuite(() => household);

    // Tests that are the same in containers run on one side only: these here, and those in a room there.
    failedCheckSuite(() => household);
    dyingTimersSuite(() => household);
    describe('with third-party clients', () => {
      openAiClientsSuite(() => ({
        baseUrl: `http://127.0.0.1:${household.port}/v1`,
        apiKey: 'no-token-is-set',
      }));
    });
    describe('with long spoken input', () => enginesSuite(() => household));
    describe.skipIf(!hasSpokenClips)('live (needs ../shared/speech)', () => roomSuite(() => household));

    describe.skipIf(!hasSpokenClips || chromiumPath === undefined)('in a browser (needs chromium)', () => {
      pageSuite(() => household);
    });
  });

  describe.skipIf(!canWatchCalls)(
    'with a watch on its connections (needs a kernel that allows watching calls)',
    () => {
      wayOutSuite(() => household);
    },
  );

  test('ends on Ctrl-C and leaves no process behind', async () => {
    const askedAt = performance.now();
    await household.stop();

    expect(performance.now() - askedAt).toBeLessThan(endLimitMs);
    expect(await household.processes()).toEqual([]);
  });
});
