import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../json.ts';

/** The form of the file. A program that reads an older one must go on to. */
const form = 1;

const text = z.string();
const recordSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('string'), value: text }),
  z.object({ type: z.literal('list'), value: z.array(text).min(1) }),
  z.object({ type: z.literal('set'), value: z.array(text).min(1) }),
  z.object({ type: z.literal('hash'), value: z.array(z.tuple([text, text])).min(1) }),
  z.object({ type: z.literal('zset'), value: z.array(z.tuple([text, text])).min(1) }),
]);
const keySchema = z.object({ key: z.string(), expiresAt: z.number().nullable() }).and(recordSchema);

/** A key with all that it holds. `expiresAt`: Unix time in ms; null: it stays. */
export type KeptKey = z.infer<typeof keySchema>;

const headerSchema = z.object({
  form: z.number(),
  /** Of the Hearth that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  keys: z.number(),
  sha256: z.string(),
});
export type BackupHeader = z.infer<typeof headerSchema>;

/** A file that must not be restored. Its message is a sentence that says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** One line that tells what the file is, then a line for each key. */
export function writeBackup(
  kept: readonly KeptKey[],
  { version, madeAt }: { version: string; madeAt: Date },
): string {
  const lines = kept.map((each) => `${JSON.stringify(each)}\n`).join('');
  const header: BackupHeader = {
    form,
    version,
    madeAt: madeAt.toISOString(),
    keys: kept.length,
    sha256: digest(lines),
  };
  return `${JSON.stringify(header)}\n${lines}`;
}

/** Throws BackupError unless the whole file is there and can be restored by this version. */
export function readBackup(written: string, version: string): { header: BackupHeader; kept: KeptKey[] } {
  const end = written.indexOf('\n');
  const { data: header } = headerSchema.safeParse(parseJson(written.slice(0, end)));
  if (end < 0 || header === undefined) throw new BackupError('This is not a backup of Hearth.');
  const lines = written.slice(end + 1);
  if (header.form > form || isNewer(header.version, version)) {
    throw new BackupError(
      `The backup was made by Hearth ${header.version}, which is newer than this one (${version}). Update first.`,
    );
  }
  if (digest(lines) !== header.sha256)
    throw new BackupError('The backup is damaged: its content has changed.');
  const kept = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { data } = keySchema.safeParse(parseJson(line));
      if (data === undefined)
        throw new BackupError('The backup contains something that this version cannot read.');
      return data;
    });
  return { header, kept };
}

function digest(lines: string): string {
  return createHash('sha256').update(lines).digest('hex');
}

function isNewer(one: string, other: string): boolean {
  const numbers = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
}
