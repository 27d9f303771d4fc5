import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';
import { createSameWords } from './same-words.ts';

/** Sentences that people said to other assistants: one per line, in columns with a header. */
export interface Sentence {
  id: string;
  collection: string;
  /** The intent, in the collection's own words. */
  intent: string;
  text: string;
}

const intentsSchema = z.record(
  z.string(),
  z.strictObject({ changes: z.array(z.enum(['timer', 'list', 'house'])), intents: z.array(z.string()) }),
);

/** Reads the file of sentences. Throws if a column is missing. */
export function readSentences(file: string): Sentence[] {
  const [head, ...rows] = tableOf(file);
  const at = (name: string) => {
    const found = head?.indexOf(name) ?? -1;
    if (found < 0) throw new Error(`${file} has no column "${name}".`);
    return found;
  };
  const [id, collection, intent, text] = [at('id'), at('collection'), at('intent'), at('sentence')];
  return rows.map((row) => ({
    id: row[id] ?? '',
    collection: row[collection] ?? '',
    intent: row[intent] ?? '',
    text: row[text] ?? '',
  }));
}

export interface Group {
  name: string;
  /** The changes that a sentence of this group may make. */
  changes: ReadonlySet<string>;
}

/** The groups of intents that Hearth supports; null for other assistants' intents. */
export function readGroups(): (intent: string) => Group | null {
  const read = intentsSchema.parse(load(readFileSync(new URL('intents.yaml', import.meta.url), 'utf8')));
  const groups = new Map(
    Object.entries(read).flatMap(([name, { changes, intents }]) => {
      const group: Group = { name, changes: new Set(changes) };
      return intents.map((intent) => [intent, group] as const);
    }),
  );
  return (intent) => groups.get(intent) ?? null;
}

export const verdicts = ['right', 'wrong', 'untrue', 'refused', 'asked', 'other', 'noise'] as const;
export type Verdict = (typeof verdicts)[number];
const verdictSchema = z.enum(verdicts);

/**
 * Verdicts that people gave by hand, in the files of `verdicts/`: the sentence's id, the verdict, and its
 * effects. A verdict holds while the effects stay the same; other effects are another case.
 */
export function readVerdicts(): (id: string, happened: string) => Verdict | null {
  const same = createSameWords();
  const folder = new URL('verdicts/', import.meta.url);
  const rows = readdirSync(folder).flatMap((file) => tableOf(new URL(file, folder)).slice(1));
  const found = new Map(
    rows.map(([id, verdict, happened = '']) => [`${id}\t${same(happened)}`, verdictSchema.parse(verdict)]),
  );
  return (id, happened) => found.get(`${id}\t${same(happened)}`) ?? null;
}

function tableOf(file: string | URL): string[][] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => line.split('\t'));
}
