import { z } from 'zod';
import { type LanguageFiles, loadPart, rulesOf } from '../../language/language.ts';
import { fill, type PhraseValues, phraseSchema } from '../../language/phrase.ts';

const lines = z.array(z.string().trim().min(1));
const present = z.array(z.unknown());

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

type Replies = Readonly<Record<string, readonly string[]>>;

/** The same for every language. */
const schemas = new WeakMap<Replies, ReturnType<typeof makeRepliesSchema>>();

function repliesSchema(replies: Replies) {
  const before = schemas.get(replies);
  if (before) return before;
  const made = makeRepliesSchema(replies);
  schemas.set(replies, made);
  return made;
}

function makeRepliesSchema(replies: Replies) {
  const phrases = Object.entries(replies).map(([key, names]) => [key, phraseSchema(names)] as const);
  return z.strictObject(Object.fromEntries(phrases));
}

/** Reads the sentences and replies of a skill: `skills/<name>.yaml`. */
export function loadSkill<Reply extends string, Words>(
  files: LanguageFiles,
  name: string,
  { replies, words }: SkillShape<Reply, Words>,
): SkillLanguage<Reply, Words> {
  const schema = z.strictObject({
    help: z.string().optional(),
    sentences: z.record(z.string(), lines),
    replies: repliesSchema(replies),
    words,
  });
  const file = `skills/${name}.yaml`;
  const loaded = loadPart(files, file, schema);
  const { agreed = (text: string) => text } = rulesOf(files);
  return {
    sentencesOf(intents) {
      const sentences = z.strictObject(Object.fromEntries(intents.map((intent) => [intent, present])));
      loadPart(files, file, z.object({ sentences }));
      // In file order, which decides between equally good matches.
      return loaded.sentences;
    },
    words: loaded.words,
    help: loaded.help,
    reply: (key, values, turn) => agreed(fill(loaded.replies[key] ?? [], values, turn?.id)),
  };
}
