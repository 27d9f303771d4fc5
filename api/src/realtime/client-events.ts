import { z } from 'zod';
import { type AppError, toAppError } from '../errors.ts';
import { isRecord, parseJson } from '../json.ts';
import { maxPromptCharacters } from '../turn/transcription-options.ts';
import { withoutBetaFields } from './beta-session.ts';
import { type RefusalCode, refused } from './refusals.ts';
import { soundRatesHz } from './sound-formats.ts';

/** Limit for one item, and for all items that wait for one answer. */
export const maxWrittenCharacters = 100_000;

/** Strict: ignoring part of a format would misread the sound. */
const formatSchema = z.strictObject({
  type: z.enum(['audio/pcm', 'audio/pcmu', 'audio/pcma']),
  rate: z
    .number()
    .refine((rate) => soundRatesHz.includes(rate), `must be one of ${soundRatesHz.join(', ')}`)
    .nullish(),
  channels: z.literal(1, 'must be 1: mix the channels before they are sent').nullish(),
});

/** Fields without effect here must still have the types of OpenAI's interface. */
const voiceSchema = z.union([z.string(), z.looseObject({ id: z.string() })]).nullish();
const maxTokensSchema = z.union([z.number().int().min(1), z.literal('inf')]).nullish();
const sharedFields = {
  instructions: z.string().nullish(),
  tools: z.array(z.looseObject({})).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({})]).nullish(),
  max_output_tokens: maxTokensSchema,
  // The beta's fields.
  max_response_output_tokens: maxTokensSchema,
  temperature: z.number().nullish(),
  voice: voiceSchema,
  speed: z.number().nullish(),
};

const outputSchema = z.looseObject({
  format: formatSchema.nullish(),
  voice: voiceSchema,
  speed: z.number().nullish(),
});

const turnDetectionSchema = z.looseObject({
  type: z.enum(['server_vad', 'semantic_vad']).nullish(),
  silence_duration_ms: z.number().int().min(0).max(60_000).nullish(),
  prefix_padding_ms: z.number().int().min(0).nullish(),
  threshold: z.number().min(0).max(1).nullish(),
  eagerness: z.string().nullish(),
  create_response: z.boolean().nullish(),
  interrupt_response: z.boolean().nullish(),
});

/** Some clients write false for null. */
const turnDetectionOrOffSchema = z.preprocess(
  (given) => (given === false ? null : given),
  turnDetectionSchema.nullable(),
);

const transcriptionSchema = z.looseObject({
  model: z.string().max(200).nullish(),
  language: z.string().nullish(),
  prompt: z.string().max(maxPromptCharacters).nullish(),
});

/** The session fields that Hearth supports. It reports all other fields as ignored. */
const sessionSchema = z.looseObject({
  ...sharedFields,
  type: z.enum(['realtime', 'transcription']).nullish(),
  output_modalities: z.array(z.enum(['audio', 'text'])).nullish(),
  audio: z
    .looseObject({
      input: z
        .looseObject({
          format: formatSchema.nullish(),
          transcription: transcriptionSchema.nullish(),
          turn_detection: turnDetectionOrOffSchema.optional(),
        })
        .nullish(),
      output: outputSchema.nullish(),
    })
    .nullish(),
});
export type SessionParams = z.infer<typeof sessionSchema>;

const contentSchema = z.looseObject({
  type: z.string(),
  text: z.string().max(maxWrittenCharacters).nullish(),
  image_url: z.string().nullish(),
});
const itemSchema = z.looseObject({
  id: z.string().max(200).nullish(),
  type: z.string(),
  role: z.string().nullish(),
  content: z.array(contentSchema).max(100).nullish(),
});
export type ItemParams = z.infer<typeof itemSchema>;

/** OpenAI's limits. */
const metadataSchema = z
  .record(z.string().max(64), z.string().max(512))
  .refine((all) => Object.keys(all).length <= 16, 'has more than 16 entries');

