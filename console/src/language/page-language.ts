import { type PageLanguage, pageLanguage, pageLanguages, setPageLanguage } from './translate.ts';

const key = 'hearth-language';
const files = import.meta.glob<Record<string, string>>('./*/*.json', { import: 'default' });

const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
const known = (tag: string | null): PageLanguage | undefined => pageLanguages.find((each) => each === tag);

/** The language that was chosen on this device. null: the browser's. */
export const chosenLanguage = (): PageLanguage | null => known(localStorage.getItem(key)) ?? null;

/** The first of the browser's languages that the page has, or else English. */
export const browserLanguage = (): PageLanguage =>
  navigator.languages.map((tag) => known(baseOf(tag))).find((each) => each !== undefined) ?? 'en';

/** Stores the language of the page on this device, and loads the page again. null: the browser's. */
export function choosePageLanguage(language: PageLanguage | null): void {
  if (language === null) localStorage.removeItem(key);
  else localStorage.setItem(key, language);
  location.reload();
}

/** Loads the chosen language, or else the browser's. It is English if its texts do not arrive. */
export async function loadPageLanguage(): Promise<void> {
  const language = chosenLanguage() ?? browserLanguage();
  try {
    setPageLanguage(language, localeFor(language), await textsOf(language));
  } catch (error) {
    console.warn('The texts of the language did not arrive, so the page is in English.', error);
    setPageLanguage('en', localeFor('en'), {});
  }
  document.documentElement.lang = pageLanguage();
}

/** As the browser's user writes the language. English for a user of another language keeps its clock. */
function localeFor(language: PageLanguage): string {
  const own = navigator.languages.find((tag) => baseOf(tag) === language);
  if (own !== undefined) return own;
  if (language !== 'en') return language;
  const { hourCycle } = new Intl.DateTimeFormat(navigator.language, { hour: 'numeric' }).resolvedOptions();
  return hourCycle === undefined ? language : new Intl.Locale(language, { hourCycle }).toString();
}

async function textsOf(language: PageLanguage): Promise<Record<string, string>> {
  const paths = Object.keys(files).filter((path) => path.startsWith(`./${language}/`));
  const parts = await Promise.all(paths.map((path) => files[path]?.()));
  return Object.assign({}, ...parts);
}
