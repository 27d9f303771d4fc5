import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load, YAMLException } from 'js-yaml';
import { z } from 'zod';
import { gettext } from '../api/src/cli/gettext.ts';
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
    `${nameOf.of(tag) ?? tag} (${tag}): ${isOwn ? `api/languages/${tag}/` : gettext("the sentences of Home Assistant's community")}`,
    ...(isOwn ? ownLines(tag, folder) : communityLines(tag, folder)),
    ...modelLines(tag),
    isOwn
      ? gettext('To complete it, see "Add an intent to a language" in docs/languages.md.')
      : gettext('To complete it, give it a folder: see "Add a language" in docs/languages.md.'),
  ];
}

/** The tags that a report can be about, as lines. */
export function knownLanguages(folder: URL = new URL('api/languages/', root)): string[] {
  return [
    gettext('With a folder in api/languages/: %s', ownTags(folder).join(', ')),
    gettext('With the sentences of the community: %s', communityTags.join(', ')),
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
    .filter((each) => faultOf(each) === null);
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
    gettext('complete skills: %s', listed(whole.map(({ skill }) => skill))),
    gettext('skills in part:'),
    ...(part.length === 0
      ? [`  ${gettext('none')}`]
      : part.map(({ skill, lacks }) => `  ${skill}: ${lacks.join('; ')}`)),
    gettext('missing skills: %s', listed(skills.filter(({ isThere }) => !isThere).map(({ skill }) => skill))),
    gettext('missing texts: %s', listed(texts)),
    loadWords(here),
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
    ...(silent.length > 0 ? [gettext('no sentences for %s', silent.join(', '))] : []),
    ...(texts.length > 0 ? [`${place}${gettext('no %s', texts.join(', '))}`] : []),
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
    if (error instanceof YAMLException)
      return gettext('line %s: %s', (error.mark?.line ?? 0) + 1, String(error.reason));
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

/** The reason why a language does not load. null: it does. */
function faultOf(folder: URL): string | null {
  try {
    loadLanguage({ folder });
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return reason.replaceAll(fileURLToPath(root), '');
  }
}

function loadWords(folder: URL): string {
  const fault = faultOf(folder);
  return fault === null ? gettext('it loads: yes') : gettext('it loads: no: %s', fault);
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
    gettext('skills in part:'),
    ...abilities.map(([ability, parts]) => `  ${skillOfAbility[ability]} (${ability}): ${parts}`),
    gettext('missing skills: %s', listed(none)),
    gettext('intents without sentences: %s', listed(missingIntents(data))),
    gettext('responses that say nothing, so that Hearth says "done": %s', listed(missingResponses(data))),
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
    gettext('speech recognition: %s', listed(knowing('stt'))),
    voices.length > 0
      ? gettext('voice: %s', listed(voices))
      : gettext(
          'voice: none is brought along; the page downloads one (Settings, For experts, Voices), and espeak-ng speaks until then',
        ),
    gettext('language model: %s', listed(knowing('llm'))),
  ];
}

function listed(names: readonly string[]): string {
  return names.join(', ') || gettext('none');
}
