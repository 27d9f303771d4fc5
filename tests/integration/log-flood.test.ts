/** @module-tag slow */
import { expect, test } from 'vitest';
import { startApi } from '../support/servers/assistant.ts';
import { startRedis } from '../support/servers/own-redis.ts';

test('a flood of refusals does not displace other log lines', async () => {
  const redis = await startRedis();
  const api = await startApi({ redisUrl: redis.url, env: { SERVICE_TOKEN: 'Correct-Horse-Battery-Staple' } });

  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 40 }, (_, place) => api.call(`/v1/models?at=${round}-${place}`)));
  }
  await api.call('/nothing', { headers: { authorization: 'Bearer Correct-Horse-Battery-Staple' } });
  await api.stop();

  const lines = api.log.map((line) => JSON.parse(line)).filter(({ path, more }) => path ?? more);
  expect(lines.filter(({ path }) => path === '/v1/models')).toHaveLength(3);
  expect(lines.filter(({ path }) => path === '/nothing')).toHaveLength(1);
  expect(lines.find(({ more }) => more)).toMatchObject({
    level: 'info',
    from: '127.0.0.1',
    status: 401,
    more: 397,
    msg: '... and 397 more were refused',
  });
  await redis.stop();
});
