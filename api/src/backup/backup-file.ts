import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { isKept } from './kept-keys.ts';
import { linesOf } from './streams.ts';

/** The form of the file. 1 had its check sum in the header and each key in one line; a program must go on reading older ones. */
const form = 2;
/** A key of form 1 is one line, however much it holds. A longer line is no backup, and would only fill the memory. */
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
 * A key with what it holds, or a piece of that: pieces of the same key follow in their order. `expiresAt`: Unix time in ms; null: it
 * stays.
 */
export type KeptKey = z.infer<typeof keySchema>;

const headerSchema = z.object({
  form: z.number(),
  /** Of the Hearth that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** Of the lines behind it, in form 1. */
  sha256: z.string().optional(),
});
export type BackupHeader = z.infer<typeof headerSchema>;

/** The last line: whatever is cut off, this is missing. Its check sum is that of all lines before it. */
const endSchema = z.object({ end: z.literal(true), sha256: z.string() });

/** A file that must not be restored. Its message is a sentence that says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const damaged = () => new BackupError('The backup is damaged: its content has changed.');

/** One line that tells what the file is, a line for each key or piece of one, and a last line that seals them. */
export async function* writeBackup(
  kept: AsyncIterable<KeptKey>,
  { version, madeAt }: { version: string; madeAt: Date },
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const line = (value: BackupHeader | KeptKey) => {
    const written = `${JSON.stringify(value)}\n`;
    hash.update(written);
    return written;
  };
  yield line({ form, version, madeAt: madeAt.toISOString() });
  for await (const each of kept) yield line(each);
  yield `${JSON.stringify({ end: true, sha256: hash.digest('hex') })}\n`;
}

/**
 * Reads a backup piece by piece. Throws BackupError if it is not one that this version can restore; `kept` throws it at its end at the
 * latest. So nothing may be changed before `kept` has ended.
 */
export async function readBackup(
  written: AsyncIterable<Buffer>,
  version: string,
): Promise<{ header: BackupHeader; kept: AsyncGenerator<KeptKey> }> {
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

async function* keptIn(lines: AsyncIterable<unknown>): AsyncGenerator<KeptKey> {
  let unreadable: BackupError | undefined;
  for await (const line of lines) {
    const kept = keptOf(line);
    // What cannot be read may be damaged: the check sum tells at the end.
    if (kept instanceof BackupError) unreadable ??= kept;
    else if (unreadable === undefined) yield kept;
  }
  if (unreadable !== undefined) throw unreadable;
}

/** The lines behind the header, but for the last one. Throws at the end if they are not all that was written. */
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

function keptOf(parsed: unknown): KeptKey | BackupError {
  const { data } = keySchema.safeParse(parsed);
  if (data === undefined)
    return new BackupError('The backup contains something that this version cannot read.');
  if (isKept(data.key)) return data;
  return new BackupError(`The backup contains ${JSON.stringify(data.key)}, which belongs in none.`);
}

function isNewer(one: string, other: string): boolean {
  const numbers = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
}
