import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import type { Clock } from '../clock.ts';
import { type FoundService, readFoundServices, serviceQuestion } from './found-service.ts';

const multicast = { address: '224.0.0.251', port: 5353 };
/** Machines answer within half a second, but a packet may be lost on Wi-Fi. */
const askAgainMs = 700;
const searchMs = 2_000;
/** More than any home has. */
const maxFound = 100;

interface SearchOptions {
  /** Such as `_esphomelib._tcp.local`. */
  service: string;
  clock: Clock;
  /** This machine's addresses. Each network with an IPv4 address is searched. */
  addresses: () => readonly string[];
  to?: { address: string; port: number };
  /** Called for each new instance as it answers. */
  onFound?: (found: FoundService) => void;
}

/**
 * Asks the network for a service by mDNS (RFC 6762, section 6.7: answers go to the sender of a question).
 * Finds nothing in a container, because multicast does not reach its network.
 */
export function createServiceSearch({ service, clock, addresses, to = multicast, onFound }: SearchOptions) {
  let running: Promise<FoundService[]> | null = null;

  const search = (): Promise<FoundService[]> =>
    new Promise((resolve) => {
      const found = new Map<string, FoundService>();
      const sockets = addresses()
        .filter(isIPv4)
        .map((address) => {
          const socket = createSocket('udp4');
          const ask = (): void => socket.send(serviceQuestion(service), to.port, to.address, () => undefined);
          socket.on('message', (packet, { address: from }) => {
            for (const one of readFoundServices(packet, service, from)) {
              if (found.has(one.name) || found.size >= maxFound) continue;
              found.set(one.name, one);
              onFound?.(one);
            }
          });
          // Ignore errors: a network that is down has no devices to find.
          socket.on('error', () => undefined);
          socket.bind({ address }, () => {
            socket.setMulticastInterface(address);
            ask();
            clock.after(askAgainMs, ask);
          });
          return socket;
        });
      clock.after(searchMs, () => {
        for (const socket of sockets) socket.close();
        resolve([...found.values()]);
      });
    });

  return {
    /** The instances on the network. Takes two seconds. */
    find: (): Promise<FoundService[]> => {
      running ??= search().finally(() => {
        running = null;
      });
      return running;
    },
  };
}
