import { describe, expect, test } from 'vitest';
import { defaultGateway, isOnLoopback, trustedGateway } from '../../../api/src/http/own-machine.ts';

const head = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT';

describe('the default gateway', () => {
  test('is read from the routing table', () => {
    const routes = `${head}
eth0\t000012AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
eth0\t00000000\t010012AC\t0003\t0\t0\t0\t00000000\t0\t0\t0
`;

    expect(defaultGateway(routes)).toBe('172.18.0.1');
  });

  test.each([
    ['no default route', `${head}\neth0\t000012AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n`],
    ['an empty table', ''],
    ['only a head', head],
    ['something else', 'eth0\t00000000\tnonsense\n\n\t\t\n'],
  ])('is unknown with %s', (_what, routes) => {
    expect(defaultGateway(routes)).toBeNull();
  });

  test.each([
    undefined,
    '0.0.0.0',
    '192.168.1.7',
    '::',
    '::2',
    'hearth.lan',
    '127.0.0.1.evil',
    '127.',
    'localhost.evil',
    '',
  ])('is not trusted when the port is published on %o', (listenAddress) => {
    expect(isOnLoopback(listenAddress)).toBe(false);
    expect(trustedGateway(listenAddress)).toBeNull();
  });

  test.each(['127.0.0.1', '127.8.9.10', '::1', '[::1]', 'localhost'])(
    'may be trusted when the port is published on %s',
    (listenAddress) => {
      expect(isOnLoopback(listenAddress)).toBe(true);
    },
  );
});
