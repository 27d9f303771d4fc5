import { createSocket } from 'node:dgram';
import type { Clock } from '../clock.ts';
import { deviceQuestion, type FoundDevice, readFoundDevices } from './found-device.ts';

const multicast = { address: '224.0.0.251', port: 5353 };
/** Devices answer within half a second, but a packet may be lost on Wi-Fi. */
const askAgainMs = 700;
const searchMs = 2_000;
/** More than any home has. */
const maxFound = 100;

interface SearchOptions {
  clock: Clock;
  /** This machine's IPv4 addresses, one for each network to search. */
  addresses: () => readonly string[];
  to?: { address: string; port: number };
  /** Called for each new device as it answers. */
  onFound?: (device: FoundDevice) => void;
}

/**
 * Asks the network for ESPHome devices by mDNS (RFC 6762, section 6.7: answers go to the sender of a
 * question). Finds nothing in a container, because multicast does not reach its network.
 */
export function createDeviceSearch({ clock, addresses, to = multicast, onFound }: SearchOptions) {
  let running: Promise<FoundDevice[]> | null = null;

  const search = (): Promise<FoundDevice[]> =>
    new Promise((resolve) => {
      const found = new Map<string, FoundDevice>();
      const sockets = addresses().map((address) => {
        const socket = createSocket('udp4');
        const ask = (): void => socket.send(deviceQuestion(), to.port, to.address, () => undefined);
        socket.on('message', (packet, { address: from }) => {
          for (const device of readFoundDevices(packet, from)) {
            if (found.has(device.name) || found.size >= maxFound) continue;
            found.set(device.name, device);
            onFound?.(device);
          }
        });
        // A network that is down has no devices.
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
        resolve([...found.values()].sort(byLikelihood));
      });
    });

  return {
    /** The devices in the network, likely voice devices first. Takes two seconds. */
    find: (): Promise<FoundDevice[]> => {
      running ??= search().finally(() => {
        running = null;
      });
      return running;
    },
  };
}

function byLikelihood(one: FoundDevice, other: FoundDevice): number {
  return Number(other.likely) - Number(one.likely) || one.name.localeCompare(other.name);
}
