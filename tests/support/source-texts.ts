import { type CallExpression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/async';
import { createVirtualFileSystem } from 'typescript/unstable/fs';

/** A string, template part or regular expression in a source file. */
export interface SourceText {
  file: string;
  line: number;
  text: string;
  /**
   * `string`: used unchanged. `text`: combined with other text or searched for in it, as every template part
   * is. `pattern`: a regular expression. `script`: a program for Redis.
   */
  kind: 'string' | 'text' | 'pattern' | 'script';
  /** It goes into an error or a log line, or it describes a setting or a tool. */
  isMessage: boolean;
}

/** String methods that arrays do not have. */
const textMethods = new Set([
  ...['replace', 'replaceAll', 'startsWith', 'endsWith', 'split', 'join', 'search', 'match', 'matchAll'],
  ...['concat', 'padStart', 'padEnd'],
]);
/** Methods that search a string or an array. */
const lookMethods = new Set(['includes', 'indexOf', 'lastIndexOf', 'has']);
/** Variables that hold a person's words. */
const saidWords = /\b(?:words?|text|said|label)$/;
const logMethods = /(?:^|\.)(?:log|logger)\??[.[]|\bonFailure$/;
/** Zod checks that take a message after their argument. */
const checkMethods = new Set(['refine', 'regex', 'enum']);
const messageFields = new Set(['description', 'error', 'message', 'msg', 'detail', 'reason']);
const redisScript = /redis\.call|\b(?:KEYS|ARGV)\[|\blocal (?:function )?\w+ ?[(=]/;

/** All texts of TypeScript sources, by file, as the compiler reads them. */
export async function sourceTexts(sources: Readonly<Record<string, string>>): Promise<SourceText[]> {
  const files = Object.entries(sources).map(([file, content]) => [`/source/${file}`, content] as const);
  const compilerOptions = { noLib: true, noResolve: true, types: [] };
  const config = JSON.stringify({ compilerOptions, files: files.map(([path]) => path) });
  const fs = createVirtualFileSystem({ '/tsconfig.json': config, ...Object.fromEntries(files) });
  const api = new API({ cwd: '/', fs });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: ['/tsconfig.json'] });
    const program = snapshot.getProject('/tsconfig.json')?.program;
    const parsed = await Promise.all(files.map(([path]) => program?.getSourceFile(path)));
    return parsed.flatMap((file, at) => {
      const name = Object.keys(sources)[at] ?? '';
      if (!file) throw new Error(`${name} is not read`);
      return textsOf(file, name);
    });
  } finally {
    await api.close();
  }
}

function textsOf(parsed: SourceFile, file: string): SourceText[] {
  const found: SourceText[] = [];
  const visit = (node: Node): void => {
    const read = readText(node);
    const line = parsed.text.slice(0, node.end).split('\n').length;
    if (read) found.push({ file, line, ...read, isMessage: isMessage(node) });
    node.forEachChild(visit);
  };
  visit(parsed);
  return found;
}

function readText(node: Node): Pick<SourceText, 'text' | 'kind'> | null {
  if (is.isRegularExpressionLiteral(node))
    return { text: node.text.slice(1, node.text.lastIndexOf('/')), kind: 'pattern' };
  if (is.isTemplateHead(node)) return partOf(node.parent, node.text);
  if (is.isTemplateMiddle(node) || is.isTemplateTail(node)) return partOf(node.parent.parent, node.text);
  if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node)) return readString(node);
  return null;
}

function partOf(template: Node, text: string): Pick<SourceText, 'text' | 'kind'> {
  if (redisScript.test(template.getText())) return { text, kind: 'script' };
  return { text, kind: isPattern(template) ? 'pattern' : 'text' };
}

function readString(node: Node & { text: string }): Pick<SourceText, 'text' | 'kind'> | null {
  const { parent, text } = node;
  const isAddress =
    is.isImportDeclaration(parent) || is.isExportDeclaration(parent) || is.isModuleDeclaration(parent);
  if (isAddress || is.isLiteralTypeNode(parent)) return null;
  if (redisScript.test(text)) return { text, kind: 'script' };
  if (isPattern(node)) return { text, kind: 'pattern' };
  return { text, kind: isPutToText(node) ? 'text' : 'string' };
}

function isPattern(node: Node): boolean {
  const whole = is.isTaggedTemplateExpression(node.parent) ? node.parent : node;
  if (is.isTaggedTemplateExpression(whole) && whole.tag.getText() === 'String.raw') return true;
  return is.isNewExpression(whole.parent) && whole.parent.expression.getText() === 'RegExp';
}

/** Whether a string is combined with text, searched for in it, or compared with a person's words. */
function isPutToText(node: Node): boolean {
  const { parent } = node;
  if (is.isCallExpression(parent)) {
    if (textMethods.has(methodOf(parent))) return true;
    return lookMethods.has(methodOf(parent)) && saidWords.test(ownerOf(parent));
  }
  if (!is.isBinaryExpression(parent)) return false;
  if (parent.operatorToken.kind === SyntaxKind.PlusToken) return true;
  return saidWords.test((parent.left === node ? parent.right : parent.left).getText());
}

function methodOf({ expression }: CallExpression): string {
  return is.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

function ownerOf({ expression }: CallExpression): string {
  return is.isPropertyAccessExpression(expression) ? expression.expression.getText() : '';
}

function isMessage(node: Node): boolean {
  for (let part = node; part.parent; part = part.parent) if (takesMessage(part.parent, part)) return true;
  return false;
}

function takesMessage(whole: Node, part: Node): boolean {
  if (is.isThrowStatement(whole)) return true;
  if (is.isNewExpression(whole)) return whole.expression.getText().endsWith('Error');
  if (is.isPropertyAssignment(whole)) return messageFields.has(whole.name.getText());
  if (!is.isCallExpression(whole) || whole.expression === part) return false;
  if (methodOf(whole) === 'describe' || logMethods.test(whole.expression.getText())) return true;
  return checkMethods.has(methodOf(whole)) && whole.arguments[0] !== part;
}
