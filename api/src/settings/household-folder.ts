import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../errors.ts';

export type HouseholdFolder = ReturnType<typeof createHouseholdFolder>;

/**
 * A folder of files that the household edits by hand, and on the page. Callers choose the names of the files;
 * they must not come from a request unchecked.
 */
export function createHouseholdFolder(path: string) {
  const onDisk = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw new AppError('not_possible', reasonOf(error, path), { cause: error });
    }
  };
  return {
    /** Null: there is no such file. */
    read(file: string): Buffer | null {
      try {
        return readFileSync(join(path, file));
      } catch (error) {
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
        throw new AppError('not_possible', reasonOf(error, path), { cause: error });
      }
    },

    /** The names of its files. */
    names(): readonly string[] {
      try {
        return readdirSync(path);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return [];
        throw new AppError('not_possible', reasonOf(error, path), { cause: error });
      }
    },

    /** Replaces the file at once, so that no reader sees half of it. */
    write(file: string, content: string | Uint8Array): void {
      const to = join(path, file);
      const part = `${to}.${randomUUID()}.part`;
      onDisk(() => {
        mkdirSync(dirname(to), { recursive: true });
        try {
          // Containers read it as another user. It contains no secrets.
          writeFileSync(part, content, { mode: 0o644, flush: true });
          renameSync(part, to);
        } finally {
          rmSync(part, { force: true });
        }
      });
    },

    remove: (file: string): void => onDisk(() => rmSync(join(path, file), { force: true })),
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function reasonOf(error: unknown, path: string): string {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full. Nothing has been changed.';
  return (
    `Hearth may not change the folder ${path}. Give it to the user that runs Hearth, in containers to user ` +
    '1000. Nothing has been changed.'
  );
}
