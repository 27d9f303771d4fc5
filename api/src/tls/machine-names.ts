import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

/** Networks between containers and virtual machines: nobody at home reaches this machine by an address in them. */
const inside = /^(?:docker|br-|veth|virbr|lxc|lxdbr|podman|cni|flannel|cali|vmnet|vboxnet)/;

/** The name that is announced to the network. */
export const announcedName = 'hearth.local';

/** The interfaces by which others at home reach this machine. */
export function homeInterfaces(interfaces = networkInterfaces()): string[] {
  return Object.entries(interfaces)
    .filter(([name, addresses = []]) => !inside.test(name) && addresses.some(({ internal }) => !internal))
    .map(([name]) => name);
}

/** The addresses by which others at home reach this machine, those of IPv4 first. Of IPv6 only those that stay the same. */
export function homeAddresses(interfaces = networkInterfaces()): string[] {
  const found = homeInterfaces(interfaces).flatMap((name) =>
    (interfaces[name] ?? []).map(({ address }) => address),
  );
  const reachable = found.filter((address) => isIP(address) === 4 || /^f[cd]/i.test(address));
  return [...new Set(reachable)].sort((one, other) => isIP(one) - isIP(other));
}

/** What this machine is called, and its addresses. */
export function ownNames(): string[] {
  return [hostname().toLowerCase(), ...homeAddresses()];
}

/** Every name and address under which a machine may be called. */
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
