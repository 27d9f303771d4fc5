import { z } from 'zod';

const place = /\{(\w+)\}/g;

/** A sentence to say, in one or several variants, with places like {text} to fill in. */
export type Phrase = readonly string[];

export type PhraseValues = Readonly<Record<string, string | number>>;

/** Validates a phrase of a language file: one sentence or a list of variants with only these `places`. */
export function phraseSchema(places: readonly string[]) {
  const sentence = z
    .string()
    .trim()
    .min(1)
    .superRefine((text, context) => {
      const unknown = [...text.matchAll(place)]
        .map(([, name = '']) => name)
        .find((name) => !places.includes(name));
      if (unknown === undefined) return;
      const known = places.map((name) => `{${name}}`).join(', ') || 'none';
      context.addIssue({
        code: 'custom',
        message: `there is no {${unknown}} to fill in here (known: ${known})`,
      });
    });
  return z.union([sentence.transform((text) => [text]), z.array(sentence).min(1)]);
}

/** The words to say. Only `seed` decides the variant: a turn that runs twice says the same. */
export function fill(phrase: Phrase, values: PhraseValues = {}, seed = ''): string {
  const variant = phrase[hashOf(seed) % phrase.length] ?? '';
  return variant.replaceAll(place, (whole, name: string) => String(values[name] ?? whole));
}

/** Several things as a spoken list: "milk, eggs and bread". */
export function joined(
  things: readonly string[],
  { between, last }: { between: string; last: string },
): string {
  const all = things.slice(0, -1).join(between);
  return all === '' ? (things.at(-1) ?? '') : `${all}${last}${things.at(-1)}`;
}

/** FNV-1a: spreads ids that differ in one letter. An empty seed is 0: the first variant. */
function hashOf(seed: string): number {
  if (seed === '') return 0;
  let hash = 0x811c9dc5;
  for (let at = 0; at < seed.length; at += 1) {
    hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
