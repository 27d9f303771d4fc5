import { isIPv4 } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { addressTowards } from '../tls/machine-names.ts';
import type { WakeAddress } from './magic-packet.ts';

const noMac = '00:00:00:00:00:00';
/** Of all networks that a machine is in. */
export const everyNetwork = '255.255.255.255';

/**
 * How the household can wake this machine: by the card that leads to the household. Null: over IPv6, a tunnel
 * or loopback there is none. Sends nothing.
 */
export async function wakeAddressTo(host: string): Promise<WakeAddress | null> {
  const own = await addressTowards(host.replace(/^\[|\]$/g, '')).catch(() => null);
  return own === null ? null : wakeAddressOf(own, networkInterfaces());
}

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** The hardware and broadcast address of the card that has an address. */
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