/** Options of one response. Hearth reports all other fields as ignored. */
const responseSchema = z.looseObject({
  ...sharedFields,
  instructions: z.string().max(maxWrittenCharacters).nullish(),
  metadata: metadataSchema.nullish(),
  output_modalities: z.array(z.enum(['audio', 'text'])).nullish(),
  audio: z.looseObject({ output: outputSchema.nullish() }).nullish(),
  conversation: z.string().nullish(),
  input: z.array(itemSchema).max(100).nullish(),
});
export type ResponseParams = z.infer<typeof responseSchema>;

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.update'), session: sessionSchema }),
  z.object({ type: z.literal('input_audio_buffer.append'), audio: z.string() }),
  z.object({ type: z.literal('input_audio_buffer.commit') }),
  z.object({ type: z.literal('input_audio_buffer.clear') }),
  z.object({
    type: z.literal('conversation.item.create'),
    item: itemSchema,
    previous_item_id: z.string().nullish(),
  }),
  z.object({
    type: z.literal('conversation.item.truncate'),
    item_id: z.string(),
    content_index: z.number().int().nullish(),
    audio_end_ms: z.number().int().min(0),
  }),
  z.object({ type: z.literal('conversation.item.retrieve'), item_id: z.string() }),
  z.object({ type: z.literal('conversation.item.delete'), item_id: z.string() }),
  z.object({ type: z.literal('response.create'), response: responseSchema.nullish() }),
  z.object({ type: z.literal('response.cancel'), response_id: z.string().nullish() }),
]);
/** An event of OpenAI's Realtime interface that Hearth supports. */
export type RealtimeClientEvent = z.infer<typeof eventSchema>;

const anyEvent = z.looseObject({ type: z.string() });
type AnyEvent = z.infer<typeof anyEvent>;
const idSchema = z.string().max(200).nullable().catch(null);

/** A client's event, with the id the client gave it. */
type GivenEvent = { eventId: string | null } & ({ event: RealtimeClientEvent } | { error: AppError });

/** Parses a text frame of a Realtime client. */
export function readClientEvent(text: string): GivenEvent {
  const given = anyEvent.safeParse(parseJson(text)).data;
  if (given === undefined)
    return { eventId: null, error: refused('A text frame holds one event: a JSON object with a "type".') };
  const eventId = idSchema.parse(given['event_id'] ?? null);
  try {
    return { eventId, event: readEvent(withoutBeta(given)) };
  } catch (error) {
    return { eventId, error: toAppError(error) };
  }
}

function readEvent(given: AnyEvent): RealtimeClientEvent {
  const known = eventSchema.options.some(({ shape }) => shape.type.value === given.type);
  if (!known) throw refused(`Hearth has no event "${given.type.slice(0, 100)}".`, 'type');
  const parsed = eventSchema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  const message = `${field || 'The event'}: ${issue?.message ?? 'is wrong'}`;
  throw refused(message, field, issue ? codeOf(issue) : undefined);
}

/** Converts a beta client's event to today's format. */
function withoutBeta(given: AnyEvent): AnyEvent {
  const { session, response } = given;
  if (given.type === 'transcription_session.update')
    return { ...given, type: 'session.update', session: withoutBetaFields(session) };
  if (given.type === 'session.update') return { ...given, session: withoutBetaFields(session) };
  if (given.type !== 'response.create' || !isRecord(response)) return given;
  return { ...given, response: withoutBetaFields(response, 'response') };
}

/** OpenAI's code for a wrong field. */
function codeOf({ code, input }: z.core.$ZodIssue): RefusalCode {
  if (code === 'unrecognized_keys') return 'unknown_parameter';
  if (code !== 'invalid_type') return 'invalid_value';
  return input === undefined ? 'missing_required_parameter' : 'invalid_type';
}

/**
 * Decodes base64 (RFC 4648) in either alphabet, with or without padding and line ends. Throws
 * `invalid_request` for anything else.
 */
export function bytesOf(base64: string): Buffer {
  const digits = base64.replace(/\s+/g, '').replace(/={1,2}$/, '');
  // Buffer silently skips characters that are not base64. A single digit is not a full byte.
  if (!/^[A-Za-z0-9+/_-]*$/.test(digits) || digits.length % 4 === 1)
    throw refused('"audio" is not base64.', 'audio');
  return Buffer.from(digits, 'base64');
}
