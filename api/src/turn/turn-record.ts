import { z } from 'zod';
import { exchangeSchema } from '../conversations/exchange.ts';
import { answerFormatSchema, modelOnlyKinds, nameRules, type Turn, turnSources } from './turn.ts';

const alternativesSchema = z.array(z.object({ text: z.string(), isSure: z.boolean() }));

/** A turn in Redis as text fields. Null fields are omitted. */
const recordSchema = z.object({
  id: z.string(),
  source: z.enum(turnSources),
  text: z.string().optional(),
  isSure: z.stringbool(),
  alternatives: z
    .string()
    .transform((text) => alternativesSchema.parse(JSON.parse(text)))
    .optional(),
  conversation: z.string().optional(),
  room: z.string().optional(),
  language: z.string().optional(),
  createdAt: z.coerce.number(),
  deadlineAt: z.coerce.number(),
  replyTo: z.string(),
  streams: z.stringbool(),
  speaks: z.stringbool(),
  isTentative: z.stringbool(),
  nameRule: z.enum(nameRules).optional(),
  calledBy: z
    .string()
    .transform((text) => z.array(z.string()).parse(JSON.parse(text)))
    .optional(),
  answerFormat: z
    .string()
    .transform((text) => answerFormatSchema.parse(JSON.parse(text)))
    .optional(),
  modelOnly: z.enum(modelOnlyKinds).optional(),
  pictures: z.enum(['now', 'before']).optional(),
  history: z
    .string()
    .transform((text) => z.array(exchangeSchema).parse(JSON.parse(text)))
    .optional(),
  revision: z.coerce.number(),
});

/** The fields of a new turn's record: names and values alternate. */
export function recordOf(turn: Turn): string[] {
  return Object.entries({ ...turn, state: 'waiting' })
    .filter(([, value]) => value !== null)
    .flatMap(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
}

/** Parses a record that Redis returns as alternating names and values. */
export function fieldsOf(record: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at + 1 < record.length; at += 2) fields[record[at] ?? ''] = record[at + 1] ?? '';
  return fields;
}

/** The turn of a record. Undefined if there is none. */
export function turnOf(record: Record<string, string>): Turn | undefined {
  const { data } = recordSchema.safeParse(record);
  if (!data) return undefined;
  const { text = null, conversation = null, room = null, ...others } = data;
  const { language, alternatives, nameRule, calledBy, answerFormat, modelOnly, pictures, history, ...rest } =
    others;
  return {
    ...rest,
    text,
    conversation,
    room,
    ...(language !== undefined && { language }),
    ...(alternatives && { alternatives }),
    ...(nameRule && { nameRule }),
    ...(calledBy && { calledBy }),
    ...(answerFormat && { answerFormat }),
    ...(modelOnly && { modelOnly }),
    ...(pictures && { pictures }),
    ...(history && { history }),
  };
}
