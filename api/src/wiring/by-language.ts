import type { Language } from '../language/language.ts';

/** The household's languages. The first one counts where no other was chosen. */
export type Languages = readonly [Language, ...Language[]];

/** A turn, a sentence or a room, which may have a language. Undefined: the household's first. */
interface SpokenIn {
  language?: string | undefined;
}

/** One part for each language of the household. */
export interface ByLanguage<Part> {
  of: (spoken: SpokenIn) => Part;
  all: readonly Part[];
}

export function byLanguage<Part>(
  [usual, ...others]: Languages,
  create: (language: Language) => Part,
): ByLanguage<Part> {
  const first = create(usual);
  const parts = new Map(others.map((language) => [language.tag, create(language)]));
  return {
    of: ({ language }) => parts.get(language ?? usual.tag) ?? first,
    all: [first, ...parts.values()],
  };
}
