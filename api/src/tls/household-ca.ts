// Must be imported first, because the library needs the polyfill.
import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import { GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } from '@peculiar/asn1-x509';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its private key in PEM. */
export interface KeyPair {
  cert: string;
  key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const constraintsOid = '2.5.29.30';
const dayMs = 86_400_000;
/** Well below Apple's limit of 825 days. */
export const certificateDays = 90;

/**
 * Fixed, because the machine may not know the time yet. A new CA would have to be installed on every phone.
 */
const caFrom = new Date('2025-01-01T00:00:00Z');
const caUntil = new Date('2049-12-31T23:59:59Z');

/** Names outside the public DNS, and address ranges of home networks. */
const homeNames = ['local', 'localhost', 'lan', 'home', 'internal', 'home.arpa'];
const homeRanges = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/**
 * Creates a CA for one household. Its name constraints allow only home names, home addresses and the given
 * ones. So a stolen key cannot impersonate a bank.
 */
export async function makeCa(alsoFor: readonly string[]): Promise<KeyPair> {
  const keys = await newKeys();
  const cert = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: `CN=Hearth at home ${newSerial().slice(2, 8)}, O=Hearth`,
    notBefore: caFrom,
    notAfter: caUntil,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      new Extension(constraintsOid, true, AsnConvert.serialize(constraintsFor(alsoFor))),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return pairOf(cert, keys.privateKey);
}

/** Issues a server certificate. The CA must allow all names. */
export async function issueCertificate(ca: KeyPair, names: readonly string[], now: Date): Promise<KeyPair> {
  const keys = await newKeys();
  const issuer = new X509Certificate(ca.cert);
  const cert = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: 'CN=Hearth',
    issuer: issuer.subject,
    // Accepts devices with a slightly slow clock.
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + certificateDays * dayMs),
    signingKey: await readKey(ca.key),
    publicKey: keys.publicKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
      await AuthorityKeyIdentifierExtension.create(issuer),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return pairOf(cert, keys.privateKey);
}

/** The names that the CA allows. */
export function allowedNames(caCert: string, names: readonly string[]): string[] {
  const extension = new X509Certificate(caCert).getExtension(constraintsOid);
  const permitted = extension && AsnConvert.parse(extension.value, NameConstraints).permittedSubtrees;
  const bases = [...(permitted ?? [])].map(({ base }) => base);
  return names.filter((name) => bases.some((base) => covers(base, name)));
}

function covers({ dNSName, iPAddress }: GeneralName, name: string): boolean {
  if (isIP(name) === 0) return dNSName !== undefined && (name === dNSName || name.endsWith(`.${dNSName}`));
  return iPAddress !== undefined && isWithin(name, iPAddress);
}

function isWithin(address: string, range: string): boolean {
  const [network = '', bits] = range.split('/');
  const kind = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(network, Number(bits), kind);
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function constraintsFor(alsoFor: readonly string[]): NameConstraints {
  const names = [...homeNames, ...alsoFor.filter((name) => isIP(name) === 0)];
  const addresses = alsoFor.filter((name) => isIP(name) !== 0);
  const ranges = [...homeRanges, ...addresses.map((each) => `${each}/${isIP(each) === 4 ? 32 : 128}`)];
  const bases = [
    ...[...new Set(names)].map((dNSName) => new GeneralName({ dNSName })),
    ...[...new Set(ranges)].map((range) => new GeneralName({ iPAddress: range })),
  ];
  return new NameConstraints({
    permittedSubtrees: new GeneralSubtrees(bases.map((base) => new GeneralSubtree({ base }))),
  });
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function readKey(pem: string): Promise<webcrypto.CryptoKey> {
  return crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), algorithm, false, ['sign']);
}

async function pairOf(cert: X509Certificate, key: webcrypto.CryptoKey): Promise<KeyPair> {
  const der = await crypto.subtle.exportKey('pkcs8', key);
  return { cert: `${cert.toString('pem')}\n`, key: `${PemConverter.encode(der, 'PRIVATE KEY')}\n` };
}

/** 127 random bits, as a positive number. */
function newSerial(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Buffer.from(bytes.map((byte, at) => (at === 0 ? (byte & 0x7f) | 0x40 : byte))).toString('hex');
}
