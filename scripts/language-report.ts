import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load, YAMLException } from 'js-yaml';
import { z } from 'zod';
import { isRecord } from '../api/src/json.ts';
import { loadLanguage } from '../api/src/language/language.ts';
import { languageOf } from '../api/src/language/language-tag.ts';
import { languageCodeOf } from '../api/src/turn/language-code.ts';
import {
  abilitiesIn,
  communityData,
  communityTags,
  missingIntents,
  missingResponses,
} from './community-docs.ts';

const root = new URL('../', import.meta.url);
/** The language that has every skill and every intent. */
const fullTag = 'en';
const nameOf = new Intl.DisplayNames(['en'], { type: 'language' });

const catalogSchema = z.object({
  models: z.array(z.object({ kind: z.string(), id: z.string(), languages: z.array(z.string()) })),
});

/** The report about a language as lines. `folder`: the languages with files. Undefined: no such language. */
export function languageReport(
  named: string,
  folder: URL = new URL('api/languages/', root),
): string[] | undefined {
  const own = ownTags(folder);
  const tag = languageOf(named, [...own, ...communityTags]);
  if (tag === null) return undefined;
  const isOwn = own.includes(tag);
  return [
    `${nameOf.of(tag) ?? tag} (${tag}): ${isOwn ? `api/languages/${tag}/` : "the sentences of Home Assistant's community"}`,
    ...(isOwn ? ownLines(tag, folder) : communityLines(tag, folder)),
    ...modelLines(tag),
    isOwn
      ? 'To complete it, see "Add an intent to a language" in docs/languages.md.'
      : 'To complete it, give it a folder: see "Add a language" in docs/languages.md.',
  ];
}

/** The tags that a report can be about, as lines. */
export function knownLanguages(folder: URL = new URL('api/languages/', root)): string[] {
  return [
    `With a folder in api/languages/: ${ownTags(folder).join(', ')}`,
    `With the sentences of the community: ${communityTags.join(', ')}`,
  ];
}

function ownTags(folder: URL): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function skillsOf(language: URL): string[] {
  const skills = new URL('skills/', language);
  return existsSync(skills) ? readdirSync(skills).map((file) => file.replace(/\.yaml$/, '')) : [];
}

function ownLines(tag: string, folder: URL): string[] {
  const here = new URL(`${tag}/`, folder);
  const full = new URL(`${fullTag}/`, folder);
  const others = ownTags(folder)
    .filter((each) => each !== tag && tag !== fullTag)
    .map((each) => new URL(`${each}/`, folder))
    .filter((each) => loads(each) === 'yes');
  const skills = skillsOf(full).map((skill) => {
    const file = `skills/${skill}.yaml`;
    const isThere = existsSync(new URL(file, here));
    return { skill, isThere, lacks: isThere ? lacksOf(file, { here, full, others }) : [] };
  });
  const files = readdirSync(full).filter((file) => file.endsWith('.yaml'));
  const texts = files.flatMap((file) => lacksOf(file, { here, full, others }));
  const whole = skills.filter(({ isThere, lacks }) => isThere && lacks.length === 0);
  const part = skills.filter(({ lacks }) => lacks.length > 0);
  return [
    `complete skills: ${listed(whole.map(({ skill }) => skill))}`,
    'skills in part:',
    ...(part.length === 0 ? ['  none'] : part.map(({ skill, lacks }) => `  ${skill}: ${lacks.join('; ')}`)),
    `missing skills: ${listed(skills.filter(({ isThere }) => !isThere).map(({ skill }) => skill))}`,
    `missing texts: ${listed(texts)}`,
    `it loads: ${loads(here)}`,
  ];
}

interface Compared {
  here: URL;
  full: URL;
  others: readonly URL[];
}

