import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { isBackedUp } from './backup-keys.ts';
import { linesOf } from './streams.ts';

/**
 * Format version of the file. Version 1 has its checksum in the header and each key on one line. Older
 * versions must stay readable.
 */
const form = 2;
/**
 * Version 1 has one line per key, however large. A longer line is not a backup and would only fill the
 * memory.
 */
const maxLineBytes = 64 * 1024 * 1024;

const text = z.string();
const recordSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('string'), value: text }),
  z.object({ type: z.literal('list'), value: z.array(text).min(1) }),
  z.object({ type: z.literal('set'), value: z.array(text).min(1) }),
  z.object({ type: z.literal('hash'), value: z.array(z.tuple([text, text])).min(1) }),
  z.object({ type: z.literal('zset'), value: z.array(z.tuple([text, text])).min(1) }),
]);
const keySchema = z.object({ key: z.string(), expiresAt: z.number().nullable() }).and(recordSchema);

/**
 * A key with its content, or a chunk of it. Chunks of a key follow in order. `expiresAt`: Unix time in ms.
 * Null: no expiry.
 */
export type StoredKey = z.infer<typeof keySchema>;

const headerSchema = z.object({
  form: z.number(),
  /** Version of the Hearth that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** Checksum of the following lines, in version 1. */
  sha256: z.string().optional(),
});
type BackupHeader = z.infer<typeof headerSchema>;

/** The last line, which is missing in a truncated file. Its checksum covers all earlier lines. */
const endSchema = z.object({ end: z.literal(true), sha256: z.string() });

/** The file must not be restored. The message is a sentence with the reason. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const damaged = () => new BackupError('The backup is damaged: its content has changed.');

/** Writes a header, a line for each key or chunk, and a last line with the checksum. */
export async function* writeBackup(
  kept: AsyncIterable<StoredKey>,
  { version, madeAt }: { version: string; madeAt: Date },
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const line = (value: BackupHeader | StoredKey) => {
    const written = `${JSON.stringify(value)}\n`;
    hash.update(written);
    return written;
  };
  yield line({ form, version, madeAt: madeAt.toISOString() });
  for await (const each of kept) yield line(each);
  yield `${JSON.stringify({ end: true, sha256: hash.digest('hex') })}\n`;
}

/**
 * Reads a backup as a stream. Throws BackupError if this version cannot restore it. `kept` may throw it as
 * late as its end, so change nothing before `kept` has ended.
 */
export async function readBackup(
  written: AsyncIterable<Buffer>,
  version: string,
): Promise<{ header: BackupHeader; kept: AsyncGenerator<StoredKey> }> {
  const lines = linesOf(written, maxLineBytes, damaged);
  const first = (await lines.next()).value;
  const { data: header } = headerSchema.safeParse(parseJson(first?.toString() ?? ''));
  if (first === undefined || header === undefined) throw new BackupError('This is not a backup of Hearth.');
  if (isNewer(header.version, version)) {
    throw new BackupError(
      `The backup was made by Hearth ${header.version}, which is newer than this one (${version}). Update first.`,
    );
  }
  if (header.form > form) {
    throw new BackupError(
      `The backup has a form that is newer than what this Hearth (${version}) can read. Update first.`,
    );
  }
  return { header, kept: keptIn(checkedLines(lines, first, header)) };
}

async function* keptIn(lines: AsyncIterable<unknown>): AsyncGenerator<StoredKey> {
  let unreadable: BackupError | undefined;
  for await (const line of lines) {
    const kept = keptOf(line);
    // An unreadable line may mean damage. The checksum at the end decides.
    if (kept instanceof BackupError) unreadable ??= kept;
    else if (unreadable === undefined) yield kept;
  }
  if (unreadable !== undefined) throw unreadable;
}

/** The lines between the header and the last one. Throws at the end if the checksum differs. */
async function* checkedLines(
  lines: AsyncIterable<Buffer>,
  first: Buffer,
  header: BackupHeader,
): AsyncGenerator<unknown> {
  const hash = createHash('sha256');
  const sumIsLast = header.sha256 === undefined;
  let sum = header.sha256;
  let isOver = false;
  if (sumIsLast) hash.update(first);
  for await (const line of lines) {
    if (isOver) throw damaged();
    const parsed = parseJson(line.toString());
    const end = sumIsLast ? endSchema.safeParse(parsed).data : undefined;
    if (end !== undefined) [sum, isOver] = [end.sha256, true];
    else hash.update(line);
    if (!isOver && line.length > 1) yield parsed;
  }
  if (hash.digest('hex') !== sum) throw damaged();
}

function keptOf(parsed: unknown): StoredKey | BackupError {
  const { data } = keySchema.safeParse(parsed);
  if (data === undefined)
    return new BackupError('The backup contains something that this version cannot read.');
  if (isBackedUp(data.key)) return data;
  return new BackupError(`The backup contains ${JSON.stringify(data.key)}, which belongs in none.`);
}

function isNewer(one: string, other: string): boolean {
  const numbers = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
}
