import { type PageLanguage, pageLanguages, setPageLanguage } from './translate.ts';

const key = 'hearth-language';
const files = import.meta.glob<Record<string, string>>('./*/*.json', { import: 'default' });

const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
const known = (tag: string | null): PageLanguage | undefined => pageLanguages.find((each) => each === tag);

/** The language that was chosen on this device. null: the browser's. */
export const chosenLanguage = (): PageLanguage | null => known(localStorage.getItem(key)) ?? null;

/** Stores the language of the page on this device, and loads the page again. null: the browser's. */
export function choosePageLanguage(language: PageLanguage | null): void {
  if (language === null) localStorage.removeItem(key);
  else localStorage.setItem(key, language);
  location.reload();
}

/**
 * Loads the chosen language, or else the first of the browser's that the page has. It is English if there is
 * none, or if its texts do not arrive.
 */
export async function loadPageLanguage(): Promise<void> {
  const tags = [chosenLanguage(), ...navigator.languages].filter((tag) => tag !== null);
  const language = tags.map((tag) => known(baseOf(tag))).find((each) => each !== undefined) ?? 'en';
  const locale = navigator.languages.find((tag) => baseOf(tag) === language) ?? language;
  try {
    setPageLanguage(language, locale, await textsOf(language));
  } catch (error) {
    console.warn('The texts of the language did not arrive, so the page is in English.', error);
    setPageLanguage('en', 'en', {});
  }
  document.documentElement.lang = language;
}

async function textsOf(language: PageLanguage): Promise<Record<string, string>> {
  const paths = Object.keys(files).filter((path) => path.startsWith(`./${language}/`));
  const parts = await Promise.all(paths.map((path) => files[path]?.()));
  return Object.assign({}, ...parts);
}
