import type { ErrorObject } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { AppError } from '../errors.ts';

/** No name of ours is longer. */
const maxFieldCharacters = 60;

/** A sentence that names the field and what is wrong with it, never the value. */
export function mismatch(errors: readonly ErrorObject[], place: string): AppError {
  // The last one tells of the choice as a whole, those before it of each branch.
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

/** The fault of a value, as the rest of a sentence that begins with its name. */
function wrong(error: ErrorObject): string {
  const words = complaints[error.keyword]?.(error, Number(error.params['limit']));
  return words ?? error.message ?? 'is wrong';
}

type Complaint = (error: ErrorObject, limit: number) => string | undefined;

const notEmpty: Complaint = (_error, limit) => (limit === 1 ? 'must not be empty' : undefined);

/** By keyword of JSON Schema. Of the others the library's own words are told. */
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

/** An empty value stands for a field that is left out. */
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

/** Of fields that exclude each other; undefined where the branches differ in more than that. */
function eitherOf({ schema }: ErrorObject): string | undefined {
  const { data: branches } = exclusive.safeParse(schema);
  return branches && `must have either ${branches.map(({ required }) => `"${required[0]}"`).join(' or ')}`;
}

const exclusive = z.array(z.strictObject({ required: z.tuple([z.string()]) }));

/** Patterns mostly keep out what is no text; what another one is for, its field's description tells. */
function misshapen({ params, parentSchema }: ErrorObject): string {
  if (String(params['pattern']).includes('\\p{Cc}')) return 'contains characters that are not text';
  const description: unknown = parentSchema?.['description'];
  return typeof description === 'string' ? `is not valid: ${description}` : 'is not valid';
}
