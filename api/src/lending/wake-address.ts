import { isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import type { WakeAddress } from './magic-packet.ts';

const noMac = '00:00:00:00:00:00';
/** Of all networks that a machine is in. */
export const everyNetwork = '255.255.255.255';

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/**
 * How to wake this machine by the card that has an address. Null: loopback, tunnels and IPv6 have no such
 * card.
 */
export function wakeAddressOf(own: string, interfaces: Interfaces): WakeAddress | null {
  const card = ipv4Of(interfaces).find(({ address }) => address === own);
  if (card === undefined || card.mac === noMac) return null;
  return { mac: card.mac, address: broadcastOf(card) };
}

/** The broadcast addresses of the networks that this machine is in. */
export function broadcastsOf(interfaces: Interfaces): string[] {
  return ipv4Of(interfaces).map(broadcastOf);
}

function ipv4Of(interfaces: Interfaces): NetworkInterfaceInfo[] {
  return Object.values(interfaces).flatMap((infos = []) => infos.filter(({ address }) => isIPv4(address)));
}

function broadcastOf({ address, netmask }: NetworkInterfaceInfo): string {
  const mask = netmask.split('.').map(Number);
  return address
    .split('.')
    .map((part, at) => Number(part) | (~(mask[at] ?? 0) & 0xff))
    .join('.');
}
