import { X509Certificate } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { KeyPair } from './household-ca.ts';

interface HouseholdCertificateOptions {
  /** Folder of the CA and the certificate. */
  folder: string;
  /** The names that the certificate needs now. */
  names: () => readonly string[];
  /** Called with names that the CA does not allow, because it was created before they were set. */
  onLeftOut: (names: readonly string[]) => void;
  now?: () => Date;
}

/** Contains certificate and key. Backups include it. */
const caFile = 'household-ca.pem';
const serverFile = 'server.pem';
/** A certificate is renewed this long before its end. */
const renewBeforeMs = 30 * 86_400_000;

/**
 * The household's CA, created once, and its server certificate. The certificate is renewed before it expires,
 * and when names or addresses change.
 */
export function createHouseholdCertificate(options: HouseholdCertificateOptions) {
  const { folder, names, onLeftOut, now = () => new Date() } = options;
  // Imported lazily, because only this code needs it.
  const authority = () => import('./household-ca.ts');

  const readCa = async (): Promise<KeyPair> => {
    const kept = readPair(join(folder, caFile));
    if (kept) return kept;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { makeCa } = await authority();
    return keepFirst(join(folder, caFile), await makeCa(names()));
  };

  return {
    /** Returns the valid certificate. */
    async current(): Promise<KeyPair> {
      const ca = await readCa();
      const { allowedNames, issueCertificate } = await authority();
      const wanted = names();
      const allowed = allowedNames(ca.cert, wanted);
      if (allowed.length < wanted.length) onLeftOut(wanted.filter((name) => !allowed.includes(name)));
      const kept = readPair(join(folder, serverFile));
      if (kept && holds(kept.cert, { by: ca.cert, names: allowed, at: now() })) return kept;
      const fresh = await issueCertificate(ca, allowed, now());
      replace(join(folder, serverFile), fresh);
      return fresh;
    },
    /** The CA certificate for devices to install. Null before it was created. */
    caCertificate: (): string | null => readPair(join(folder, caFile))?.cert ?? null,
  };
}

interface Wanted {
  by: string;
  names: readonly string[];
  at: Date;
}

function holds(pem: string, { by, names, at }: Wanted): boolean {
  const certificate = new X509Certificate(pem);
  const isOurs = certificate.verify(new X509Certificate(by).publicKey);
  const begins = certificate.validFromDate.getTime() <= at.getTime();
  const lasts = certificate.validToDate.getTime() - at.getTime() > renewBeforeMs;
  const isFor = (name: string) =>
    (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
  return isOurs && begins && lasts && names.every(isFor);
}

/** Throws on an unreadable file instead of creating a new CA, because phones trust the old one. */
function readPair(file: string): KeyPair | null {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  const cert = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/.exec(text)?.[0];
  const key = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/.exec(text)?.[0];
  if (cert === undefined || key === undefined)
    throw new Error(`${file} is damaged. Restore it from a backup, or delete it to create a new one.`);
  return { cert, key };
}

/** Another process may create one at the same time. The first one wins. */
function keepFirst(file: string, pair: KeyPair): KeyPair {
  const part = writePart(file, pair);
  try {
    linkSync(part, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(part);
  }
  return readPair(file) ?? pair;
}

function replace(file: string, pair: KeyPair): void {
  renameSync(writePart(file, pair), file);
}

function writePart(file: string, { cert, key }: KeyPair): string {
  const part = `${file}.${process.pid}`;
  rmSync(part, { force: true });
  writeFileSync(part, `${cert}${key}`, { mode: 0o600, flag: 'wx' });
  return part;
}
