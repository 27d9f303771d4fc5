import { getResponder } from '@homebridge/ciao';
import type { Config } from '../config.ts';
import { isOnLoopback } from '../http/own-machine.ts';
import type { Logger } from '../log.ts';

interface NearbyService {
  type: string;
  /** The library wants one of its own for each. */
  hostname: string;
  port: number;
  txt: Record<string, string>;
}

interface AnnounceOptions {
  interfaces: readonly string[];
  services: { name: string; list: readonly NearbyService[] };
  log: Logger;
}

/** What there is to find: nothing where only the machine itself is let in. */
export function servicesOf(config: Config, machine: string): AnnounceOptions['services'] {
  const { host, port, listenAddress, https, wyoming } = config;
  const hearth = {
    type: 'hearth',
    hostname: 'hearth',
    port,
    txt: { path: '/', ...(https && { https_port: String(https.port) }) },
  };
  const list = [
    ...(isOnLoopback(listenAddress ?? host) ? [] : [hearth]),
    ...(wyoming === null || isOnLoopback(wyoming.address)
      ? []
      : [{ type: 'wyoming', hostname: 'hearth-wyoming', port: wyoming.port, txt: {} }]),
  ];
  return { name: `Hearth (${machine})`.slice(0, 60), list };
}

/** Announces the services as hearth.local. Another device of this name keeps it, and this one gets a number. Returns what ends it with a goodbye. */
export async function announceNearby({ interfaces, services, log }: AnnounceOptions) {
  const { name, list } = services;
  if (interfaces.length === 0 || list.length === 0) return async () => undefined;
  const responder = getResponder({ interface: [...interfaces], disableIpv6: false });
  for (const each of list) {
    const service = responder.createService({ name, ...each });
    service.on('hostname-change', (other) =>
      log.warn({ name: other }, 'another device has this name, so this one has another'),
    );
    await service.advertise();
  }
  log.info({ interfaces, services: list.map(({ type }) => type) }, 'announced in the home network');
  return () => responder.shutdown();
}
