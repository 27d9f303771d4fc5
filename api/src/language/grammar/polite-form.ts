import { z } from 'zod';

const forms = z.record(z.string(), z.string());

/** A polite form that sentences are not written in: the German "Schalten Sie das Licht aus". */
export const politeFormSchema = z.strictObject({
  pronoun: z.string(),
  /** Irregular verbs, and their form in the sentences: "nehmen: nimm", "können: kannst du". */
  verbs: forms,
  /** The same for verbs that are also said of other people ("sind sie") if the pronoun has no capital. */
  questions: forms,
  /** Endings of other verbs, the longest first: "schalten" is "schalte". */
  endings: forms,
  /** Words that may precede the verb of a request. */
  after: z.array(z.string()),
});

export type PoliteForm = z.infer<typeof politeFormSchema>;

/** A spoken word, and the start of its original text. */
interface Said {
  word: string;
  start: number;
  gap: string;
}

/** Shorter words are not verbs. */
const minVerb = 4;

/** Reads a verb and its polite pronoun in the plain form: "schalten Sie" as "schalte". */
export function createPoliteFormReader({ pronoun, verbs, questions, endings, after }: PoliteForm) {
  const irregular = new Map(Object.entries(verbs));
  const asking = new Map(Object.entries(questions));
  const regular = (word: string): string | undefined => {
    const [ending, instead = ''] = Object.entries(endings).find(([each]) => word.endsWith(each)) ?? [];
    if (ending === undefined || word.length < minVerb || asking.has(word)) return undefined;
    return word.slice(0, -ending.length) + instead;
  };

  /** The plain form of the verb here. Undefined: no polite form begins here. */
  const formAt = (said: readonly Said[], at: number, text: string): string | undefined => {
    const [verb, next] = said.slice(at, at + 2);
    if (!verb || next?.word !== pronoun || next.gap !== '') return undefined;
    const isCapital = /\p{Lu}/u.test(text.charAt(next.start));
    const begins = at === 0 || verb.gap !== '' || after.includes(said[at - 1]?.word ?? '');
    const known = begins || isCapital ? irregular.get(verb.word) : undefined;
    return (
      known ?? (isCapital ? asking.get(verb.word) : undefined) ?? (begins ? regular(verb.word) : undefined)
    );
  };

  return <Each extends Said>(said: readonly Each[], text: string): Each[] => {
    const plain: Each[] = [];
    for (let at = 0; at < said.length; at += 1) {
      const [verb, next] = said.slice(at, at + 2);
      const form = formAt(said, at, text);
      if (!verb || form === undefined) {
        if (verb) plain.push(verb);
        continue;
      }
      const [first = '', pronounInstead] = form.split(' ');
      plain.push({ ...verb, word: first });
      if (next && pronounInstead !== undefined) plain.push({ ...next, word: pronounInstead });
      at += 1;
    }
    return plain;
  };
}
