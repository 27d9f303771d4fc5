/**
 * A parsed sentence of a language file. A space separates words; adjacent text belongs together, as in
 * `hour[s]`.
 */
export type Template =
  | { kind: 'text'; text: string }
  | { kind: 'space' }
  | ({ kind: 'slot' } & SlotReference)
  | { kind: 'row'; parts: readonly Template[] }
  /** One of them; an empty option makes the rest optional. */
  | { kind: 'choice'; options: readonly Template[] }
  /** All of them, in any order. */
  | { kind: 'permutation'; parts: readonly Template[] };

/** A slot in a sentence, and the name of its type. */
export interface SlotReference {
  name: string;
  type: string;
}

interface TemplateOptions {
  /** Named parts of sentences: `<list>`. */
  rules: Readonly<Record<string, string>>;
  /** Rules with a separate automaton; true: optional. */
  shared?: ReadonlyMap<string, boolean> | undefined;
}

export type TemplateParser = (text: string) => Template;

/** More parts would have too many orders. */
const maxInAnyOrder = 6;
/** Maximum nesting; each level uses stack space. */
const deepest = 30;

const space: Template = { kind: 'space' };
const nothing: Template = { kind: 'row', parts: [] };
const closingOf: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' };

/** A bracket, a named slot or rule, a space, or text. A backslash escapes any character. */
const piece =
  /(?<sign>[[\]()|;>}])|(?<named>\{[^{}<>[\]()|]*\}?|<[^{}<>[\]()|]*>?)|(?<space>\s+)|(?<text>(?:\\.|[^[\]()|;{}<>\s\\])+|\\)/gsu;

interface Piece {
  kind: 'sign' | 'named' | 'space' | 'text';
  source: string;
}

/**
 * Parses sentences in the format of hassil, Home Assistant's matcher: `[please] (set|start) a timer for
 * {duration}`. `[ ]` is optional, `( | )` means one of several, and `( ; )` all of them in any order.
 * `{list}` or `{list:slot}` is a slot, `<rule>` a named part, and `\(` an escaped character. Parts without a
 * space between them form one word: `hour[s]`. Throws with a sentence about the error.
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
  /** Sequences with one separator between them, and that separator; without any, the only sequence. */
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

/** All slots of these sentences. */
export function slotsIn(templates: readonly Template[]): SlotReference[] {
  const seen = new Set<Template>();
  const found: SlotReference[] = [];
  const look = (template: Template): void => {
    if (seen.has(template)) return;
    seen.add(template);
    if (template.kind === 'slot') found.push(template);
    if (template.kind === 'choice') template.options.forEach(look);
    if (template.kind === 'row' || template.kind === 'permutation') template.parts.forEach(look);
  };
  templates.forEach(look);
  return found;
}

/** The slot type of a shared rule. Its name cannot clash with a slot of a sentence. */
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
  if (type === undefined) throw new Error(`{${text}} is not the name of a slot`);
  return { kind: 'slot', name: name ?? type, type };
}

function piecesOf(source: string): Piece[] {
  return [...source.matchAll(piece)].map(({ 0: whole, groups = {} }) => {
    const kind = (['sign', 'named', 'space', 'text'] as const).find((each) => groups[each] !== undefined);
    return { kind: kind ?? 'text', source: whole };
  });
}