/** The missing parts of a file: intents without sentences, and texts that every other language has. */
function lacksOf(file: string, { here, full, others }: Compared): string[] {
  const having = others.filter((other) => existsSync(new URL(file, other)));
  const isNeeded = having.length === others.length;
  if (!existsSync(new URL(file, here))) return isNeeded ? [file] : [];
  const content = readOrReason(new URL(file, here));
  if (typeof content === 'string') return [`${file}: ${content}`];
  const { sentences: wanted } = readFile(new URL(file, full));
  const { sentences } = content;
  const silent = Object.keys(isRecord(wanted) ? wanted : {}).filter(
    (intent) => !isRecord(sentences) || isEmpty(sentences[intent]),
  );
  const [first = [], ...rest] = having.map((other) =>
    keysIn(withoutSentences(readFile(new URL(file, other)))),
  );
  const common = first.filter((key) => rest.every((keys) => keys.includes(key)));
  const present = keysIn(withoutSentences(content));
  const texts = common.filter((key) => !present.includes(key));
  const place = file.startsWith('skills/') ? '' : `${file}: `;
  return [
    ...(silent.length > 0 ? [`no sentences for ${silent.join(', ')}`] : []),
    ...(texts.length > 0 ? [`${place}no ${texts.join(', ')}`] : []),
  ];
}

function readFile(url: URL): Record<string, unknown> {
  const content = load(readFileSync(url, 'utf8'));
  return isRecord(content) ? content : {};
}

/** The content of a file, or the reason why it cannot be read. */
function readOrReason(url: URL): Record<string, unknown> | string {
  try {
    return readFile(url);
  } catch (error) {
    if (error instanceof YAMLException) return `line ${(error.mark?.line ?? 0) + 1}: ${error.reason}`;
    throw error;
  }
}

/** Each language names the sets of words in its topics as it likes. */
const withoutSentences = ({ sentences: _, sets: __, ...rest }: Record<string, unknown>) => rest;
const isEmpty = (sentences: unknown) => !Array.isArray(sentences) || sentences.length === 0;

/** The keys of a file and of its parts. Deeper ones are often words of the language. */
function keysIn(content: Record<string, unknown>): string[] {
  return Object.entries(content).flatMap(([key, value]) =>
    isRecord(value) ? Object.keys(value).map((inner) => `${key}.${inner}`) : [key],
  );
}

function loads(folder: URL): string {
  try {
    loadLanguage({ folder });
    return 'yes';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `no: ${reason.replaceAll(fileURLToPath(root), '')}`;
  }
}

/** The abilities of the community's sentences, and the skill of each. */
const skillOfAbility: Readonly<Record<string, string>> = {
  timers: 'timers',
  lists: 'lists',
  clock: 'clock',
  'never mind': 'talk',
  announcements: 'announce',
};

function communityLines(tag: string, folder: URL): string[] {
  const data = communityData(tag);
  const abilities = Object.entries(abilitiesIn(data));
  const partly = new Set(abilities.flatMap(([ability]) => skillOfAbility[ability] ?? []));
  const none = skillsOf(new URL(`${fullTag}/`, folder)).filter((skill) => !partly.has(skill));
  return [
    'skills in part:',
    ...abilities.map(([ability, parts]) => `  ${skillOfAbility[ability]} (${ability}): ${parts}`),
    `missing skills: ${listed(none)}`,
    `intents without sentences: ${listed(missingIntents(data))}`,
    `responses that say nothing, so that Hearth says "done": ${listed(missingResponses(data))}`,
  ];
}

/** The models of the catalog that know a language. */
function modelLines(tag: string): string[] {
  const catalog = JSON.parse(readFileSync(new URL('services/models/models.json', root), 'utf8'));
  const { models } = catalogSchema.parse(catalog);
  const code = languageCodeOf(tag) ?? tag;
  const knowing = (kind: string) =>
    models
      .filter((model) => model.kind === kind)
      .filter(({ languages }) => languages.includes(code) || languages.includes('multilingual'))
      .map(({ id }) => id);
  const voices = knowing('tts');
  return [
    `speech recognition: ${listed(knowing('stt'))}`,
    voices.length > 0
      ? `voice: ${listed(voices)}`
      : 'voice: none is brought along; the page downloads one (Settings, For experts, Voices), and espeak-ng speaks until then',
    `language model: ${listed(knowing('llm'))}`,
  ];
}

function listed(names: readonly string[]): string {
  return names.join(', ') || 'none';
}
