import type { ErrorObject } from 'ajv/dist/2020.js';

interface EventFault {
  /** Path of the field, joined by dots. Empty for the event itself. */
  field: string;
  /** The rest of a sentence that begins with the field. */
  what: string;
}

/** Describes the first validation error of an event. */
export function faultOf([error]: readonly ErrorObject[]): EventFault {
  if (!error) return { field: '', what: 'is wrong' };
  const place = error.instancePath.split('/').slice(1);
  const missing: unknown = error.params['missingProperty'];
  if (typeof missing === 'string') place.push(missing);
  return { field: place.join('.'), what: complaints[error.keyword]?.(error) ?? error.message ?? 'is wrong' };
}

/** By JSON Schema keyword. For other keywords, the message of Ajv is used. */
const complaints: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: ({ params, parentSchema }) =>
    unexpected(kindOf(parentSchema?.['properties']?.[params['missingProperty']]?.type, undefined), undefined),
  type: ({ params, parentSchema, data }) =>
    parentSchema?.['enum'] ? oneOf(parentSchema['enum']) : unexpected(kindOf(params['type'], data), data),
  enum: ({ params }) => oneOf(params['allowedValues']),
  // Names and rooms have only this pattern.
  pattern: () => 'must not hold control characters',
  maxLength: ({ params }) => `Too big: expected string to have <=${params['limit']} characters`,
  minimum: ({ params }) => `Too small: expected number to be >=${params['limit']}`,
  maximum: ({ params }) => `Too big: expected number to be <=${params['limit']}`,
};

function oneOf(values: readonly unknown[]): string {
  return `must be ${values.join(' or ')}`;
}

function unexpected(kind: string, data: unknown): string {
  return `Invalid input: expected ${kind}, received ${nameOf(data)}`;
}

/** The expected type of a field. The message leaves out that null is allowed, too. */
function kindOf(types: unknown, data: unknown): string {
  const [kind = 'a value'] = [types].flat();
  if (kind !== 'integer') return String(kind);
  return typeof data === 'number' ? 'int' : 'number';
}

function nameOf(data: unknown): string {
  if (data === null) return 'null';
  return Array.isArray(data) ? 'array' : typeof data;
}
