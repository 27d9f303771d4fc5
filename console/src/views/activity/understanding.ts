import type { components } from '../../../../api/src/http/contract-types.ts';
import { pageLocale, t } from '../../language/translate.ts';

type Understanding = components['schemas']['Understanding'];
type Group = components['schemas']['Sentences']['groups'][number];

/**
 * Sentences that explain how the words of a turn were understood. `groups`: the examples of the page, whose
 * titles name the rules for people.
 */
export function understandingWords(
  user: string,
  understood: Understanding,
  groups: readonly Pick<Group, 'title' | 'skill'>[],
): string[] {
  const { names, heard, is_sure: isSure, alternatives } = understood;
  return [
    ...(heard === null
      ? []
      : [t('Hearth heard “{heard}” and understood “{words}”.', { heard, words: user })]),
    ...(isSure ? [] : [t('It was not sure of the words.')]),
    ...(alternatives.length === 0
      ? []
      : [t('It could also have been {sentences}.', { sentences: oneOf(alternatives) })]),
    ruleWords(understood, groups),
    ...(names.length === 0
      ? []
      : [t('It found {values} in the words.', { values: names.map(valueWords).join(', ') })]),
  ];
}

function ruleWords({ via, rule }: Understanding, groups: readonly Pick<Group, 'title' | 'skill'>[]): string {
  if (via === 'local') return t('No fixed rule matched, so the language model answered.');
  if (via === 'home')
    return rule === null ? t('Home Assistant understood the sentence.') : t('It is a command for your home.');
  const skill = rule?.split(': ')[0];
  const titles = groups.filter((group) => group.skill === skill).map(({ title }) => title);
  if (titles.length === 0) return t('It fits a fixed rule.');
  return t('It fits the examples under {titles} in {view}.', {
    titles: oneOf(titles),
    view: quoted(t('What can I say?')),
  });
}

/** The value of a name: "list=shopping" is “shopping”. */
const valueWords = (name: string): string => quoted(name.slice(name.indexOf('=') + 1));

/** The rule and the names as the server calls them. Null: it names no rule. */
export function ruleDetails({ rule, names }: Understanding): string | null {
  return rule && [rule, ...names].join(', ');
}

const quoted = (text: string): string => t('“{text}”', { text });

/** “Timers” or “Alarms” */
const oneOf = (texts: readonly string[]): string =>
  new Intl.ListFormat(pageLocale(), { type: 'disjunction' }).format(texts.map(quoted));
