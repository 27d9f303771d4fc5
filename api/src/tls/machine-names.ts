import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

/** Interfaces of containers and virtual machines, which other devices at home cannot reach. */
const inside = /^(?:docker|br-|veth|virbr|lxc|lxdbr|podman|cni|flannel|cali|vmnet|vboxnet)/;

/** The host name announced on the network. */
export const announcedName = 'hearth.local';

/** The interfaces through which home devices reach this machine. */
export function homeInterfaces(interfaces = networkInterfaces()): string[] {
  return Object.entries(interfaces)
    .filter(([name, addresses = []]) => !inside.test(name) && addresses.some(({ internal }) => !internal))
    .map(([name]) => name);
}

/**
 * The addresses through which home devices reach this machine, IPv4 first. For IPv6, only stable addresses.
 */
export function homeAddresses(interfaces = networkInterfaces()): string[] {
  const found = homeInterfaces(interfaces).flatMap((name) =>
    (interfaces[name] ?? []).map(({ address }) => address),
  );
  const reachable = found.filter((address) => isIP(address) === 4 || /^f[cd]/i.test(address));
  return [...new Set(reachable)].sort((one, other) => isIP(one) - isIP(other));
}

/** The host name and addresses of this machine. */
export function ownNames(): string[] {
  return [hostname().toLowerCase(), ...homeAddresses()];
}

/**
 * The address of this machine for speakers in the home: in Home Assistant's network, unless that runs on this
 * machine.
 */
export async function ownAddressTowards(homeUrl: string | null): Promise<string> {
  const [own = '127.0.0.1'] = homeAddresses();
  const found = homeUrl === null ? null : await addressTowards(new URL(homeUrl).hostname).catch(() => null);
  const address = found === null || /^(127\.|::1$)/.test(found) ? own : found;
  return isIPv6(address) ? `[${address}]` : address;
}

/**
 * The address of this machine from which a server is called. Sends nothing: connecting a UDP socket only
 * selects the route.
 */
export async function addressTowards(name: string): Promise<string> {
  const { address, family } = await lookup(name.replace(/^\[|\]$/g, ''));
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  try {
    socket.connect(9, address);
    await once(socket, 'connect');
    return socket.address().address;
  } finally {
    socket.close();
  }
}

/** Every name and address that devices may use for this machine. */
export function machineNames(own: readonly string[], more: readonly string[]): string[] {
  const names = [announcedName, 'localhost', '127.0.0.1', '::1', ...more, ...own];
  const local = own.filter(isPlainLabel).map((name) => `${name}.local`);
  return [...new Set([...names, ...local])].filter(isName);
}

function isPlainLabel(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
}

function isName(name: string): boolean {
  return isIP(name) !== 0 || name.split('.').every(isPlainLabel);
}
