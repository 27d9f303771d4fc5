import { z } from 'zod';
import { AppError } from '../errors.ts';
import { languageCodeOf } from '../turn/language-code.ts';
import { maxPromptCharacters, type TranscriptionOptions } from '../turn/transcription-options.ts';
import { type FormPart, formParts } from './form-parts.ts';
import { type TranscriptFormat, transcriptFormats } from './transcript-formats.ts';

/** A checked request for the transcript of a recording. */
export interface TranscriptionForm {
  recording: Buffer;
  /** The recording's content type from the sender. */
  type: string | undefined;
  format: TranscriptFormat;
  streams: boolean;
  /** The parts for which `verbose_json` includes times. */
  tells: { segments: boolean; words: boolean };
  options: TranscriptionOptions;
}

const isTrue = z.stringbool();
const fieldsSchema = z.object({
  response_format: z.enum(transcriptFormats).default('json'),
  language: z
    .string()
    .max(100)
    .transform((named, context) => {
      const code = languageCodeOf(named);
      if (code !== null) return code;
      context.addIssue('is not a language');
      return z.NEVER;
    })
    .optional(),
  prompt: z.string().max(maxPromptCharacters).optional(),
  temperature: z.coerce.number().min(0).max(1).optional(),
  stream: isTrue.default(false),
});
type Fields = z.infer<typeof fieldsSchema>;

/** The rule of each field, for error messages. */
const rules: Record<keyof Fields, string> = {
  response_format: `one of ${transcriptFormats.join(', ')}`,
  language: 'a language, best as a code of ISO 639-1 such as "en"',
  prompt: `a text of ${maxPromptCharacters} characters at most`,
  temperature: 'a number from 0 to 1',
  stream: 'true or false',
};

const granularitySchema = z.enum(['segment', 'word']);
const granularities = 'timestamp_granularities[]';

/**
 * Reads a form. Throws AppError: `no_audio` without a file, `invalid_request` with the name of the wrong
 * field.
 */
export function readTranscriptionForm(body: Buffer, contentType = ''): TranscriptionForm {
  const form = formParts(body, contentType);
  const file = form.find(({ name }) => name === 'file');
  if (file === undefined) throw new AppError('no_audio', 'The form has no "file".', { param: 'file' });
  if (!file.isFile) throw invalid('file', 'must be a file with a filename and its bytes, not text');
  const fields = fieldsOf(form);
  const tells = toldTimes(form);
  const { response_format: format, stream: streams, ...spoken } = fields;
  if (streams && format !== 'json' && format !== 'text')
    throw invalid('stream', `works with json and text, not with ${format}`);
  const times = format !== 'json' && format !== 'text';
  return {
    recording: file.bytes,
    // Programs send this type for sound of unknown type.
    type: file.type === 'application/octet-stream' ? undefined : file.type,
    format,
    streams,
    tells,
    options: { ...withoutMissing(spoken), times, words: format === 'verbose_json' && tells.words },
  };
}

/** The same form for a translation into English. The spoken language need not be the household's. */
export function asTranslation(form: TranscriptionForm): TranscriptionForm {
  const { language = 'auto', ...options } = form.options;
  return { ...form, options: { ...options, language, translates: true } };
}

function fieldsOf(form: readonly FormPart[]): Fields {
  // Programs send empty fields for options they do not set. An empty prompt is a choice: no context.
  const filled = form
    .filter(({ isFile }) => !isFile)
    .map(({ name, bytes }): [string, string] => [name, bytes.toString()])
    .filter(([name, value]) => value !== '' || name === 'prompt');
  const parsed = fieldsSchema.safeParse(Object.fromEntries(filled));
  if (parsed.success) return parsed.data;
  const field = z.enum(fieldsSchema.keyof().options).parse(parsed.error.issues[0]?.path[0]);
  throw invalid(field, `must be ${rules[field]}`);
}

function toldTimes(form: readonly FormPart[]): TranscriptionForm['tells'] {
  const names = [granularities, 'timestamp_granularities'];
  const values = form.filter(({ name }) => names.includes(name)).map(({ bytes }) => bytes.toString());
  const parsed = z.array(granularitySchema).safeParse(values);
  if (!parsed.success) throw invalid(granularities, 'must be segment or word');
  const words = parsed.data.includes('word');
  return { segments: !words || parsed.data.includes('segment'), words };
}

function withoutMissing({ prompt, language, temperature }: Omit<Fields, 'response_format' | 'stream'>) {
  return {
    ...(prompt !== undefined && { prompt }),
    ...(language !== undefined && { language }),
    ...(temperature !== undefined && { temperature }),
  };
}

function invalid(param: string, rule: string): AppError {
  return new AppError('invalid_request', `"${param}" ${rule}.`, { param });
}
