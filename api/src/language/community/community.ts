import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { GrammarData } from '../grammar/grammar.ts';
import { listsSchema } from '../grammar/lists.ts';

/** The version of the Python package home-assistant-intents that `services/models/models.json` names. */
const version = '2026.10.27';

const text = z.string();
const blockSchema = z.object({
  sentences: z.array(text),
  response: text.default('default'),
  slots: z.record(text, z.union([text, z.number(), z.array(text)])).default({}),
  requires_context: z
    .object({
      domain: z.union([text.transform((one) => [one]), z.array(text)]).optional(),
      area: z.object({ slot: z.literal(true) }).optional(),
    })
    .default({}),
});

/** A language of home-assistant-intents, as far as we read it. Responses are templates of Jinja. */
const communitySchema = z.object({
  language: text,
  skip_words: z.array(text).default([]),
  lists: listsSchema,
  expansion_rules: z.record(text, text),
  intents: z.record(text, z.object({ data: z.array(blockSchema) })),
  responses: z.object({
    errors: z.record(text, text).default({}),
    intents: z.record(text, z.record(text, text)).default({}),
  }),
});

export type CommunityData = z.infer<typeof communitySchema>;

/** In these languages an apostrophe ends a word: "l'entrée". */
const eliding = ['ca', 'fr', 'it'];

/** Reads `<language>.json`. Throws with a sentence that names the file and says what to do. */
export function loadCommunity(path: string): CommunityData {
  const checked = communitySchema.safeParse(jsonIn(path));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = issue?.path.join('.') || 'the file';
  throw new Error(
    `${path}: ${place}: ${issue?.message}. Hearth reads version ${version} of home-assistant-intents.`,
  );
}

function jsonIn(path: string): unknown {
  const content = contentOf(path);
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Error(`${path} is damaged or cut off. The next start of Hearth fetches it again.`, {
      cause: error,
    });
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(
      `The sentences of this language are not in ${path}. The start fetches them with the models.`,
      { cause: error },
    );
  }
}

/** The words of a community's language, in the form of `grammar.yaml`. */
export function communityGrammar(
  data: CommunityData,
  numberWords: Readonly<Record<string, number>> = {},
): GrammarData {
  return {
    fillers: [],
    abbreviations: [],
    spellings: {},
    rules: data.expansion_rules,
    lists: data.lists,
    number_words: numberWords,
    skip_words: data.skip_words,
    elides: eliding.includes(data.language),
    compounds: [],
    shared: [],
    before: [],
    after: [],
    answers: [],
    asides: [],
    hanging: [],
    asking: { begins: [], requests: [], hanging: [], needs: {} },
    joining: [],
    follow_ups: [],
    listening: [],
    choosing: { little: [], all: [], ordinals: {} },
    stating: { subjects: [], owners: [], verbs: [] },
  };
}
