import { getResponder } from '@homebridge/ciao';
import type { Config } from '../config.ts';
import { isOnLoopback } from '../http/own-machine.ts';
import type { Logger } from '../log.ts';

interface NearbyService {
  type: string;
  /** The library needs a separate host name for each service. */
  hostname: string;
  port: number;
  txt: Record<string, string>;
}

interface AnnounceOptions {
  interfaces: readonly string[];
  services: { name: string; list: readonly NearbyService[] };
  log: Logger;
}

/** The services to announce. None if only this machine has access. */
export function servicesOf(config: Config, machine: string): AnnounceOptions['services'] {
  const { host, port, listenAddress, https, wyoming } = config;
  const hearth = {
    type: 'hearth',
    hostname: 'hearth',
    port,
    txt: { path: '/', ...(https.isOn && { https_port: String(https.port) }) },
  };
  const list = [
    ...(isOnLoopback(listenAddress ?? host) ? [] : [hearth]),
    ...(wyoming === null || isOnLoopback(wyoming.address)
      ? []
      : [{ type: 'wyoming', hostname: 'hearth-wyoming', port: wyoming.port, txt: {} }]),
  ];
  return { name: `Hearth (${machine})`.slice(0, 60), list };
}

/**
 * Announces the services as hearth.local. If another device has this name, this one gets a number. Returns a
 * function that ends the announcement.
 */
export async function announceNearby({ interfaces, services, log }: AnnounceOptions) {
  const { name, list } = services;
  if (interfaces.length === 0 || list.length === 0) return async () => undefined;
  const responder = getResponder({ interface: [...interfaces], disableIpv6: false });
  for (const each of list) {
    const service = responder.createService({ name, ...each });
    service.on('hostname-change', (other) =>
      log.warn({ name: other }, 'name is taken by another device: using a different one'),
    );
    await service.advertise();
  }
  log.info({ interfaces, services: list.map(({ type }) => type) }, 'announced on the home network');
  return () => responder.shutdown();
}
