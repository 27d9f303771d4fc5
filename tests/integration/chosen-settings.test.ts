import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../api/src/config.ts';
import { withChosenSettings } from '../../api/src/wiring/chosen-settings.ts';
import { spokenTags } from '../../api/src/wiring/installation.ts';
import { errorOf } from '../support/clients/caller.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let api: RunningApi;

beforeAll(async () => {
  redis = await startRedis();
  api = await startApi({ redisUrl: redis.url, env: { TZ: '' } });
});
afterAll(async () => {
  await api?.stop();
  await redis?.stop();
});

/** The configuration of a process that starts now. */
const afterRestart = (env: Record<string, string> = {}) =>
  withChosenSettings(readConfig({ REDIS_URL: redis.url, ...env }), pino({ level: 'silent' }));
const spokenAfterRestart = async (env: Record<string, string> = {}) => spokenTags(await afterRestart(env));
const patch = (body: unknown, at = api) => at.call('/admin/pipeline', { method: 'PATCH', body });
const choose = (language: string | null) => patch({ language });
const warningsOf = async (wanted: string) =>
  (await api.health()).warnings.filter(({ name }) => name === wanted);
const warnings = () => warningsOf('language');
const zoneAfterRestart = async (env: Record<string, string> = {}) => (await afterRestart(env)).timeZone;
const read = async (at = api) =>
  z
    .object({ values: z.looseObject({ time_zone: z.string() }), sources: z.record(z.string(), z.string()) })
    .parse((await at.call('/admin/pipeline')).body);

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

test('a time zone chosen in the settings applies after a restart, and Hearth says so until then', async () => {
  const own = await zoneAfterRestart();
  const chosen = own === 'Asia/Tokyo' ? 'Europe/Berlin' : 'Asia/Tokyo';
  expect((await read()).values.time_zone).toBe(own);

  expect((await patch({ time_zone: chosen })).status).toBe(200);

  expect(await zoneAfterRestart()).toBe(chosen);
  await waitFor(async () => (await warningsOf('time_zone')).length > 0);
  expect(await warningsOf('time_zone')).toEqual([
    {
      name: 'time_zone',
      message: `Hearth uses the time of ${own}. After a restart it uses that of ${chosen}.`,
      advice: 'Restart it on the page: Settings, Time and quiet hours.',
    },
  ]);
  await patch({ time_zone: null });
  await waitFor(async () => (await warningsOf('time_zone')).length === 0);
  expect(await zoneAfterRestart()).toBe(own);
});

test('TZ takes precedence over a chosen time zone, which can then not be changed', async () => {
  const fixed = await startApi({ redisUrl: redis.url, env: { TZ: 'Europe/Berlin' } });
  await patch({ time_zone: 'Asia/Tokyo' });

  const refused = await patch({ time_zone: 'Asia/Seoul' }, fixed);
  const { values, sources } = await read(fixed);
  await fixed.stop();
  await patch({ time_zone: null });

  expect(await zoneAfterRestart({ TZ: 'Europe/Berlin' })).toBe('Europe/Berlin');
  expect([values.time_zone, sources['time_zone']]).toEqual(['Europe/Berlin', 'fixed']);
  expect(errorOf(refused)).toEqual({ status: 400, code: 'invalid_request' });
  expect(refused.text).toContain('TZ in the environment of Hearth sets the time zone.');
});

test.each(['Europe/Narnia', 'Berlin', '+01:00', ''])('is refused as a time zone: "%s"', async (zone) => {
  const refused = await patch({ time_zone: zone });

  expect(errorOf(refused)).toEqual({ status: 400, code: 'invalid_request' });
  expect(refused.text).toContain('"param":"time_zone"');
});
