import { z } from 'zod';
import { isUsualRate, maxChannels } from '../audio/sample-coding.ts';
import { AppError } from '../errors.ts';
import { maxPromptCharacters } from '../turn/transcription-options.ts';
import type { WyomingEvent } from './frames.ts';

/** The length of a long article: enough for every client. */
export const maxTextCharacters = 20_000;
const maxQuestionCharacters = 4_000;
const maxNameCharacters = 200;

const name = z.string().max(maxNameCharacters);
const names = z.array(name).max(1_000).nullish();
const language = name.nullish();
const voice = z.object({ name: name.nullish(), language }).nullish();

/** Schemas of the requests. Other fields are ignored. */
const schemas = {
  transcribe: z.object({
    language: language.catch(undefined),
    vad_sensitivity: name.nullish().catch(undefined),
    transcript_names: names,
    transcript_terms: names,
  }),
  'audio-start': z.object({}),
  'audio-chunk': z.object({
    rate: z.number().refine(isUsualRate),
    /** Bytes per sample. */
    width: z.literal([1, 2, 3, 4]),
    channels: z.number().int().min(1).max(maxChannels),
    /** In ms on the client's clock. */
    timestamp: z.number().nullish().catch(undefined),
  }),
  'audio-stop': z.object({}),
  detect: z.object({ names }),
  synthesize: z.object({ text: z.string().max(maxTextCharacters), voice }),
  'synthesize-start': z.object({ voice }),
  'synthesize-chunk': z.object({ text: z.string().max(maxTextCharacters) }),
  'synthesize-stop': z.object({}),
  transcript: z.object({
    text: z.string().max(maxQuestionCharacters).trim(),
    context: z
      .object({
        conversation_id: name.nullish(),
        device_id: name.nullish(),
        satellite_id: name.nullish(),
      })
      .nullish()
      .catch(undefined),
    language,
  }),
  describe: z.object({}),
  ping: z.object({ text: name.nullish() }),
} as const;

type RequestType = keyof typeof schemas;
export type RequestData<Type extends RequestType> = z.infer<(typeof schemas)[Type]>;
export type WyomingRequest = {
  [Type in RequestType]: { type: Type; data: RequestData<Type>; payload: Buffer };
}[RequestType];

/** Parses a request. Null for other messages, which Wyoming says to ignore. Throws `invalid_request`. */
export function readRequest({ type, data, payload }: WyomingEvent): WyomingRequest | null {
  if (!isRequestType(type)) return null;
  const read = schemas[type].safeParse(data);
  if (read.success) return { type, data: read.data, payload } as WyomingRequest;
  const field = read.error.issues[0]?.path.join('.') || 'data';
  throw new AppError('invalid_request', `"${field}" of "${type}" cannot be used.`, { param: field });
}

function isRequestType(type: string): type is RequestType {
  return Object.hasOwn(schemas, type);
}

/** The likely words in one line, as recognition expects them. */
export function likelyWords({ transcript_names, transcript_terms }: RequestData<'transcribe'>) {
  const words = [...(transcript_names ?? []), ...(transcript_terms ?? [])].join(', ');
  return words === '' ? undefined : words.slice(0, maxPromptCharacters);
}
