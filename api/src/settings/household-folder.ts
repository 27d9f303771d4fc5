import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../errors.ts';

interface FolderOptions {
  path: string;
  /** In a container, the host's folder of the same name, in Hearth's folder, is mounted here. */
  isInContainer: boolean;
}

/** The user of the containers. */
const containerUser = 1_000;

export type HouseholdFolder = ReturnType<typeof createHouseholdFolder>;

/**
 * A folder of files that the household edits by hand, and on the page. Callers choose the names of the files;
 * they must not come from a request unchecked.
 */
export function createHouseholdFolder(options: FolderOptions) {
  const { path } = options;
  const faultOf = (error: unknown) =>
    new AppError('not_possible', folderFault(error, options), { cause: error });
  const onDisk = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw faultOf(error);
    }
  };
  return {
    /** Null: there is no such file. */
    read(file: string): Buffer | null {
      try {
        return readFileSync(join(path, file));
      } catch (error) {
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
        throw faultOf(error);
      }
    },

    /** The names of its files. */
    names(): readonly string[] {
      try {
        return readdirSync(path);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return [];
        throw faultOf(error);
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

/** Why the files of a folder cannot be used, and the command that helps. */
export function folderFault(error: unknown, { path, isInContainer }: FolderOptions): string {
  const folder = isInContainer ? basename(path) : path;
  const message = `${reasonOf(error, folder)} Nothing has been changed.`;
  return isRefused(error) ? `${message} ${remedy(folder, isInContainer)}` : message;
}

const isRefused = (error: unknown) => codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM';

function reasonOf(error: unknown, folder: string): string {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full.';
  if (code === 'EROFS') return `The folder ${folder} is on a disk that allows no changes.`;
  if (isRefused(error))
    return `Hearth is not allowed to change the folder ${folder}: it belongs to another user.`;
  return `Hearth failed to change the folder ${folder} (${code ?? error}).`;
}

function remedy(folder: string, isInContainer: boolean): string {
  return isInContainer
    ? `On the computer that runs Hearth, type in Hearth’s folder: sudo chown -R ${containerUser} ${folder}`
    : `On the computer that runs Hearth, type: sudo chown -R ${process.getuid?.()} "${folder}"`;
}
