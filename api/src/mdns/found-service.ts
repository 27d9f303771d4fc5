const types = { a: 1, ptr: 12, txt: 16, srv: 33 };
/** A name has at most 255 bytes, so it cannot have more parts. */
const maxLabels = 128;
const unfit = /[\p{Cc}\p{Cs}]/gu;

/** An instance of a service that a machine on the network announces. */
export interface FoundService {
  name: string;
  /** Its IPv4 address. */
  host: string;
  port: number;
  /** Its TXT record, with keys in lower case. */
  texts: ReadonlyMap<string, string>;
}

interface DnsRecord {
  name: string;
  type: number;
  /** Start and end of its data in the packet. */
  begin: number;
  end: number;
}

/** Instances of `service` in an mDNS packet. Empty for any other packet. `from` is its sender's address. */
export function readFoundServices(packet: Buffer, service: string, from: string): FoundService[] {
  try {
    const records = readRecords(packet);
    return records
      .filter(({ type, name }) => type === types.ptr && name === service)
      .flatMap(({ begin }) => {
        const instance = nameAt(packet, begin).name;
        const found = placeOf(packet, records, instance);
        if (found === null) return [];
        const name = shown(instance.slice(0, -service.length - 1));
        return { name, ...found, host: found.host ?? from };
      });
  } catch {
    // A malformed packet. Any device on the network can send one.
    return [];
  }
}

/** The question for all instances of a service, to be answered to its sender. */
export function serviceQuestion(service: string): Buffer {
  const labels = service.split('.').map((label) => {
    const bytes = Buffer.from(label);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  const header = Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, types.ptr, 0x80, 1])]);
}

/** A text from the network, without characters that could harm a page or a terminal. */
export const shown = (text: string): string => text.replace(unfit, '').slice(0, 100);

function placeOf(packet: Buffer, records: readonly DnsRecord[], instance: string) {
  const of = (type: number, name: string) =>
    records.find((record) => record.type === type && record.name === name);
  const place = of(types.srv, instance);
  if (place === undefined) return null;
  const host = of(types.a, nameAt(packet, place.begin + 6).name);
  const about = of(types.txt, instance);
  return {
    host: host ? packet.subarray(host.begin, host.end).join('.') : null,
    port: packet.readUInt16BE(place.begin + 4),
    texts: about ? textsAt(packet, about) : new Map<string, string>(),
  };
}

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
