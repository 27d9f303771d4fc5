import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type Config, ConfigError } from '../config.ts';
import { type Language, loadLanguage } from '../language/language.ts';
import { languageOf } from '../language/language-tag.ts';

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

/** The household's language with its own sentences. Throws ConfigError if it is not installed. */
export function spokenLanguage({
  language,
  languagesDir,
}: Pick<Config, 'language' | 'languagesDir'>): Language {
  const installed = projectFile('api/languages');
  const known = readdirSync(installed).toSorted();
  const spoken = languageOf(language, known);
  if (spoken === null)
    throw new ConfigError(`HEARTH_LANGUAGE must be one of ${known.join(', ')}, but is "${language}".`);
  const folderOf = (languages: string) => pathToFileURL(`${join(languages, spoken)}/`);
  return loadLanguage({ folder: folderOf(installed), household: folderOf(languagesDir) });
}
