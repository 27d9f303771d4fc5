import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { isOnLoopback } from '../http/own-machine.ts';
import { ownNames } from '../tls/machine-names.ts';

interface PhoneAddress {
  url: string;
  /** Whether a phone gets from there to https. */
  isSecure: boolean;
}

/** The first address for a phone, as the settings decide. Null: other devices have no access. */
export function phoneAddressOf(config: Config): PhoneAddress | null {
  const { host, listenAddress, serviceToken } = config;
  if (serviceToken === undefined || isOnLoopback(listenAddress ?? host)) return null;
  return addressOf(config);
}

/** The same after the page opened Hearth to the home network. */
export function openedAddressOf(config: Config): PhoneAddress | null {
  return addressOf({ ...config, host: '0.0.0.0', https: { ...config.https, isOn: true } });
}

function addressOf({ host, port, https, listenAddress, machineNames }: Config): PhoneAddress | null {
  const known = machineNames.length > 0 ? machineNames : ownNames();
  const found = known.find((name) => isIP(name) === 4) ?? known.find((name) => isIP(name) === 6) ?? known[0];
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const address = isAnywhere || listenAddress !== undefined ? found : host;
  if (address === undefined) return null;
  // Phones trust an owner's certificate, so they skip the page for installing the CA.
  if (https.isOn && https.own)
    return { url: `https://${inUrl(https.names[0] ?? address)}:${https.port}`, isSecure: true };
  return { url: `http://${inUrl(address)}:${port}`, isSecure: https.isOn };
}

function inUrl(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}
