import { X509Certificate } from 'node:crypto';
import { z } from 'zod';

const phoneSchema = z.object({ https_port: z.number().nullable() });
/** 128 bits of SHA-256. */
const fingerprintDigits = 32;

interface Invited {
  /** The address of this Hearth for this machine. */
  origin: string;
  /** The address of a pairing link. */
  url: string;
  code: string;
  /** The address that the code names, if the owner chose one. */
  address?: string | undefined;
  language?: string | undefined;
}

/**
 * The code for `make join`: the address, the secret, the fingerprint of the household's certificate
 * authority, and the language. Null: Hearth serves no https.
 */
export async function invitationOf({
  origin,
  url,
  code,
  address,
  language = '',
}: Invited): Promise<string | null> {
  const link = new URL(url);
  const port = link.protocol === 'https:' ? link.port || '443' : await httpsPortOf(origin);
  if (port === null) return null;
  return `${address || link.hostname}:${port}/${code}/${await fingerprintOf(origin)}/${language}`;
}

async function httpsPortOf(origin: string): Promise<number | null> {
  return phoneSchema.parse(await (await fetch(`${origin}/phone.json`)).json()).https_port;
}

/** Empty: the owner's certificate needs no authority of the household. */
async function fingerprintOf(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/hearth-ca.crt`);
  if (answer.status === 404) return '';
  const { fingerprint256 } = new X509Certificate(await answer.text());
  return fingerprint256.replaceAll(':', '').toLowerCase().slice(0, fingerprintDigits);
}
