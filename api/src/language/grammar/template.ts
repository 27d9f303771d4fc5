import type { WordReader } from './words.ts';

/** A sentence of a language file, taken apart. */
export type Template =
  | { kind: 'word'; word: string }
  | { kind: 'slot'; name: string; type: string }
  | { kind: 'row'; parts: readonly Template[] }
  /** One of them; an empty row among them makes the rest optional. */
  | { kind: 'choice'; options: readonly Template[] };

interface TemplateOptions {
  readWords: WordReader;
  /** Parts of sentences that are used by their name: `<list>`. */
  rules: Readonly<Record<string, string>>;
  /** Of these the ones that are read by an automaton of their own; true: it may be left out. */
  shared?: ReadonlyMap<string, boolean>;
}

const piece = /\s*(?:([[\](){}<>|])|([^[\](){}<>|]+))/y;
const closingOf: Readonly<Record<string, string>> = { '[': ']', '(': ')' };

/**
 * Reads a sentence with choices: `[please] (set|start) a timer for {duration}`. `[ ]` may be left out, `( | )` is one of several, `{name}` or
 * `{name:type}` is a slot, `<rule>` a part with a name. Throws with a sentence about what is wrong.
 */
export function parseTemplate(text: string, { readWords, rules, shared }: TemplateOptions): Template {
  const parse = (source: string, within: readonly string[]): Template => {
    const pieces = piecesOf(source);
    let at = 0;

    const named = (open: string, close: string): string => {
      const name = pieces[at]?.trim();
      if (name === undefined || pieces[at + 1] !== close) throw new Error(`"${open}" without "${close}"`);
      at += 2;
      return name;
    };
    const part = (found: string): Template => {
      if (found === '[' || found === '(') return choice(found);
      if (found === '{') return slot(named('{', '}'));
      if (found === '<') return rule(named('<', '>'), within);
      if (/^[\])}>|]$/.test(found)) throw new Error(`"${found}" out of place`);
      return { kind: 'row', parts: readWords(found).map(({ word }) => ({ kind: 'word', word })) };
    };
    const row = (): Template => {
      const parts: Template[] = [];
      for (let found = pieces[at]; found !== undefined && !/^[\])|]$/.test(found); found = pieces[at]) {
        at += 1;
        parts.push(part(found));
      }
      return { kind: 'row', parts };
    };
    const choice = (open: string): Template => {
      const options: Template[] = [row()];
      while (pieces[at] === '|') {
        at += 1;
        options.push(row());
      }
      if (pieces[at] !== closingOf[open]) throw new Error(`"${open}" without "${closingOf[open]}"`);
      at += 1;
      if (open === '[') options.push({ kind: 'row', parts: [] });
      return { kind: 'choice', options };
    };

    const whole = row();
    if (at < pieces.length) throw new Error(`"${pieces[at]}" out of place`);
    return whole;
  };
  const rule = (name: string, within: readonly string[]): Template => {
    const source = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (source === undefined) throw new Error(`there is no rule <${name}>`);
    if (within.includes(name)) throw new Error(`the rule <${name}> holds itself`);
    const mayBeLeftOut = shared?.get(name);
    if (mayBeLeftOut !== undefined) {
      const own: Template = { kind: 'slot', name: sharedType(name), type: sharedType(name) };
      return mayBeLeftOut ? { kind: 'choice', options: [own, { kind: 'row', parts: [] }] } : own;
    }
    return parse(source, [...within, name]);
  };

  return parse(text, []);
}

/** The type of the slot that a shared rule is. No slot of a sentence can have such a name. */
export function sharedType(rule: string): string {
  return `<${rule}>`;
}

function slot(text: string): Template {
  const [, name, type] = /^(\w+)(?::(\w+))?$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`{${text}} is no name of a slot`);
  return { kind: 'slot', name, type: type ?? name };
}

function piecesOf(source: string): string[] {
  return [...source.matchAll(new RegExp(piece.source, 'g'))].map(([, sign, words = '']) => sign ?? words);
}
