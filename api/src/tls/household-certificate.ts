import { X509Certificate } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { KeyPair } from './household-ca.ts';

export interface HouseholdCertificateOptions {
  /** Where the authority and the certificate are kept. */
  folder: string;
  /** What the certificate has to be good for, as of now. */
  names: () => readonly string[];
  /** Names that the authority cannot vouch for, because it was made before they were set. */
  onLeftOut: (names: readonly string[]) => void;
  now?: () => Date;
}

/** It holds certificate and key; a backup saves it. */
const caFile = 'household-ca.pem';
const serverFile = 'server.pem';
/** A certificate that ends sooner is replaced. */
const renewBeforeMs = 30 * 86_400_000;

/** The household's own authority, made once, and the server's certificate by it: new before it ends, and when names or addresses change. */
export function createHouseholdCertificate(options: HouseholdCertificateOptions) {
  const { folder, names, onLeftOut, now = () => new Date() } = options;
  // What only this needs is loaded when it is needed.
  const authority = () => import('./household-ca.ts');

  const readCa = async (): Promise<KeyPair> => {
    const kept = readPair(join(folder, caFile));
    if (kept) return kept;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { makeCa } = await authority();
    return keepFirst(join(folder, caFile), await makeCa(names()));
  };

  return {
    /** The one that holds now. */
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
    /** The authority's certificate, which devices install; null before it was made. */
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

/** A file that cannot be read as such a pair is a reason to stop, not to make another: phones trust the one that was there. */
function readPair(file: string): KeyPair | null {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  const cert = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/.exec(text)?.[0];
  const key = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/.exec(text)?.[0];
  if (cert === undefined || key === undefined)
    throw new Error(`${file} is damaged. Restore it from a backup, or delete it to begin anew.`);
  return { cert, key };
}

/** Another process may do the same at this moment: the first one's counts. */
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
