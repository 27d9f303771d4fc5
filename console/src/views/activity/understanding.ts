import type { components } from '../../../../api/src/http/contract-types.ts';

type Understanding = components['schemas']['Understanding'];

/** Sentences that explain how the words of a turn were understood. */
export function understandingWords(user: string, understood: Understanding): string[] {
  const { via, rule, names, heard, is_sure: isSure, alternatives } = understood;
  return [
    ...(heard === null ? [] : [`Hearth heard “${heard}” and understood “${user}”.`]),
    ...(isSure ? [] : ['It was not sure of the words.']),
    ...(alternatives.length === 0
      ? []
      : [`It could also have been ${alternatives.map(quoted).join(' or ')}.`]),
    ruleWords(via, rule),
    ...(names.length === 0 ? [] : [`Found in the words: ${names.map(nameWords).join(', ')}.`]),
  ];
}

function ruleWords(via: string, rule: string | null): string {
  if (via === 'local') return 'No fixed rule matched, so the language model answered.';
  const [part = '', name = ''] = rule?.split(': ') ?? [];
  if (via === 'home') {
    return rule === null
      ? 'Home Assistant understood the sentence.'
      : `A command for the home matched: ${spaced(name)}.`;
  }
  return rule === null ? 'A fixed rule matched.' : `A fixed rule matched: ${spaced(part)}, ${spaced(name)}.`;
}

/** "list=shopping" is: list “shopping”. */
function nameWords(name: string): string {
  const at = name.indexOf('=');
  return at === -1 ? quoted(name) : `${spaced(name.slice(0, at))} ${quoted(name.slice(at + 1))}`;
}

const quoted = (text: string): string => `“${text}”`;
const spaced = (name: string): string => name.replaceAll(/[_-]/g, ' ');
