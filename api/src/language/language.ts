import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, YAMLException } from 'js-yaml';
import { z } from 'zod';
import { isRecord } from '../json.ts';
import type { CommunityLanguage } from './community/community-words.ts';
import { german } from './de/german.ts';
import { english } from './en/english.ts';
import { spanish } from './es/spanish.ts';
import { french } from './fr/french.ts';
import { grammarSchema } from './grammar/grammar.ts';
import { hearingSchema } from './hints.ts';
import { italian } from './it/italian.ts';
import { dutch } from './nl/dutch.ts';
import { numbersSchema } from './numbers/number-reader.ts';
import { phrasesSchema } from './phrases.ts';
import { promptSchema } from './prompt-schema.ts';
import type { LanguageRules } from './rules.ts';
import { type Speaking, speakingSchema } from './speaking-schema.ts';

/** A language file before validation. */
const fileSchema = z.record(z.string(), z.json());
type Json = z.infer<ReturnType<typeof z.json>>;

/** The location of a language's files. */
export interface LanguageFiles {
  /** A language's folder, `languages/en/`. */
  folder: URL;
  /** A folder with the household's additions to the same files. Each file may be missing. */
  household?: URL | undefined;
  /** One file of that folder as it would be after a change, to check it before it is saved. */
  draft?: FileDraft | undefined;
}

/** The content of a household file. */
export interface FileDraft {
  /** Its path in the folder of the language: `skills/lists.yaml`. */
  file: string;
  /** Null: without this file. */
  text: string | null;
}

/** All data of a language. `community`: its sentences are those of Home Assistant's community. */
export type Language = ReturnType<typeof loadLanguage> & { community?: CommunityLanguage };

/** Loads all language-dependent data. Throws with a sentence that names the file and the field. */
export function loadLanguage(files: LanguageFiles) {
  const rules = rulesOf(files);
  const numbers = loadPart(files, 'numbers.yaml', numbersSchema);
  const speaking: Speaking = {
    ...loadPart(files, 'speaking.yaml', speakingSchema),
    marks: numbers.marks,
    formOf: rules.formOf,
    ordinalOf: rules.ordinalOf,
  };
  return {
    /** Its BCP 47 tag, which names its folder. */
    tag: tagOf(files),
    rules,
    hearing: loadPart(files, 'hearing.yaml', hearingSchema),
    speaking,
    phrases: loadPart(files, 'phrases.yaml', phrasesSchema),
    prompt: loadPart(files, 'prompt.yaml', promptSchema),
    grammar: loadPart(files, 'grammar.yaml', grammarSchema),
    numbers,
    /** Each skill reads a separate file: `skills/<name>.yaml`. */
    files,
  };
}

const rulesByLanguage: Readonly<Record<string, LanguageRules>> = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
};

/** The BCP 47 tag of a language. */
export function tagOf({ folder }: { folder: URL }): string {
  return basename(fileURLToPath(folder));
}

/** The rules of a language; its folder has its name. */
export function rulesOf({ folder }: { folder: URL }): LanguageRules {
  const rules = rulesByLanguage[tagOf({ folder })];
  if (!rules) throw new Error(`${fileURLToPath(folder)} is a language without rules in api/src/language/.`);
  return rules;
}

/** Whether a language has a skill. English has every one. */
export function hasSkill({ folder }: { folder: URL }, name: string): boolean {
  return existsSync(new URL(`skills/${name}.yaml`, folder));
}

/** Loads one file of a language with the household's additions: lists are extended, other values replaced. */
export function loadPart<T>(files: LanguageFiles, file: string, schema: z.ZodType<T>): T {
  // Each schema reads few files: compiling it takes longer than it saves.
  const checked = schema.safeParse(contentOf(files, file), { jitless: true });
  if (checked.success) return checked.data;
  const own = fileURLToPath(new URL(file, files.folder));
  const names = addedFile(files, file)?.names(own) ?? [own];
  const [issue] = checked.error.issues;
  throw new Error(`${names.join(' with ')}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
}

/** The contents of the files. Several skills read the same ones. */
const contents = new WeakMap<LanguageFiles, Map<string, Json>>();

function contentOf(files: LanguageFiles, file: string): Json {
  const read = contents.get(files) ?? new Map<string, Json>();
  contents.set(files, read);
  const before = read.get(file);
  if (before !== undefined) return before;
  const own = readYaml(new URL(file, files.folder));
  const added = addedFile(files, file);
  const content = added ? merged(own, added.content()) : own;
  read.set(file, content);
  return content;
}

/** The household's additions to a file. Undefined: there are none. */
function addedFile({ household, draft }: LanguageFiles, file: string) {
  if (draft?.file === file) {
    const { text } = draft;
    return text === null ? undefined : { names: () => [file], content: () => parseYaml(file, () => text) };
  }
  const url = household && new URL(file, household);
  if (url === undefined || !existsSync(url)) return undefined;
  return { names: (own: string) => [own, fileURLToPath(url)], content: () => readYaml(url) };
}

function readYaml(url: URL): Json {
  return parseYaml(fileURLToPath(url), () => readFileSync(url, 'utf8'));
}

function parseYaml(path: string, read: () => string): Json {
  try {
    return fileSchema.parse(load(read()));
  } catch (error) {
    if (error instanceof z.ZodError) throw new Error(`${path} must hold names with values.`);
    if (error instanceof YAMLException)
      throw new Error(`${path}:${(error.mark?.line ?? 0) + 1}: ${error.reason}`, { cause: error });
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function merged(own: Json, added: Json): Json {
  if (Array.isArray(own)) return Array.isArray(added) ? [...own, ...added] : added;
  if (!isRecord(own) || !isRecord(added)) return added;
  const all: Record<string, Json> = { ...own };
  for (const [name, value] of Object.entries(added)) {
    const before = Object.hasOwn(own, name) ? own[name] : undefined;
    all[name] = before === undefined ? value : merged(before, value);
  }
  return all;
}
