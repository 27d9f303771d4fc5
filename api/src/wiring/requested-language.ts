import { AppError } from '../errors.ts';
import { languageOf } from '../language/language-tag.ts';
import type { Languages } from './by-language.ts';

/**
 * The language that a request names, as the tag of one of the household's. Empty counts as not given. Throws
 * AppError if the household does not speak it.
 */
export function createRequestedLanguage(languages: Languages) {
  const spoken = languages.map(({ tag }) => tag);
  return (named: string | null | undefined): string | undefined => {
    if (!named?.trim()) return undefined;
    const tag = languageOf(named, spoken);
    if (tag !== null) return tag;
    throw new AppError(
      'invalid_request',
      `This household does not speak the language. It speaks ${spoken.join(', ')}: HEARTH_LANGUAGE names them.`,
      { param: 'language' },
    );
  };
}
