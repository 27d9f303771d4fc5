import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';

/** The file of sentences of each complete language but English. */
const fileOf = { de: 'german', es: 'spanish', fr: 'french', it: 'italian', nl: 'dutch' } as const;
export type SpokenLanguage = keyof typeof fileOf;
export const spokenLanguages: readonly SpokenLanguage[] = ['de', 'fr', 'es', 'it', 'nl'];

/** The intents of the community that a household without Home Assistant can carry out. */
const communityIntents = [
  'HassStartTimer',
  'HassShoppingListAddItem',
  'HassGetCurrentTime',
  'HassListAddItem',
  'HassGetCurrentDate',
  'HassTimerStatus',
  'HassCancelTimer',
  'HassIncreaseTimer',
  'HassNevermind',
];

const lines = z.array(z.union([z.string(), z.record(z.string(), z.string())]));
const own = z.record(z.string(), lines);
const community = z.object({ tests: z.array(z.object({ sentences: z.array(z.string()) })) });

export const readYaml = (path: string): unknown => load(readFileSync(path, 'utf8'));

/** The sentence of a line, some of which YAML has quoted or read as a key. */
function sentenceOf(line: z.infer<typeof lines>[number]): string {
  const text = typeof line === 'string' ? line : Object.entries(line).flat().join(': ');
  return text.split(' => ')[0]?.replaceAll(/^"|"$/g, '') ?? '';
}

/** Our sentences of a language, one of each conversation in turn, and those that ask for nothing we do. */
export function ownSentences(language: SpokenLanguage): { commands: string[]; remarks: string[] } {
  const file = join(import.meta.dirname, '../../tests/sentences', `${fileOf[language]}.yaml`);
  const { none = [], ...conversations } = own.parse(readYaml(file));
  return {
    commands: inTurn(Object.values(conversations).map((said) => said.map(sentenceOf))),
    remarks: none.map(sentenceOf),
  };
}

/** The community's test sentences of a language, one of each file in turn. `folder`: its `tests`. */
export function communitySentences(folder: string, language: SpokenLanguage): string[] {
  const files = communityIntents.map((intent) => join(folder, language, intent)).filter(existsSync);
  const sentencesIn = (path: string) =>
    community.parse(readYaml(path)).tests.flatMap(({ sentences }) => sentences.slice(0, 1));
  return inTurn(
    files.map((intent) =>
      inTurn(
        readdirSync(intent)
          .filter((file) => file.endsWith('.yaml'))
          .map((file) => sentencesIn(join(intent, file))),
      ),
    ),
  );
}

/** The first of each group, then the second of each, and so on. */
function inTurn(groups: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => groups.flatMap((group) => group[at] ?? [])).flat();
}
