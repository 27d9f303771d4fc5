import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../api/src/config.ts';
import { withChosenLanguage } from '../../api/src/wiring/chosen-language.ts';
import { spokenTags } from '../../api/src/wiring/installation.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let api: RunningApi;

beforeAll(async () => {
  redis = await startRedis();
  api = await startApi({ redisUrl: redis.url });
});
afterAll(async () => {
  await api?.stop();
  await redis?.stop();
});

/** The languages of a process that starts now. */
async function spokenAfterRestart(env: Record<string, string> = {}): Promise<string[]> {
  const config = readConfig({ REDIS_URL: redis.url, TZ: 'Europe/Berlin', ...env });
  return spokenTags(await withChosenLanguage(config, pino({ level: 'silent' })));
}
const choose = (language: string | null) =>
  api.call('/admin/pipeline', { method: 'PATCH', body: { language } });
const warnings = async () => (await api.health()).warnings.filter(({ name }) => name === 'language');

test('a language chosen in the settings is spoken after a restart, and Hearth says so until then', async () => {
  expect(await spokenAfterRestart()).toEqual(['en']);

  expect((await choose('de')).status).toBe(200);

  expect(await spokenAfterRestart()).toEqual(['de']);
  expect(await spokenAfterRestart({ HEARTH_LANGUAGE: 'fr,nl' })).toEqual(['de', 'nl']);
  await waitFor(async () => (await warnings()).length > 0);
  expect(await warnings()).toEqual([
    {
      name: 'language',
      message: 'Hearth speaks English. After a restart it speaks German.',
      advice: 'Restart it on the page: Settings, Language.',
    },
  ]);
  await choose(null);
  await waitFor(async () => (await warnings()).length === 0);
  expect(await spokenAfterRestart()).toEqual(['en']);
});
