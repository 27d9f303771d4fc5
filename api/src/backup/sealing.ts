import { createCipheriv, createDecipheriv, type DecipherGCM, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { BackupError } from './backup-file.ts';
import { firstLineOf, framesOf } from './streams.ts';

const form = 1;
const keyBytes = 32;
const tagBytes = 16;
const maxHeaderBytes = 4_096;

/**
 * scrypt parameters of the OWASP Password Storage Cheat Sheet. Of its equivalent choices this one needs 32
 * MiB, because the api container has 512. Each file stores its parameters, so they can be raised later.
 */
const derivation = { N: 2 ** 15, r: 8, p: 3 };
/** Maximum memory for the key derivation of an untrusted file: 256 MiB. */
const maxDerivationBytes = 256 * 1024 * 1024;

const headerSchema = z
  .object({
    hearth: z.literal('encrypted backup'),
    form: z.literal(form),
    cipher: z.literal('aes-256-gcm'),
    frameBytes: z.int().min(1_024).max(1_048_576),
    kdf: z.literal('scrypt'),
    N: z
      .int()
      .min(2 ** 14)
      .max(2 ** 20),
    r: z.int().min(1).max(32),
    p: z.int().min(1).max(16),
    salt: z.base64().min(24).max(128),
  })
  .refine(({ N, r }) => 128 * N * r <= maxDerivationBytes);
type SealHeader = z.infer<typeof headerSchema>;

/**
 * Encrypts a stream: a header line, then AES-256-GCM frames. The nonce counts the frames and marks the last
 * one (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizar). So frames cannot be cut off, moved
 * or repeated. Each frame also authenticates the header.
 */
export async function* seal(
  plain: AsyncIterable<Buffer>,
  passphrase: string,
  cost = derivation,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(16).toString('base64');
  const header: SealHeader = {
    hearth: 'encrypted backup',
    form,
    cipher: 'aes-256-gcm',
    frameBytes: 65_536,
    kdf: 'scrypt',
    ...cost,
    salt,
  };
  const line = Buffer.from(JSON.stringify(header));
  const key = await keyOf(passphrase, header);
  yield Buffer.concat([line, Buffer.from('\n')]);
  let at = 0;
  for await (const { frame, isLast } of framesOf(plain, header.frameBytes)) {
    const cipher = createCipheriv(header.cipher, key, nonceOf(at, isLast)).setAAD(line);
    yield Buffer.concat([cipher.update(frame), cipher.final(), cipher.getAuthTag()]);
    at += 1;
  }
}

/**
 * Decrypts the output of `seal`. Throws BackupError for a wrong passphrase and for a changed or truncated
 * stream.
 */
export async function* unseal(sealed: AsyncGenerator<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const first = await firstLineOf(sealed, maxHeaderBytes);
  const { data: header } = headerSchema.safeParse(parseJson(first?.line.toString() ?? ''));
  if (first === undefined || header === undefined)
    throw new BackupError('This is not an encrypted backup that this version can read.');
  const key = await keyOf(passphrase, header);
  let at = 0;
  for await (const { frame, isLast } of framesOf(first.rest, header.frameBytes + tagBytes)) {
    const decipher = createDecipheriv(header.cipher, key, nonceOf(at, isLast), { authTagLength: tagBytes });
    const plain = openFrame(frame, decipher.setAAD(first.line));
    if (plain === undefined && at === 0)
      throw new BackupError('The passphrase is wrong, or the backup is damaged.');
    if (plain === undefined) throw new BackupError('The backup is damaged: its content has changed.');
    yield plain;
    at += 1;
  }
}

/** Undefined if the frame was changed or moved. */
function openFrame(frame: Buffer, decipher: DecipherGCM): Buffer | undefined {
  const end = frame.length - tagBytes;
  try {
    decipher.setAuthTag(frame.subarray(Math.max(0, end)));
    return Buffer.concat([decipher.update(frame.subarray(0, Math.max(0, end))), decipher.final()]);
  } catch {
    return undefined; // Node reports this only by an error
  }
}

/**
 * Seven zero bytes, a four-byte counter, and a flag for the last frame. The key is unique to this file, so no
 * nonce repeats.
 */
function nonceOf(at: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(at, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Keyboards encode the same letter differently. NFKC unifies them. */
function keyOf(passphrase: string, { N, r, p, salt }: SealHeader): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const options = { N, r, p, maxmem: 128 * N * r + 2 ** 20 * (p + 1) };
  scrypt(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), keyBytes, options, (error, key) =>
    error ? reject(error) : resolve(key),
  );
  return promise;
}
