import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type Config, ConfigError } from '../config.ts';
import { loadCommunityLanguage, readCommunityFile } from '../language/community/community-language.ts';
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
  modelsDir,
}: Pick<Config, 'language' | 'languagesDir' | 'modelsDir'>): Language {
  const installed = projectFile('api/languages');
  const complete = readdirSync(installed, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const own = join(installed, 'community.yaml');
  const known = [...complete, ...Object.keys(readCommunityFile(own).sentences)].toSorted();
  const spoken = languageOf(language, known);
  if (spoken === null)
    throw new ConfigError(`HEARTH_LANGUAGE must be one of ${known.join(', ')}, but is "${language}".`);
  const folderOf = (languages: string) => pathToFileURL(`${join(languages, spoken)}/`);
  const files = { folder: folderOf(installed), household: folderOf(languagesDir) };
  if (complete.includes(spoken)) return loadLanguage(files);
  try {
    return loadCommunityLanguage({ tag: spoken, own, folder: join(modelsDir, 'sentences'), files });
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}
