import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type Config, ConfigError } from '../config.ts';
import { loadCommunityLanguage, readCommunityFile } from '../language/community/community-language.ts';
import { type FileDraft, type Language, loadLanguage } from '../language/language.ts';
import { languageOf } from '../language/language-tag.ts';
import { createOwnSentences, type OwnSentenceFiles } from '../settings/own-sentences.ts';

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

/**
 * The tags of the household's languages. The first is spoken where no other was chosen. Throws ConfigError if
 * one is not installed. `chosenLanguage` must be offered.
 */
export function spokenTags({
  language,
  chosenLanguage = null,
}: Pick<Config, 'language'> & Partial<Pick<Config, 'chosenLanguage'>>): [string, ...string[]] {
  const known = [...completeTags(), ...Object.keys(readCommunityFile(communityFile()).sentences)].toSorted();
  const tagOf = (named: string): string => {
    const tag = languageOf(named, known);
    if (tag !== null) return tag;
    throw new ConfigError(`HEARTH_LANGUAGE must be one of ${known.join(', ')}, but is "${named}".`);
  };
  const [first = '', ...others] = language.split(',').map((named) => named.trim());
  const named = [first, ...others.filter(Boolean)].map(tagOf);
  const usual = chosenLanguage ?? named[0] ?? first;
  // The choice takes the place of the first language, unless it is one of the others.
  const kept = named.includes(usual) ? named : named.slice(1);
  return [usual, ...new Set(kept.filter((tag) => tag !== usual))];
}

/** The languages that the settings offer: the complete ones, and those of the environment. */
export function offeredLanguages({ language }: Pick<Config, 'language'>): string[] {
  return [...new Set([...completeTags(), ...spokenTags({ language })])].toSorted();
}

/** The household's languages with its own sentences. Throws ConfigError if one is not installed. */
export function spokenLanguages(config: LanguageConfig): [Language, ...Language[]] {
  const [usual, ...others] = spokenTags(config);
  const load = (tag: string) => installedLanguage(tag, config);
  return [load(usual), ...others.map(load)];
}

type LanguageConfig = Pick<Config, 'language' | 'languagesDir' | 'modelsDir'> &
  Partial<Pick<Config, 'chosenLanguage'>>;

/** A language with the household's own sentences. `draft`: a file of theirs that is not saved yet. */
export function installedLanguage(
  tag: string,
  { languagesDir, modelsDir }: LanguageConfig,
  draft?: FileDraft,
): Language {
  const folderOf = (languages: string) => pathToFileURL(`${join(languages, tag)}/`);
  const files = { folder: folderOf(languagesFolder()), household: folderOf(languagesDir), draft };
  if (completeTags().includes(tag)) return loadLanguage(files);
  try {
    return loadCommunityLanguage({ tag, own: communityFile(), folder: join(modelsDir, 'sentences'), files });
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

const languagesFolder = () => projectFile('api/languages');
const communityFile = () => join(languagesFolder(), 'community.yaml');

/** The languages with a folder. They have every skill. */
function completeTags(): string[] {
  return readdirSync(languagesFolder(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** Containers name the address of the computer at which their port is published. */
export function isInContainer({ listenAddress }: Pick<Config, 'listenAddress'>): boolean {
  return listenAddress !== undefined;
}

/** The household's own sentences in all of its languages. */
export function ownSentencesOf(config: LanguageConfig & Pick<Config, 'listenAddress'>): OwnSentenceFiles {
  return createOwnSentences({
    tags: spokenTags(config),
    shipped: languagesFolder(),
    folder: config.languagesDir,
    isInContainer: isInContainer(config),
  });
}
