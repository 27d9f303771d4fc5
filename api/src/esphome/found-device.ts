import { usualPort } from './voice-device.ts';

/** The service that ESPHome devices announce by mDNS. */
export const deviceService = '_esphomelib._tcp.local';

const types = { a: 1, ptr: 12, txt: 16, srv: 33 };
/** A name has at most 255 bytes, so it cannot have more parts. */
const maxLabels = 128;
const unfit = /[\p{Cc}\p{Cs}]/gu;
/** In the names and projects of voice devices, in contrast to plugs and sensors. */
const voiceLike = /voice|assist|satellite|speaker|respeaker|echo|lva|s3-box/i;

/** An ESPHome device in the network. */
export interface FoundDevice {
  name: string;
  /** Its name for people. Null: it has none. */
  label: string | null;
  address: string;
  /** It needs an encryption key. */
  encrypted: boolean;
  /** Twelve hexadecimal digits. Null: not announced. */
  mac: string | null;
  /** Its name sounds like a voice device. Only a connection tells for certain. */
  likely: boolean;
}

interface DnsRecord {
  name: string;
  type: number;
  /** Start and end of its data in the packet. */
  begin: number;
  end: number;
}

/** Reads the devices in an mDNS packet. Empty for any other packet. `from` is the address of its sender. */
export function readFoundDevices(packet: Buffer, from: string): FoundDevice[] {
  try {
    const records = readRecords(packet);
    return records
      .filter(({ type, name }) => type === types.ptr && name === deviceService)
      .flatMap(
        ({ begin }) => deviceOf(packet, records, { instance: nameAt(packet, begin).name, from }) ?? [],
      );
  } catch {
    // Anyone in the network can send anything here.
    return [];
  }
}

/** The question for all ESPHome devices, to be answered to its sender. */
export function deviceQuestion(): Buffer {
  const labels = deviceService.split('.').map((label) => {
    const bytes = Buffer.from(label);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  const header = Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, types.ptr, 0x80, 1])]);
}

function deviceOf(
  packet: Buffer,
  records: readonly DnsRecord[],
  { instance, from }: { instance: string; from: string },
): FoundDevice | null {
  const of = (type: number, name: string) =>
    records.find((record) => record.type === type && record.name === name);
  const place = of(types.srv, instance);
  if (place === undefined) return null;
  const port = packet.readUInt16BE(place.begin + 4);
  const host = of(types.a, nameAt(packet, place.begin + 6).name);
  const ip = host ? packet.subarray(host.begin, host.end).join('.') : from;
  const about = of(types.txt, instance);
  const texts = about ? textsAt(packet, about) : new Map<string, string>();
  const name = shown(instance.slice(0, -deviceService.length - 1));
  const label = shown(texts.get('friendly_name') ?? '') || null;
  return {
    name,
    label,
    address: port === usualPort ? ip : `${ip}:${port}`,
    encrypted: texts.has('api_encryption'),
    mac: /^[0-9a-f]{12}$/.exec(plainMac(texts.get('mac') ?? ''))?.[0] ?? null,
    likely: voiceLike.test([name, label, texts.get('project_name')].join(' ')),
  };
}

/** Some devices announce it with colons, others without. */
export const plainMac = (mac: string): string => mac.replaceAll(':', '').toLowerCase();

const shown = (text: string): string => text.replace(unfit, '').slice(0, 100);

/** Throws RangeError if the packet ends early. */
function readRecords(packet: Buffer): DnsRecord[] {
  const isAnswer = (packet.readUInt16BE(2) & 0x8000) !== 0;
  if (!isAnswer) return [];
  const [questions, ...rest] = [4, 6, 8, 10].map((at) => packet.readUInt16BE(at));
  const count = rest.reduce((sum, each) => sum + each, 0);
  let at = 12;
  for (let n = 0; n < (questions ?? 0); n += 1) at = nameAt(packet, at).end + 4;
  const records: DnsRecord[] = [];
  for (let n = 0; n < count; n += 1) {
    const { name, end: fixed } = nameAt(packet, at);
    const begin = fixed + 10;
    const end = begin + packet.readUInt16BE(fixed + 8);
    if (end > packet.length) throw new RangeError('the packet ends within a record');
    records.push({ name, type: packet.readUInt16BE(fixed), begin, end });
    at = end;
  }
  return records;
}

/** Reads a name, which may continue elsewhere in the packet. Throws RangeError if it is endless. */
function nameAt(packet: Buffer, begin: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = begin;
  let end: number | null = null;
  for (let steps = 0; steps < maxLabels; steps += 1) {
    const length = packet.readUInt8(at);
    if (length === 0) return { name: labels.join('.'), end: end ?? at + 1 };
    if (length >= 0xc0) {
      end ??= at + 2;
      at = packet.readUInt16BE(at) & 0x3fff;
    } else {
      if (at + 1 + length > packet.length) break;
      labels.push(packet.toString('utf8', at + 1, at + 1 + length));
      at += 1 + length;
    }
  }
  throw new RangeError('the packet has an endless name');
}

function textsAt(packet: Buffer, { begin, end }: DnsRecord): Map<string, string> {
  const texts = new Map<string, string>();
  for (let at = begin; at < end; ) {
    const next = at + 1 + packet.readUInt8(at);
    const [key = '', ...value] = packet.toString('utf8', at + 1, Math.min(next, end)).split('=');
    texts.set(key.toLowerCase(), value.join('='));
    at = next;
  }
  return texts;
}
