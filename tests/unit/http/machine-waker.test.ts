import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createMachineWaker } from '../../../api/src/http/machine-waker.ts';
import { sendMagicPacket } from '../../../api/src/lending/magic-packet.ts';
import { broadcastsOf, wakeAddressOf } from '../../../api/src/lending/wake-address.ts';
import { createLog } from '../../../api/src/log.ts';
import type { DeviceToken } from '../../../api/src/tokens/device-token.ts';
import type { RanOn } from '../../../api/src/turn/turn.ts';

const mac = '3c:7c:3f:aa:bb:cc';
const desktop: DeviceToken = {
  ...{ name: 'desktop', hash: '', scope: 'lend', madeAt: 0, madeBy: null },
  ...{ lends: ['llm', 'stt'], isWoken: true, mac, wakeAddress: '192.168.1.255' },
};
const minuteMs = 60_000;

function openWaker(token: Partial<DeviceToken> = {}) {
  const sent: string[] = [];
  const state = { nowMs: 0, isHere: false, isFailing: false };
  const machine = { name: 'desktop', since: 0, sockets: {}, models: {}, hasLeft: false, isDraining: false };
  const lender = { ...desktop, ...token };
  const waker = createMachineWaker({
    tokens: { lenders: () => [lender] },
    machines: { alive: () => (state.isHere ? [machine] : []) },
    log: createLog({ level: 'silent', process: 'api' }),
    send: async ({ mac: card, address }) => {
      if (state.isFailing) throw new Error('ENETUNREACH');
      sent.push(`${card} ${address}`);
    },
    now: () => state.nowMs,
    broadcasts: () => ['192.168.1.255'],
  });
  return { waker, sent, state, lender };
}

const ran = (engine: RanOn['engine'], machine: string | null = null): RanOn => ({
  engine,
  machine,
  model: null,
});

describe('a machine that is to be woken', () => {
  test('is woken after an answer of the small machine, once in five minutes', () => {
    const { waker, sent, state } = openWaker();

    waker.noteTurn([ran('stt'), ran('llm')]);
    state.nowMs = 4.9 * minuteMs;
    waker.noteTurn([ran('llm')]);
    expect(sent).toEqual([`${mac} 192.168.1.255`]);

    state.nowMs = 5 * minuteMs;
    waker.noteTurn([ran('llm')]);
    expect(sent).toHaveLength(2);
  });

  test.each<[string, Partial<DeviceToken>, RanOn[]]>([
    ['waking is off', { isWoken: false }, [ran('llm')]],
    ['it drains', { isDraining: true }, [ran('llm')]],
    ['a skill answered a spoken request', {}, [ran('stt')]],
    ['a skill answered a typed request', {}, []],
    ['another machine answered', {}, [ran('llm', 'laptop')]],
    ['it lent only its ears, and the request was typed', { lends: ['stt'] }, [ran('llm')]],
    ['it has never lent anything', { lends: undefined }, [ran('llm')]],
  ])('sleeps on when %s', (_when, token, ranOn) => {
    const { waker, sent } = openWaker(token);

    waker.noteTurn(ranOn);

    expect(sent).toEqual([]);
  });

  test('gets no packet while it is connected', () => {
    const { waker, sent, state } = openWaker();
    state.isHere = true;
    waker.noteTurn([ran('llm')]);
    expect(sent).toEqual([]);

    state.isHere = false;
    waker.noteTurn([ran('llm')]);
    expect(sent).toHaveLength(1);
  });

  test('that lends only speech recognition is woken by speech', () => {
    const { waker, sent } = openWaker({ lends: ['stt'] });
    waker.noteTurn([ran('stt')]);
    expect(sent).toHaveLength(1);
  });
});

describe('a packet that cannot help', () => {
  const refused = (token: Partial<DeviceToken>) => {
    const { waker, lender } = openWaker(token);
    return waker.wake(lender);
  };

  test('is refused with the reason', async () => {
    await expect(refused({ mac: undefined })).rejects.toMatchObject({
      code: 'not_possible',
      message: expect.stringContaining('does not know the MAC address of "desktop"'),
    });
    await expect(refused({ wakeAddress: '172.17.255.255' })).rejects.toMatchObject({
      code: 'not_possible',
      message: expect.stringContaining('In a container'),
    });
    const { waker, lender, state } = openWaker();
    state.isFailing = true;
    await expect(waker.wake(lender)).rejects.toMatchObject({ code: 'not_possible' });
  });

  test('is sent if a person chose the address', async () => {
    const { waker, lender, sent } = openWaker({ wakeAddress: '10.0.0.7:4009', isAddressChosen: true });
    await waker.wake(lender);
    expect(sent).toEqual([`${mac} 10.0.0.7:4009`]);
  });
});

test('the packet is six times FF and 16 times the address of the card', async () => {
  const card = createSocket('udp4').bind(0, '127.0.0.1');
  await once(card, 'listening');
  const received = once(card, 'message');

  await sendMagicPacket({ mac, address: `127.0.0.1:${card.address().port}` });

  const [packet] = await received;
  expect(packet.toString('hex')).toBe('f'.repeat(12) + '3c7c3faabbcc'.repeat(16));
  card.close();
});

test('a packet to a broadcast address arrives at every listener', async () => {
  const card = createSocket('udp4').bind(0);
  await once(card, 'listening');
  const received = once(card, 'message');

  await sendMagicPacket({ mac, address: `127.255.255.255:${card.address().port}` });

  expect((await received)[0]).toHaveLength(102);
  card.close();
});

describe('the address of a network card', () => {
  const card = (address: string, netmask: string, ownMac: string): NetworkInterfaceInfo => ({
    ...{ address, netmask, mac: ownMac, family: 'IPv4', internal: false, cidr: null },
  });
  const interfaces = {
    lo: [card('127.0.0.1', '255.0.0.0', '00:00:00:00:00:00')],
    eth0: [card('192.168.1.7', '255.255.255.0', mac), card('10.1.130.7', '255.255.192.0', mac)],
  };

  test('has the broadcast address of its network', () => {
    expect(wakeAddressOf('192.168.1.7', interfaces)).toEqual({ mac, address: '192.168.1.255' });
    expect(wakeAddressOf('10.1.130.7', interfaces)).toEqual({ mac, address: '10.1.191.255' });
    expect(broadcastsOf(interfaces)).toEqual(['127.255.255.255', '192.168.1.255', '10.1.191.255']);
  });

  test('is missing for loopback and unknown addresses', () => {
    expect(wakeAddressOf('127.0.0.1', interfaces)).toBeNull();
    expect(wakeAddressOf('192.168.9.9', interfaces)).toBeNull();
    expect(wakeAddressOf('', interfaces)).toBeNull();
  });
});
