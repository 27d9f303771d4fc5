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
 * scrypt as the OWASP Password Storage Cheat Sheet has it: of its equal choices the one with 32 MiB, since the api's container has 512.
 * Each file says what it was made with, so that these may grow.
 */
const derivation = { N: 2 ** 15, r: 8, p: 3 };
/** What a foreign file may cost before it is known to be one: 256 MiB. */
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
 * Encrypts a stream: a line that says how, then frames of AES-256-GCM. The nonce counts the frames and marks the last one (the STREAM
 * construction of Hoang, Reyhanitabar, Rogaway and Vizar), so none can be cut off, moved or repeated. The line is authenticated with each.
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

/** Decrypts what `seal` has written. Throws BackupError for another passphrase and for a stream that was changed or cut off. */
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

/** Undefined for a frame that is not as it was written, or not where it was. */
function openFrame(frame: Buffer, decipher: DecipherGCM): Buffer | undefined {
  const end = frame.length - tagBytes;
  try {
    decipher.setAuthTag(frame.subarray(Math.max(0, end)));
    return Buffer.concat([decipher.update(frame.subarray(0, Math.max(0, end))), decipher.final()]);
  } catch {
    return undefined; // Node says this by an error alone
  }
}

/** Seven bytes of nothing, four that count, one that marks the last frame. The key belongs to this file alone, so no nonce comes twice. */
function nonceOf(at: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(at, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Keyboards write the same letter in several ways; NFKC makes them one. */
function keyOf(passphrase: string, { N, r, p, salt }: SealHeader): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const options = { N, r, p, maxmem: 128 * N * r + 2 ** 20 * (p + 1) };
  scrypt(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), keyBytes, options, (error, key) =>
    error ? reject(error) : resolve(key),
  );
  return promise;
}
