import { describe, expect, test } from 'vitest';
import { passwordsOf, sentinelOptions } from '../../api/src/redis/redis-address.ts';

describe('an address with sentinels', () => {
  test('names the sentinels, their Redis, and its database', () => {
    expect(sentinelOptions('redis+sentinel://one:26379,two.lan,[fd00::5]:26380/mymaster/2')).toMatchObject({
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two.lan', port: 26_379 },
        { host: 'fd00::5', port: 26_380 },
      ],
      name: 'mymaster',
      db: 2,
    });
  });

  test('has a password for Redis and one for the sentinels', () => {
    const address = 'redis+sentinel://:a%20b@one:26379/house?sentinel_password=c%2Fd';

    expect(sentinelOptions(address)).toMatchObject({ password: 'a b', sentinelPassword: 'c/d' });
    expect(passwordsOf(address)).toEqual(['a b', 'c/d']);
    expect(sentinelOptions('redis+sentinel://hearth:secret@one/house')).toMatchObject({
      username: 'hearth',
      password: 'secret',
    });
  });

  test('encrypts the connections to the sentinels and to their Redis, or neither', () => {
    const secure = { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true };

    expect(sentinelOptions('rediss+sentinel://one/house')).toMatchObject({ ...secure, name: 'house' });
    expect(sentinelOptions('redis+sentinel://one/house')).not.toHaveProperty('tls');
    expect(passwordsOf('rediss+sentinel://:secret@one/house')).toEqual(['secret', undefined]);
  });
});

test('the address of one Redis has no sentinels, and perhaps a password', () => {
  expect(sentinelOptions('redis://one:6379')).toBeNull();
  expect(passwordsOf('redis://:a%20b@redis:6379')).toEqual(['a b']);
  expect(passwordsOf('redis://redis:6379')).toEqual([undefined]);
});
