import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'vite';
import { isRecord } from '../../api/src/json.ts';

const root = resolve(import.meta.dirname, '../..');

/** The messages of the terminal, and where a text goes round them. */
export interface TerminalMessages {
  /** The English texts, with the place of each. */
  readonly texts: Map<string, string>;
  /** Calls whose text is not a literal, or whose values do not fit. */
  readonly wrong: string[];
  /** Words that are printed without a call. */
  readonly bare: string[];
}

/** Two words in a row: what people read, and not a name, an option or an address. */
const words = /\p{L}{2,}[,.:;]? \p{L}{2,}/u;
const sentence = /\p{L}{2,}[,.:;]? \p{L}+ \p{L}{2,}/u;

export const placesIn = (text: string): string[] => text.match(/%[^%]|%%/g) ?? [];

/** Reads the messages of programs in TypeScript and Python, of scripts in bash, and of the Makefile. */
export function readMessages(files: readonly string[]): TerminalMessages {
  const found: TerminalMessages = { texts: new Map(), wrong: [], bare: [] };
  for (const file of files.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())) {
    const source = readFileSync(join(root, file), 'utf8');
    if (file === 'Makefile') readMakefile(source, found);
    else if (file.endsWith('.ts')) walk(parseAst(source, { lang: 'ts' }), { file, source, found });
    else if (file.endsWith('.py')) readPython(source, file, found);
    else readScript(source, file, found);
  }
  return found;
}

function readMakefile(source: string, { texts }: TerminalMessages): void {
  for (const [, text = ''] of source.matchAll(/^(?:##@|[a-z0-9-]+:.*## ) ?(.+)$/gm))
    texts.set(text, 'Makefile');
}

/** The calls of bash that print a message: its first word is a quoted text without variables. */
const call = /(?<![\w-])(?:gettext|fail) ('[^']*'|"(?:[^"\\]|\\.)*"|\S+)/g;
/** A text of another call or program is passed on. */
const isPassedOn = (text: string): boolean => /^(?:%s|"\$[@1]"|"\$\{BASH_REMATCH\[\d\]\}"|\(.*)$/.test(text);

function readScript(source: string, file: string, found: TerminalMessages): void {
  const code = source.replaceAll(/<<(\w+)\n.*?\n\1\n/gs, '\n');
  for (const line of code.split('\n').filter((each) => !/^\s*#/.test(each))) {
    const at = `${file}: ${line.trim()}`;
    for (const [, text = ''] of line.matchAll(call)) if (!isPassedOn(text)) readShellText(text, at, found);
    const rest = line.replaceAll(call, '').replaceAll(/\$\{[^}]*\}|\$\w+/g, ' $ ');
    const isPrinting = /(?<![\w-])(?:echo|printf|read) /.test(rest);
    for (const [text] of rest.matchAll(/'[^']*'|"[^"]*"/g))
      if ((isPrinting ? words : sentence).test(text)) found.bare.push(at);
  }
}

function readShellText(text: string, at: string, { texts, wrong }: TerminalMessages): void {
  const literal = /^(['"])(.*)\1$/s.exec(text)?.[2];
  if (literal === undefined || (text.startsWith('"') && /[$`\\]/.test(literal))) wrong.push(at);
  else texts.set(literal, at);
}

const pythonText = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
const pythonCall =
  /(?<![\w.])(?:gettext|FetchError|DiskFullError|cls)\(\s*((?:(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')\s*)+)[,)]/g;
const pythonPrint =
  /(?<!\w)(?:gettext|write|say|say_once|SettingsError|FetchError)\(\s*f?("[^"\n]*"|'[^'\n]*')/g;

function readPython(source: string, file: string, { texts, wrong, bare }: TerminalMessages): void {
  const code = source.replaceAll(/"{3}.*?"{3}/gs, '').replaceAll(/^\s*#.*$/gm, '');
  for (const [, literals = ''] of code.matchAll(pythonCall))
    texts.set((literals.match(pythonText) ?? []).map((each) => each.slice(1, -1)).join(''), file);
  const rest = code.replaceAll(pythonCall, '');
  for (const [, text = ''] of rest.matchAll(pythonPrint))
    if (words.test(text.replaceAll(/\{[^}]*\}/g, ' '))) bare.push(`${file}: ${text}`);
  for (const [call] of rest.matchAll(/(?<!def )\bgettext\((?!text\b)[^)]*/g)) wrong.push(`${file}: ${call}`);
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => isRecord(value) && typeof value['type'] === 'string';

interface Place {
  readonly file: string;
  readonly source: string;
  readonly found: TerminalMessages;
}

function walk(node: unknown, place: Place): void {
  if (!isNode(node)) return;
  const { file, source, found } = place;
  const at = `${file}:${source.slice(0, Number(node['start'])).split('\n').length}`;
  const { callee } = node;
  if (node.type === 'CallExpression' && isNode(callee) && callee['name'] === 'gettext') {
    const [text, ...values] = Array.isArray(node['arguments']) ? node['arguments'] : [];
    readCall({ text, values, at }, found);
    for (const value of values) walk(value, place);
    return;
  }
  const text = textOf(node);
  if (words.test(text)) found.bare.push(`${at}: ${text}`);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) walk(child, place);
}

/** The text of a literal, or of a part of a template. Empty: it is something else. */
function textOf({ type, value }: Node): string {
  const text = type === 'TemplateElement' && isRecord(value) ? value['raw'] : value;
  return typeof text === 'string' ? text : '';
}

interface Call {
  readonly text: unknown;
  readonly values: readonly unknown[];
  readonly at: string;
}

function readCall({ text, values, at }: Call, { texts, wrong }: TerminalMessages): void {
  const literals = literalsOf(text);
  if (!literals) wrong.push(`${at}: no literal text`);
  for (const literal of literals ?? []) {
    texts.set(literal, at);
    const places = placesIn(literal).filter((place) => place !== '%%');
    if (places.length !== values.length) wrong.push(`${at}: ${values.length} values for "${literal}"`);
  }
}

/** The literals of an argument: one, or both of a choice. null: it is something else. */
function literalsOf(node: unknown): string[] | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return [node['value']];
  if (node.type !== 'ConditionalExpression') return null;
  const [yes, no] = [literalsOf(node['consequent']), literalsOf(node['alternate'])];
  return yes && no && [...yes, ...no];
}
