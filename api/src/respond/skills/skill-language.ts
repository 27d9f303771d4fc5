import { z } from 'zod';
import { type LanguageFiles, loadPart } from '../../language/language.ts';
import { fill, type PhraseValues, phraseSchema } from '../../language/phrase.ts';

export const noWords = z.undefined().optional();

interface SkillShape<Reply extends string, Words> {
  /** What it understands: each has its sentences. */
  intents: readonly string[];
  /** What it says, with the places that are filled in. */
  replies: Readonly<Record<Reply, readonly string[]>>;
  /** Whatever else it needs in words; `noWords` for nothing. */
  words: z.ZodType<Words>;
}

/** Says one of the skill's replies. Which variant of it depends on the turn. */
export type SayReply<Reply extends string> = (
  key: Reply,
  values?: PhraseValues,
  turn?: { id: string },
) => string;

export interface SkillLanguage<Reply extends string, Words> {
  sentences: Readonly<Record<string, readonly string[]>>;
  reply: SayReply<Reply>;
  words: Words;
  help: string | undefined;
}

/** Reads what a skill understands and says: `skills/<name>.yaml`. */
export function loadSkill<Reply extends string, Words>(
  files: LanguageFiles,
  name: string,
  { intents, replies, words }: SkillShape<Reply, Words>,
): SkillLanguage<Reply, Words> {
  const places = new Map<string, readonly string[]>(Object.entries<readonly string[]>(replies));
  const phrases = Object.fromEntries([...places].map(([key, names]) => [key, phraseSchema(names)]));
  const schema = z.strictObject({
    help: z.string().optional(),
    sentences: z.strictObject(
      Object.fromEntries(intents.map((intent) => [intent, z.array(z.string().trim().min(1))])),
    ),
    replies: z.strictObject(phrases),
    words,
  });
  const loaded = loadPart(files, `skills/${name}.yaml`, schema);
  return {
    sentences: loaded.sentences,
    words: loaded.words,
    help: loaded.help,
    reply: (key, values, turn) => fill(loaded.replies[key] ?? [], values, turn?.id),
  };
}
