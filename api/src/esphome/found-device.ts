import { type FoundService, shown } from '../mdns/found-service.ts';
import { compareNames } from '../name-order.ts';
import { usualPort } from './voice-device.ts';

/** The service that ESPHome devices announce by mDNS. */
export const deviceService = '_esphomelib._tcp.local';

/** In the names and projects of voice devices, in contrast to plugs and sensors. */
const voiceLike = /voice|assist|satellite|speaker|respeaker|echo|lva|s3-box/i;

/** An ESPHome device on the network. */
export interface FoundDevice {
  name: string;
  /** Its name for people. Null: it has none. */
  label: string | null;
  address: string;
  /** It needs an encryption key. */
  encrypted: boolean;
  /** Twelve hexadecimal digits. Null: not announced. */
  mac: string | null;
  /** Its name suggests a voice device. Only a connection proves it. */
  likely: boolean;
}

export function foundDevice({ name, host, port, texts }: FoundService): FoundDevice {
  const label = shown(texts.get('friendly_name') ?? '') || null;
  return {
    name,
    label,
    address: port === usualPort ? host : `${host}:${port}`,
    encrypted: texts.has('api_encryption'),
    mac: /^[0-9a-f]{12}$/.exec(plainMac(texts.get('mac') ?? ''))?.[0] ?? null,
    likely: voiceLike.test([name, label, texts.get('project_name')].join(' ')),
  };
}

/** Voice devices first. */
export function byLikelihood(one: FoundDevice, other: FoundDevice): number {
  return Number(other.likely) - Number(one.likely) || compareNames(one.name, other.name);
}

/** Some devices announce it with colons, others without. */
export const plainMac = (mac: string): string => mac.replaceAll(':', '').toLowerCase();
