import { z } from 'zod';
import { type LanguageFiles, loadPart, rulesOf } from '../../language/language.ts';
import { fill, type PhraseValues, phraseSchema } from '../../language/phrase.ts';

const lines = z.array(z.string().trim().min(1));

export const noWords = z.undefined().optional();

interface SkillShape<Reply extends string, Words> {
  /** Its replies, with their placeholders. */
  replies: Readonly<Record<Reply, readonly string[]>>;
  /** Schema of the other words that it needs; `noWords` for none. */
  words: z.ZodType<Words>;
}

/** Says one of the skill's replies. The turn decides the variant. */
export type SayReply<Reply extends string> = (
  key: Reply,
  values?: PhraseValues,
  turn?: { id: string },
) => string;

/** The sentences of these intents. Throws if one has none, or if another intent has sentences. */
export type SentencesOf = (intents: readonly string[]) => Readonly<Record<string, readonly string[]>>;

interface SkillLanguage<Reply extends string, Words> {
  sentencesOf: SentencesOf;
  reply: SayReply<Reply>;
  words: Words;
  help: string | undefined;
}

/** Reads the sentences and replies of a skill: `skills/<name>.yaml`. */
export function loadSkill<Reply extends string, Words>(
  files: LanguageFiles,
  name: string,
  { replies, words }: SkillShape<Reply, Words>,
): SkillLanguage<Reply, Words> {
  const places = new Map<string, readonly string[]>(Object.entries<readonly string[]>(replies));
  const phrases = Object.fromEntries([...places].map(([key, names]) => [key, phraseSchema(names)]));
  const schema = z.strictObject({
    help: z.string().optional(),
    sentences: z.record(z.string(), lines),
    replies: z.strictObject(phrases),
    words,
  });
  const file = `skills/${name}.yaml`;
  const loaded = loadPart(files, file, schema);
  const { agreed = (text: string) => text } = rulesOf(files);
  return {
    sentencesOf(intents) {
      const sentences = z.strictObject(Object.fromEntries(intents.map((intent) => [intent, lines])));
      loadPart(files, file, z.object({ sentences }));
      // In file order, which decides between equally good matches.
      return loaded.sentences;
    },
    words: loaded.words,
    help: loaded.help,
    reply: (key, values, turn) => agreed(fill(loaded.replies[key] ?? [], values, turn?.id)),
  };
}
