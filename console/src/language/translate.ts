/** The languages of the page, as BCP 47 tags. */
export const pageLanguages = ['en', 'de', 'es', 'fr', 'it', 'nl'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

type Values = Readonly<Record<string, string | number>>;
type Texts = Readonly<Record<string, string>>;

/** The texts are by their English ones. */
let shown: { language: PageLanguage; locale: string; texts: Texts } = {
  language: 'en',
  locale: 'en',
  texts: {},
};
let plurals = new Intl.PluralRules('en');

/** Sets the language, before the first text is shown. Throws a RangeError if the locale is no BCP 47 tag. */
export function setPageLanguage(language: PageLanguage, locale: string, texts: Texts): void {
  plurals = new Intl.PluralRules(locale);
  shown = { language, locale, texts };
}

export const pageLanguage = (): PageLanguage => shown.language;

/** The locale for times, dates and numbers: the page's language as the browser's user writes it ("de-AT"). */
export const pageLocale = (): string => shown.locale;

/** The text of one meaning: "From|quiet hours" is another text than "From|sender". */
const withoutContext = (key: string): string => key.replace(/\|[^|]*$/, '');

const textOf = (key: string): string => shown.texts[key] ?? withoutContext(key);

const place = /\{(\w+)\}/g;

/**
 * The text in the page's language, with its values: `t('Talk in {room}', { room })`. The English text is the
 * key, as in gettext. A word with two meanings gets a context after a bar: `t('From|quiet hours')`.
 */
export function t(text: string, values: Values = {}): string {
  return textOf(text).replaceAll(place, (whole, name: string) => String(values[name] ?? whole));
}

/**
 * One of two texts for a number, which they may name `{n}`. The plural rules of CLDR for the page's language
 * decide which.
 */
export function tCount(n: number, one: string, other: string, values: Values = {}): string {
  const text = plurals.select(n) === 'one' ? one : other;
  return t(text, { n: n.toLocaleString(shown.locale), ...values });
}

/** A text with elements in it: `tRich('Open {link}.', { link: <a href="#talk">{t('Talk')}</a> })`. */
export function tRich<Element>(
  text: string,
  values: Readonly<Record<string, Element>>,
): (string | Element)[] {
  return textOf(text)
    .split(place)
    .map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)));
}
