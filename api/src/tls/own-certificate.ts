import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { KeyPair } from './household-ca.ts';

/** Reads the owner's certificate and key on every call, because renewal rewrites the same files. */
export function readOwnCertificate({ cert, key }: KeyPair): KeyPair {
  const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  if (Date.parse(new X509Certificate(pair.cert).validTo) < Date.now())
    throw new Error(`${cert} has expired. Renew it.`);
  return pair;
}
