import type { ErrorObject } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { AppError } from '../errors.ts';

/** Longer than any field name in the contract. */
const maxFieldCharacters = 60;

/** A sentence that names the field and its fault, never the value. */
export function mismatch(errors: readonly ErrorObject[], place: string): AppError {
  // The last error describes the choice as a whole, earlier ones describe its branches.
  const error = errors.find(({ keyword }) => keyword === 'oneOf') ?? errors[0];
  const unknown: unknown = error?.params['additionalProperty'];
  const missing: unknown = error?.params['missingProperty'] ?? unknown;
  const field = [
    ...(error?.instancePath.split('/').slice(1) ?? []),
    ...(typeof missing === 'string' ? [missing.slice(0, maxFieldCharacters)] : []),
  ].join('.');
  const param = field === '' ? {} : { param: field };
  if (typeof unknown === 'string') {
    const what =
      place === 'query' ? `There is no parameter "${field}" here.` : `There is no field "${field}".`;
    return new AppError('invalid_request', what, param);
  }
  if (error?.keyword === 'required') return new AppError('invalid_request', `"${field}" is missing.`, param);
  const sentence = `${field ? `"${field}"` : 'The body'} ${error ? wrong(error) : 'is wrong'}`;
  return new AppError('invalid_request', sentence.endsWith('.') ? sentence : `${sentence}.`, param);
}

/** The fault of a value. Follows the field's name in a sentence. */
function wrong(error: ErrorObject): string {
  const words = complaints[error.keyword]?.(error, Number(error.params['limit']));
  return words ?? error.message ?? 'is wrong';
}

type Complaint = (error: ErrorObject, limit: number) => string | undefined;

const notEmpty: Complaint = (_error, limit) => (limit === 1 ? 'must not be empty' : undefined);

/** Messages by JSON Schema keyword. Other keywords use the library's own message. */
const complaints: Readonly<Record<string, Complaint>> = {
  pattern: misshapen,
  oneOf: eitherOf,
  type: ({ params }) => `must be ${kinds(params['type'])}`,
  enum: ({ params }) => `must be one of ${[params['allowedValues']].flat().filter(isNamed).join(', ')}`,
  format: ({ params }) => (params['format'] === 'date-time' ? `must be ${moment}` : undefined),
  minimum: (_error, limit) => `must be at least ${limit}`,
  maximum: (_error, limit) => `must be at most ${limit}`,
  minLength: notEmpty,
  minItems: notEmpty,
  maxLength: (_error, limit) => `must have no more than ${limit} characters`,
  maxItems: (_error, limit) => `must have no more than ${limit} entries`,
};

/** An empty value counts as a missing field. */
const isNamed = (value: unknown): boolean => value !== '' && value !== null;

const moment = 'a time with its time zone, like 2026-11-20T22:00:00Z; in an address, write + as %2B';

const kindWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function kinds(types: unknown): string {
  return String(types)
    .split(',')
    .map((type) => kindWords[type] ?? type)
    .join(' or ');
}

/** For fields that exclude each other. Undefined if the branches differ in other ways. */
function eitherOf({ schema }: ErrorObject): string | undefined {
  const { data: branches } = exclusive.safeParse(schema);
  return branches && `must have either ${branches.map(({ required }) => `"${required[0]}"`).join(' or ')}`;
}

const exclusive = z.array(z.strictObject({ required: z.tuple([z.string()]) }));

/**
 * Most patterns reject characters that are not text. The description of the field explains any other pattern.
 */
function misshapen({ params, parentSchema }: ErrorObject): string {
  if (String(params['pattern']).includes('\\p{Cc}')) return 'contains characters that are not text';
  const description: unknown = parentSchema?.['description'];
  return typeof description === 'string' ? `is not valid: ${description}` : 'is not valid';
}
