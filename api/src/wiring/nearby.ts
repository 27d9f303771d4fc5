import { getResponder } from '@homebridge/ciao';
import { z } from 'zod';
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

const accessSchema = z.object({ is_open: z.boolean(), https_port: z.number().nullable() });

/** The access of other devices, as the api reports it. */
type ReportedAccess = z.infer<typeof accessSchema>;

const maxAskMs = 4_000;

/** Whether the page can change the access. Only the running api then knows who has access. */
export function isOpenedByPage({ host, listenAddress }: Config): boolean {
  return listenAddress === undefined && isOnLoopback(host);
}

/** Asks the api on this machine who has access. Null: it does not answer. */
export async function askAccess({ host, port }: Config): Promise<ReportedAccess | null> {
  const name = host.includes(':') ? `[${host}]` : host;
  const signal = AbortSignal.timeout(maxAskMs);
  try {
    const answer = await fetch(`http://${name}:${port}/phone.json`, { signal });
    return accessSchema.safeParse(await answer.json()).data ?? null;
  } catch {
    // The api is starting or down. The next look asks again.
    return null;
  }
}

/** The services to announce. None if only this machine has access. */
export function servicesOf(
  config: Config,
  machine: string,
  access: ReportedAccess = accessBySettings(config),
): AnnounceOptions['services'] {
  const { port, wyoming } = config;
  const httpsPort = access.https_port;
  const hearth = {
    type: 'hearth',
    hostname: 'hearth',
    port,
    txt: { path: '/', ...(httpsPort !== null && { https_port: String(httpsPort) }) },
  };
  const list = [
    ...(access.is_open ? [hearth] : []),
    ...(wyoming === null || isOnLoopback(wyoming.address)
      ? []
      : [{ type: 'wyoming', hostname: 'hearth-wyoming', port: wyoming.port, txt: {} }]),
  ];
  return { name: `Hearth (${machine})`.slice(0, 60), list };
}

/** The access that the settings alone give. */
export function accessBySettings({ host, listenAddress, https }: Config): ReportedAccess {
  return { is_open: !isOnLoopback(listenAddress ?? host), https_port: https.isOn ? https.port : null };
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
