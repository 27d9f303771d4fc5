import type { components } from '../../../../api/src/http/contract-types.ts';

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
    ...(heard === null ? [] : [`Hearth heard “${heard}” and understood “${user}”.`]),
    ...(isSure ? [] : ['It was not sure of the words.']),
    ...(alternatives.length === 0
      ? []
      : [`It could also have been ${alternatives.map(quoted).join(' or ')}.`]),
    ruleWords(understood, groups),
    ...(names.length === 0 ? [] : [`It found ${names.map(valueWords).join(', ')} in the words.`]),
  ];
}

function ruleWords({ via, rule }: Understanding, groups: readonly Pick<Group, 'title' | 'skill'>[]): string {
  if (via === 'local') return 'No fixed rule matched, so the language model answered.';
  if (via === 'home')
    return rule === null ? 'Home Assistant understood the sentence.' : 'It is a command for your home.';
  const skill = rule?.split(': ')[0];
  const titles = groups.filter((group) => group.skill === skill).map(({ title }) => quoted(title));
  if (titles.length === 0) return 'It fits a fixed rule.';
  return `It fits the examples under ${titles.join(' or ')} in “What can I say?”.`;
}

/** The value of a name: "list=shopping" is “shopping”. */
const valueWords = (name: string): string => quoted(name.slice(name.indexOf('=') + 1));

/** The rule and the names as the server calls them. Null: it names no rule. */
export function ruleDetails({ rule, names }: Understanding): string | null {
  return rule && [rule, ...names].join(', ');
}

const quoted = (text: string): string => `“${text}”`;
