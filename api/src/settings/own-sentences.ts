import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { createHouseholdFolder } from './household-folder.ts';

/** A file of the household's own sentences after a change. A null `text` deletes the file. */
export const sentenceDraftSchema = z.object({ file: z.string(), text: z.string().nullable() });
export type SentenceDraft = z.infer<typeof sentenceDraftSchema>;

interface OwnSentencesOptions {
  /** The languages of the household. */
  tags: readonly string[];
  /** The folder with Hearth's files. A language of the community has none there. */
  shipped: string;
  /** The folder with the household's files. */
  folder: string;
  isInContainer: boolean;
}

export type OwnSentenceFiles = ReturnType<typeof createOwnSentences>;

/** The household's additions to the files of its languages. Create it when the process has read them. */
export function createOwnSentences({ tags, shipped, folder, isInContainer }: OwnSentencesOptions) {
  /** The only names of files that a caller can use: `en/skills/lists.yaml`. */
  const files = tags.flatMap((tag) => yamlFilesIn(join(shipped, tag)).map((file) => `${tag}/${file}`));
  const ours = createHouseholdFolder({ path: shipped, isInContainer });
  const household = createHouseholdFolder({ path: folder, isInContainer });
  const textOf = (file: string): string | null => household.read(file)?.toString('utf8') ?? null;
  const present = (): SentenceDraft[] => files.map((file) => ({ file, text: textOf(file) }));
  const atStart = present();

  const known = (file: string): string => {
    const found = files.find((each) => each === file);
    if (found !== undefined) return found;
    throw new AppError('not_found', 'Hearth has no file of this name in your languages.', { param: 'file' });
  };

  return {
    /** All files that the household can add to. */
    files,
    /** The files that it has added to. */
    added: () => present().flatMap(({ file, text }) => (text === null ? [] : [{ file, text }])),
    /** Whether the files have changed since this process read them. */
    needRestart: () => present().some(({ text }, at) => text !== atStart[at]?.text),
    /** Hearth's own file. */
    shipped: (file: string): string => ours.read(known(file))?.toString('utf8') ?? '',
    known,
    keep({ file, text }: SentenceDraft): void {
      if (text === null) household.remove(known(file));
      else household.write(known(file), text);
    },
  };
}

/** The paths of the files below a folder, sorted. */
function yamlFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .toSorted();
  } catch {
    return [];
  }
}
