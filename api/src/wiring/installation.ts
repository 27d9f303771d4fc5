import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { type Language, loadLanguage } from '../language/language.ts';

/** The spoken language: a folder of languages/. */
export const spoken = 'en';

/** A file in the project's root, for the sources and for the compiled image. */
export function projectFile(name: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error(`${name} is not there: the installation is incomplete.`);
    folder = dirname(folder);
  }
  return join(folder, name);
}

export function installedVersion(): string {
  return z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(projectFile('package.json'), 'utf8'))).version;
}

/** The spoken language with the household's own sentences. */
export function spokenLanguage({ languagesDir }: Pick<Config, 'languagesDir'>): Language {
  const folderOf = (languages: string) => pathToFileURL(`${join(languages, spoken)}/`);
  return loadLanguage({ folder: folderOf(projectFile('api/languages')), household: folderOf(languagesDir) });
}
