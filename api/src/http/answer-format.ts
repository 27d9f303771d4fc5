import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { AnswerFormat } from '../turn/turn.ts';

/** The engine builds a grammar from it, whose size grows with the schema. */
const maxSchemaCharacters = 32_000;

const schemaSchema = z.record(z.string(), z.unknown());
const formatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  // Chat completions nest the schema in an object, responses do not.
  z.object({
    type: z.literal('json_schema'),
    schema: schemaSchema.optional(),
    json_schema: z.object({ schema: schemaSchema.optional() }).optional(),
  }),
]);

/**
 * Throws `invalid_request` if the caller forces a call to one of its functions. Hearth would not make that
 * call, and the caller would not find it in the answer.
 */
export function refuseForcedCall(choice: unknown, advice: string): void {
  const isForced =
    typeof choice === 'object' && choice !== null && 'type' in choice && choice.type === 'function';
  if (isForced)
    throw new AppError(
      'invalid_request',
      `Hearth cannot call functions of the client. To get data that follows a schema, use "${advice}".`,
      { param: 'tool_choice' },
    );
}

/**
 * The data format a program wants instead of sentences. Undefined: plain sentences. Throws `invalid_request`.
 */
export function readFormat(format: unknown, param: string): AnswerFormat | undefined {
  if (format === undefined || format === null) return undefined;
  const { data } = formatSchema.safeParse(format);
  if (!data) {
    const message = `"${param}" must be of the type text, json_object or json_schema, the last with its schema.`;
    throw new AppError('invalid_request', message, { param });
  }
  if (data.type === 'text') return undefined;
  if (data.type === 'json_object') return { schema: null };
  const schema = data.schema ?? data.json_schema?.schema ?? null;
  if (JSON.stringify(schema).length > maxSchemaCharacters) {
    const message = `The schema in "${param}" is longer than ${maxSchemaCharacters} characters.`;
    throw new AppError('invalid_request', message, { param });
  }
  return { schema };
}
