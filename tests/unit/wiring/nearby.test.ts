import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../api/src/config.ts';
import { isOpenedByPage, servicesOf } from '../../../api/src/wiring/nearby.ts';
import { phoneAddressOf } from '../../../api/src/wiring/phone-address.ts';

const configOf = (env: Record<string, string>) =>
  readConfig({ TZ: 'UTC', MACHINE_NAMES: 'box,192.168.1.5', ...env });
const found = (env: Record<string, string>) => servicesOf(configOf(env), 'box').list.map(({ type }) => type);
const wyoming = { WYOMING: '1', WYOMING_ADDRESS: '0.0.0.0', WYOMING_ALLOW: '192.168.1.20' };
const open = { SERVICE_TOKEN: 'Correct-Horse-Battery-Staple', HOST: '0.0.0.0' };

describe('the announcement on the home network', () => {
  test.each([
    ['nothing, where only the machine is let in', {}, []],
    ['nothing, where a port is published on loopback', { HOST: '0.0.0.0', LISTEN_ADDRESS: '127.0.0.1' }, []],
    ['Hearth, where others are let in', { HOST: '0.0.0.0' }, ['hearth']],
    ['Wyoming too, where it is open', { HOST: '0.0.0.0', ...wyoming }, ['hearth', 'wyoming']],
    ['Wyoming alone, where only that is', wyoming, ['wyoming']],
  ])('is %s', (_what, env: Record<string, string>, expected) => {
    expect(found(env)).toEqual(expected);
  });

  test('contains the https address', () => {
    const { list } = servicesOf(configOf({ HOST: '0.0.0.0', HTTPS: '1' }), 'box');

    expect(list.map(({ port, txt }) => [port, txt])).toEqual([[8765, { path: '/', https_port: '8443' }]]);
  });
});

test.each([
  ['the page', {}, true],
  ['the page, on IPv6', { HOST: '::1' }, true],
  ['HOST', { HOST: '0.0.0.0' }, false],
  ['the published port of a container', { HOST: '0.0.0.0', LISTEN_ADDRESS: '127.0.0.1' }, false],
])('%s decides on the access from the home network', (_what, env: Record<string, string>, expected) => {
  expect(isOpenedByPage(configOf(env))).toBe(expected);
});

describe('the address for a phone', () => {
  test.each([
    ['none without a token', { HOST: '0.0.0.0' }, null],
    ['none on loopback', { ...open, HOST: '127.0.0.1' }, null],
    ['none where the port is published on loopback', { ...open, LISTEN_ADDRESS: '127.0.0.1' }, null],
    ['by http, which leads on to https', { ...open, HTTPS: '1' }, 'http://192.168.1.5:8765'],
    [
      'that of a container, by what make has found',
      { ...open, LISTEN_ADDRESS: '0.0.0.0' },
      'http://192.168.1.5:8765',
    ],
    ['the one that it listens on', { ...open, HOST: '10.0.0.7' }, 'http://10.0.0.7:8765'],
    [
      'the name of a certificate of the owner',
      { ...open, HTTPS: '1', HTTPS_CERT: '/c', HTTPS_KEY: '/k', HTTPS_NAMES: 'hearth.example.com' },
      'https://hearth.example.com:8443',
    ],
  ])('is %s', (_what, env: Record<string, string>, expected) => {
    expect(phoneAddressOf(configOf(env))?.url ?? null).toBe(expected);
  });
});
