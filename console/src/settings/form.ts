import { t } from '../language/translate.ts';
import { bodyOf } from '../server/shapes.ts';

/** A setting in the form, made from its schema in the contract. */
export interface Field {
  key: string;
  label: string;
  group: string;
  /** Its description, as a sentence. */
  hint: string;
  kind: 'switch' | 'number' | 'text' | 'long' | 'words' | 'json' | 'choice';
  isInteger: boolean;
  isNullable: boolean;
  minimum: number | null;
  maximum: number | null;
  maxLength: number | null;
  maxItems: number | null;
  pattern: string | null;
  unit: string | null;
  choices: readonly string[];
  defaultValue: unknown;
}

type Read = { value: unknown } | { wrong: string };

interface PropertySchema {
  type: string | string[];
  enum: unknown[];
  description: string;
  default: unknown;
  minimum: number;
  maximum: number;
  maxLength: number;
  maxItems: number;
  pattern: string;
  items: unknown;
  'x-group': string;
  'x-unit': string;
}

/** Texts longer than this get room for several lines. */
const oneLine = 200;

/** The fields of a schema, in its order. */
export function formFieldsOf(schema: unknown): Field[] {
  const { properties } = bodyOf<{ properties: Record<string, unknown> }>(schema);
  return Object.entries(properties ?? {}).map(([key, property]) =>
    fieldOf(key, bodyOf<PropertySchema>(property)),
  );
}

function fieldOf(key: string, schema: Partial<PropertySchema>): Field {
  const types = [schema.type ?? []].flat();
  const choices = (schema.enum ?? []).filter((each) => typeof each === 'string');
  return {
    key,
    label: labelOf(key),
    group: schema['x-group'] ?? 'Other',
    hint: schema.description ?? '',
    kind: kindOf(types, schema, choices),
    isInteger: types.includes('integer'),
    isNullable: types.includes('null'),
    minimum: schema.minimum ?? null,
    maximum: schema.maximum ?? null,
    maxLength: schema.maxLength ?? null,
    maxItems: schema.maxItems ?? null,
    pattern: schema.pattern ?? null,
    unit: schema['x-unit'] ?? null,
    choices,
    defaultValue: schema.default ?? null,
  };
}

function kindOf(types: string[], schema: Partial<PropertySchema>, choices: readonly string[]): Field['kind'] {
  if (types.includes('boolean')) return 'switch';
  if (types.includes('integer') || types.includes('number')) return 'number';
  if (types.includes('array'))
    return bodyOf<PropertySchema>(schema.items).type === 'string' ? 'words' : 'json';
  if (!types.includes('string')) return 'json';
  if (choices.length > 0) return 'choice';
  return (schema.maxLength ?? 0) > oneLine ? 'long' : 'text';
}

const abbreviations: Record<string, string> = {
  stt: 'speech recognition',
  llm: 'language',
  mcp: 'MCP',
  ms: '',
  mb: '',
};

/** `stt_model` is "Speech recognition model". Units are shown after the field. */
function labelOf(key: string): string {
  const words = key
    .split('_')
    .map((word) => abbreviations[word] ?? word)
    .filter((word) => word !== '')
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The text that shows a value in its field. */
export function formTextOf({ kind }: Pick<Field, 'kind'>, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (kind === 'words') return Array.isArray(value) ? value.join('\n') : '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  return String(value);
}

/** The value of a field's text, or a sentence about why it is not valid. The server validates it again. */
export function readField(field: Field, text: string): Read {
  switch (field.kind) {
    case 'switch':
      return { value: text === 'true' };
    case 'number':
      return readNumber(field, text.trim());
    case 'words':
      return readWords(field, text);
    case 'json':
      return readJson(text);
    default:
      return readText(field, text);
  }
}

/** Whether the text of a field is invalid or differs from the saved value. */
export function isChanged(field: Field, typed: string | undefined, value: unknown): boolean {
  if (typed === undefined) return false;
  const read = readField(field, typed);
  return 'wrong' in read || !isSame(read.value, value);
}

type Changes = { changes: Record<string, unknown> } | { key: string; wrong: string };

/** The values of the fields by key, or the first invalid field. */
export function changesOf(typed: readonly { field: Field; text: string }[]): Changes {
  const changes = new Map<string, unknown>();
  for (const { field, text } of typed) {
    const read = readField(field, text);
    if ('wrong' in read) return { key: field.key, wrong: read.wrong };
    changes.set(field.key, read.value);
  }
  return { changes: Object.fromEntries(changes) };
}

function readNumber({ isNullable, minimum, maximum, isInteger }: Field, text: string): Read {
  if (isNullable && text === '') return { value: null };
  const value = Number(text.replace(',', '.'));
  if (text === '' || !Number.isFinite(value)) return { wrong: t('This must be a number.') };
  if (isInteger && !Number.isInteger(value)) return { wrong: t('This must be a whole number.') };
  if (minimum !== null && value < minimum) return { wrong: t('At least {n}.', { n: minimum }) };
  if (maximum !== null && value > maximum) return { wrong: t('At most {n}.', { n: maximum }) };
  return { value };
}

function readText({ isNullable, maxLength, pattern, choices }: Field, text: string): Read {
  if (isNullable && text.trim() === '') return { value: null };
  if (maxLength !== null && text.length > maxLength)
    return { wrong: t('At most {n} characters.', { n: maxLength }) };
  if (choices.length > 0 && !choices.includes(text))
    return { wrong: t('One of {choices}.', { choices: choices.join(', ') }) };
  if (pattern !== null && !matches(pattern, text)) return { wrong: patternWords(pattern) };
  return { value: text };
}

/** One on each line. */
function readWords({ maxItems }: Field, text: string): Read {
  const value = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (maxItems !== null && value.length > maxItems)
    return { wrong: t('At most {n} lines.', { n: maxItems }) };
  return { value };
}

function readJson(text: string): Read {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? 'null' : text);
    return { value };
  } catch {
    return { wrong: t('This is not valid JSON.') };
  }
}

/** Explains a pattern in words. The common one is a time of day. */
function patternWords(pattern: string): string {
  return pattern.includes(':[0-5][0-9]')
    ? t('Enter a time like 22:00.')
    : t('Enter only the characters that the description allows.');
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true; // this browser cannot read the pattern, so the server checks it
  }
}

/** Whether two JSON values are equal. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The field that shows an error: `mcp_servers.0.name` belongs to `mcp_servers`. */
export function fieldOfParam(param: string | null): string | null {
  return param === null ? null : (param.split(/[.[/]/).find((part) => part !== '') ?? null);
}
