/** A sentence of a language file, taken apart. Between words there is a space; text without one between belongs together, as in `hour[s]`. */
export type Template =
  | { kind: 'text'; text: string }
  | { kind: 'space' }
  | { kind: 'slot'; name: string; type: string }
  | { kind: 'row'; parts: readonly Template[] }
  /** One of them; an empty row among them makes the rest optional. */
  | { kind: 'choice'; options: readonly Template[] }
  /** All of them, in any order. */
  | { kind: 'permutation'; parts: readonly Template[] };

interface TemplateOptions {
  /** Parts of sentences that are used by their name: `<list>`. */
  rules: Readonly<Record<string, string>>;
  /** Of these the ones that are read by an automaton of their own; true: it may be left out. */
  shared?: ReadonlyMap<string, boolean> | undefined;
}

export type TemplateParser = (text: string) => Template;

/** In any order, more parts would have too many orders. */
const maxInAnyOrder = 6;
/** Parts within parts: nobody writes that many, and each takes room on the stack. */
const deepest = 30;

const space: Template = { kind: 'space' };
const nothing: Template = { kind: 'row', parts: [] };
const closingOf: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' };

/** A sign, a slot or a rule with its name, a space, or text in which a backslash takes any sign's meaning away. */
const piece =
  /(?<sign>[[\]()|;>}])|(?<named>\{[^{}<>[\]()|]*\}?|<[^{}<>[\]()|]*>?)|(?<space>\s+)|(?<text>(?:\\.|[^[\]()|;{}<>\s\\])+|\\)/gsu;

interface Piece {
  kind: 'sign' | 'named' | 'space' | 'text';
  source: string;
}

/**
 * Reads sentences in the language of hassil, the matcher of Home Assistant: `[please] (set|start) a timer for {duration}`. `[ ]` may be left out, `( | )`
 * is one of several, `( ; )` is all of them in any order, `{list}` or `{list:slot}` is a slot, `<rule>` a part with a name, and `\(` is the sign itself.
 * What stands without a space between is one word: `hour[s]`. Throws with a sentence about what is wrong.
 */
export function createTemplateParser({ rules, shared }: TemplateOptions): TemplateParser {
  const known = new Map<string, Template>();
  const within: string[] = [];

  const rule = (name: string): Template => {
    const source = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (source === undefined) throw new Error(`there is no rule <${name}>`);
    if (within.includes(name)) throw new Error(`the rule <${name}> holds itself`);
    const mayBeLeftOut = shared?.get(name);
    if (mayBeLeftOut !== undefined) return sharedPart(name, mayBeLeftOut);
    const before = known.get(name);
    if (before) return before;
    if (within.length >= deepest) throw new Error(`the rule <${name}> stands in too many others`);
    within.push(name);
    try {
      const made = parse(source);
      known.set(name, made);
      return made;
    } finally {
      within.pop();
    }
  };
  const parse: TemplateParser = (text) => parseText(text, rule);
  return parse;
}

function parseText(source: string, rule: (name: string) => Template): Template {
  const pieces = piecesOf(source);
  let at = 0;
  let depth = 0;

  const part = ({ kind, source: found }: Piece): Template => {
    if (kind === 'space') return space;
    if (kind === 'text') return textPart(found);
    if (kind === 'named') return namedPart(found, rule);
    if (found === '[' || found === '(') return group(found);
    throw new Error(`"${found}" out of place`);
  };
  const row = (): Template => {
    const parts: Template[] = [];
    for (let found = pieces[at]; found && !/^[\])|;]$/.test(found.source); found = pieces[at]) {
      at += 1;
      parts.push(part(found));
    }
    return { kind: 'row', parts };
  };
  /** Rows with one sign between them, and that sign; without any, the only row. */
  const rows = (): Template => {
    const all = [row()];
    const sign = pieces[at]?.source;
    while (sign !== undefined && /^[|;]$/.test(sign) && pieces[at]?.source === sign) {
      at += 1;
      all.push(row());
    }
    if (/^[|;]$/.test(pieces[at]?.source ?? '')) throw new Error('"|" and ";" in one group');
    if (sign === ';') return permutation(all);
    return all.length === 1 ? (all[0] ?? nothing) : { kind: 'choice', options: all };
  };
  const group = (open: string): Template => {
    depth += 1;
    if (depth > deepest) throw new Error('too many groups within each other');
    const held = rows();
    depth -= 1;
    if (pieces[at]?.source !== closingOf[open]) throw new Error(`"${open}" without "${closingOf[open]}"`);
    at += 1;
    return open === '[' ? { kind: 'choice', options: [held, nothing] } : held;
  };

  const whole = rows();
  if (at < pieces.length) throw new Error(`"${pieces[at]?.source}" out of place`);
  return whole;
}

/** The type of the slot that a shared rule is. No slot of a sentence can have such a name. */
export function sharedType(rule: string): string {
  return `<${rule}>`;
}

function sharedPart(rule: string, mayBeLeftOut: boolean): Template {
  const own: Template = { kind: 'slot', name: sharedType(rule), type: sharedType(rule) };
  return mayBeLeftOut ? { kind: 'choice', options: [own, nothing] } : own;
}

function permutation(all: readonly Template[]): Template {
  if (all.length > maxInAnyOrder) throw new Error(`more than ${maxInAnyOrder} parts in any order`);
  return { kind: 'permutation', parts: all.map((each) => ({ kind: 'row', parts: [space, each, space] })) };
}

function textPart(found: string): Template {
  const text = found.replaceAll(/\\(.?)/gsu, (_whole, sign: string) => {
    if (sign === '') throw new Error('a backslash with nothing behind it');
    return sign;
  });
  return { kind: 'text', text };
}

function namedPart(found: string, rule: (name: string) => Template): Template {
  const [open = ''] = found;
  const close = closingOf[open] ?? '';
  if (!found.endsWith(close)) throw new Error(`"${open}" without "${close}"`);
  const name = found.slice(1, -1).trim();
  return open === '<' ? rule(name) : slot(name);
}

function slot(text: string): Template {
  const [, type, name] = /^(\w+(?:\.\.\w+(?:,\d+)?)?)(?::(\w+))?$/u.exec(text) ?? [];
  if (type === undefined) throw new Error(`{${text}} is no name of a slot`);
  return { kind: 'slot', name: name ?? type, type };
}

function piecesOf(source: string): Piece[] {
  return [...source.matchAll(piece)].map(({ 0: whole, groups = {} }) => {
    const kind = (['sign', 'named', 'space', 'text'] as const).find((each) => groups[each] !== undefined);
    return { kind: kind ?? 'text', source: whole };
  });
}
