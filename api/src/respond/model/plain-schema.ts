import { z } from 'zod';
import { isRecord } from '../../json.ts';

/** Maximum nesting. Spoken arguments do not nest deeper. */
const maxDepth = 4;
const maxProperties = 24;
const maxChoices = 50;
const maxDescription = 200;

const kinds = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;
const kindSchema = z.enum(kinds);
const choiceSchema = z.union([z.string().max(200), z.number(), z.boolean()]);

const looseSchema = z.looseObject({
  type: z.unknown().optional(),
  description: z.unknown().optional(),
  enum: z.array(z.unknown()).optional().catch(undefined),
  properties: z.record(z.string(), z.unknown()).optional().catch(undefined),
  required: z.array(z.string()).optional().catch(undefined),
  items: z.unknown().optional(),
  minimum: z.number().optional().catch(undefined),
  maximum: z.number().optional().catch(undefined),
});

/** The part of a foreign schema that we keep. It has no references, and cannot overload an engine or us. */
export interface PlainSchema {
  type?: (typeof kinds)[number];
  description?: string;
  enum?: (string | number | boolean)[];
  properties?: Record<string, PlainSchema>;
  required?: string[];
  items?: PlainSchema;
  minimum?: number;
  maximum?: number;
}

/** The plain part of a JSON Schema: kinds, names, choices and bounds. The server checks the rest. */
export function plainSchema(schema: unknown, depth = 0): PlainSchema {
  const { data } = looseSchema.safeParse(schema);
  if (!data || depth > maxDepth) return {};
  const type = kindSchema.safeParse(data.type).data;
  const description = typeof data.description === 'string' ? data.description.slice(0, maxDescription) : '';
  const choices = data.enum?.flatMap((each) => choiceSchema.safeParse(each).data ?? []) ?? [];
  return {
    ...(type && { type }),
    ...(description !== '' && { description }),
    ...(choices.length > 0 && choices.length <= maxChoices && { enum: choices }),
    ...(type === 'object' && plainObject(data, depth)),
    ...(type === 'array' && { items: plainSchema(data.items, depth + 1) }),
    ...(data.minimum !== undefined && { minimum: data.minimum }),
    ...(data.maximum !== undefined && { maximum: data.maximum }),
  };
}

function plainObject({ properties = {}, required = [] }: z.infer<typeof looseSchema>, depth: number) {
  const found = Object.entries(properties)
    .filter(([name]) => /^[\p{L}\p{N}_.$-]{1,64}$/u.test(name) && name !== '__proto__')
    .slice(0, maxProperties)
    .map(([name, each]): [string, PlainSchema] => [name, plainSchema(each, depth + 1)]);
  const names = new Set(found.map(([name]) => name));
  return { properties: Object.fromEntries(found), required: required.filter((name) => names.has(name)) };
}

/** The fault of a value, worded for the model; null if it fits. */
export function faultIn(value: unknown, schema: PlainSchema, place = 'arguments'): string | null {
  if (schema.enum && !schema.enum.some((each) => each === value))
    return `${place}: must be one of ${schema.enum.join(', ')}`;
  switch (schema.type) {
    case undefined:
      return null;
    case 'object':
      return isRecord(value) ? faultInObject(value, schema, place) : `${place}: must be an object`;
    case 'array':
      return Array.isArray(value)
        ? firstFault(value.map((each, at) => [each, schema.items ?? {}, `${place}[${at}]`]))
        : `${place}: must be a list`;
    case 'number':
    case 'integer':
      return faultInNumber(value, schema, place);
    default:
      return typeof value === schema.type ? null : `${place}: must be of the kind ${schema.type}`;
  }
}

function faultInObject(value: Record<string, unknown>, schema: PlainSchema, place: string): string | null {
  // A server may name a field "constructor", which every object has.
  const given = new Map(Object.entries(value));
  const missing = schema.required?.find((name) => given.get(name) === undefined);
  if (missing !== undefined) return `${place}: ${missing} is missing`;
  const known = Object.entries(schema.properties ?? {}).filter(([name]) => given.get(name) !== undefined);
  return firstFault(known.map(([name, each]) => [given.get(name), each, `${place}.${name}`]));
}

function faultInNumber(
  value: unknown,
  { type, minimum, maximum }: PlainSchema,
  place: string,
): string | null {
  const isKind = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!isKind || typeof value !== 'number') return `${place}: must be of the kind ${type}`;
  if (minimum !== undefined && value < minimum) return `${place}: must be at least ${minimum}`;
  return maximum !== undefined && value > maximum ? `${place}: must be at most ${maximum}` : null;
}

function firstFault(parts: readonly (readonly [unknown, PlainSchema, string])[]): string | null {
  for (const [value, schema, place] of parts) {
    const fault = faultIn(value, schema, place);
    if (fault !== null) return fault;
  }
  return null;
}
