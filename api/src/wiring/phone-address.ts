import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { isOnLoopback } from '../http/own-machine.ts';
import { ownNames } from '../tls/machine-names.ts';

/**
 * The first address for a phone, and whether it gets from there to https. Null: other devices have no access.
 */
export function phoneAddressOf(config: Config): { url: string; isSecure: boolean } | null {
  const { host, port, https, listenAddress, serviceToken, machineNames } = config;
  if (serviceToken === undefined || isOnLoopback(listenAddress ?? host)) return null;
  const known = machineNames.length > 0 ? machineNames : ownNames();
  const found = known.find((name) => isIP(name) === 4) ?? known.find((name) => isIP(name) === 6) ?? known[0];
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const address = isAnywhere || listenAddress !== undefined ? found : host;
  if (address === undefined) return null;
  // Phones trust an owner's certificate, so they skip the page for installing the CA.
  if (https?.own) return { url: `https://${inUrl(https.names[0] ?? address)}:${https.port}`, isSecure: true };
  return { url: `http://${inUrl(address)}:${port}`, isSecure: https !== null };
}

function inUrl(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}
