import { X509Certificate } from 'node:crypto';

/** 128 bits of SHA-256. */
const fingerprintDigits = 32;

interface JoinCodeOptions {
  /** The address of a pairing link. */
  url: string;
  /** The secret of the pairing. */
  code: string;
  /** Null: only http is served. */
  httpsPort: number | null;
  /** The certificate of the household's authority. Null: the owner's own certificate needs none. */
  caCertificate: string | null;
  /** The tags of the household's languages, the first one first. */
  languages: readonly string[];
}

/**
 * The code for `make join`: the address, the secret, the fingerprint of the household's certificate
 * authority, and the languages. Null: Hearth serves no https.
 */
export function joinCodeOf(options: JoinCodeOptions): string | null {
  const { url, code, httpsPort, caCertificate, languages } = options;
  const { protocol, hostname, port: linkPort } = new URL(url);
  const port = protocol === 'https:' ? linkPort || '443' : httpsPort;
  if (port === null) return null;
  const fingerprint = caCertificate === null ? '' : fingerprintOf(caCertificate);
  return `${hostname}:${port}/${code}/${fingerprint}/${languages.join(',')}`;
}

function fingerprintOf(certificate: string): string {
  const { fingerprint256 } = new X509Certificate(certificate);
  return fingerprint256.replaceAll(':', '').toLowerCase().slice(0, fingerprintDigits);
}
