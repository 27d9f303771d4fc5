import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../json.ts';
import { refused } from './refusals.ts';

const betaVersion = 'realtime=v1';
const betaProtocol = 'openai-beta.realtime-v1';

/** The beta interface's names for sound formats. */
const formats: ReadonlyMap<unknown, { type: string }> = new Map([
  ['pcm16', { type: 'audio/pcm' }],
  ['g711_ulaw', { type: 'audio/pcmu' }],
  ['g711_alaw', { type: 'audio/pcma' }],
]);

/**
 * Converts a session or a response with beta fields (`input_audio_format`, `turn_detection` …) to today's
 * fields. Today's fields stay unchanged and take precedence. Throws `invalid_request` for an unknown format.
 */
export function withoutBetaFields(session: unknown, param = 'session'): unknown {
  if (!isRecord(session)) return session;
  const {
    input_audio_format: inputFormat,
    output_audio_format: outputFormat,
    input_audio_transcription: transcription,
    input_audio_noise_reduction: noiseReduction,
    turn_detection: detection,
    modalities,
    ...others
  } = session;
  const audio = isRecord(others['audio']) ? others['audio'] : {};
  const input = {
    ...given('format', formatOf(inputFormat, `${param}.input_audio_format`)),
    ...given('transcription', transcription),
    ...given('noise_reduction', noiseReduction),
    ...given('turn_detection', isRecord(detection) && detection['type'] === 'none' ? null : detection),
  };
  const output = given('format', formatOf(outputFormat, `${param}.output_audio_format`));
  return {
    ...given('output_modalities', modalitiesOf(modalities)),
    ...others,
    ...(others['audio'] !== undefined || isUsed(input) || isUsed(output)
      ? { audio: withPart(withPart(audio, 'input', input), 'output', output) }
      : {}),
  };
}

/** The beta requested sound, which includes its transcript, by naming both modalities. */
function modalitiesOf(modalities: unknown): unknown {
  return Array.isArray(modalities) && modalities.includes('audio') ? ['audio'] : modalities;
}

function formatOf(name: unknown, param: string): unknown {
  if (name === undefined || name === null) return undefined;
  const format = formats.get(name);
  if (format === undefined)
    throw refused(`${param}: must be one of ${[...formats.keys()].join(', ')}`, param);
  return format;
}

function withPart(audio: Record<string, unknown>, name: string, part: object): Record<string, unknown> {
  if (!isUsed(part)) return audio;
  const today = audio[name];
  return { ...audio, [name]: { ...part, ...(isRecord(today) && today) } };
}

const given = (name: string, value: unknown): object => (value === undefined ? {} : { [name]: value });
const isUsed = (part: object): boolean => Object.keys(part).length > 0;

/** Whether a client requests the beta interface: by a header, or from a page by a WebSocket subprotocol. */
export function asksForBeta(headers: IncomingHttpHeaders): boolean {
  const versions = String(headers['openai-beta'] ?? '').split(',');
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',');
  return [...versions, ...protocols].some((each) => [betaVersion, betaProtocol].includes(each.trim()));
}

/** The beta's names for events and item parts. */
const betaNames: ReadonlyMap<unknown, string> = new Map([
  ['response.output_text.delta', 'response.text.delta'],
  ['response.output_text.done', 'response.text.done'],
  ['response.output_audio.delta', 'response.audio.delta'],
  ['response.output_audio.done', 'response.audio.done'],
  ['response.output_audio_transcript.delta', 'response.audio_transcript.delta'],
  ['response.output_audio_transcript.done', 'response.audio_transcript.done'],
  ['conversation.item.added', 'conversation.item.created'],
  ['output_text', 'text'],
  ['output_audio', 'audio'],
]);
const betaFormats: ReadonlyMap<unknown, unknown> = new Map(
  [...formats].map(([name, { type }]) => [type, name]),
);

/** Converts an event to the beta's format. Null: the beta has no such event. */
export function inBetaWords(event: object): object | null {
  if (!isRecord(event)) return event;
  const { type, item, response, session } = event;
  if (type === 'conversation.item.done') return null;
  if (isRecord(session) && session['type'] === 'transcription')
    return { ...event, type: `transcription_${String(type)}`, session: betaSession(session) };
  return {
    ...event,
    type: betaNames.get(type) ?? type,
    ...(isRecord(item) && { item: betaItem(item) }),
    ...(isRecord(response) && { response: betaResponse(response) }),
    ...(isRecord(session) && { session: betaSession(session) }),
  };
}

function betaItem(item: Record<string, unknown>): object {
  const { content } = item;
  if (!Array.isArray(content)) return item;
  return { ...item, content: content.map((part: unknown) => (isRecord(part) ? betaPart(part) : part)) };
}

function betaPart(part: Record<string, unknown>): object {
  return { ...part, type: betaNames.get(part['type']) ?? part['type'] };
}

function betaResponse({
  output_modalities: modalities,
  max_output_tokens: tokens,
  output,
  ...others
}: Record<string, unknown>): object {
  return {
    ...others,
    modalities: betaModalities(modalities),
    max_output_tokens: tokens,
    output: Array.isArray(output)
      ? output.map((item: unknown) => (isRecord(item) ? betaItem(item) : item))
      : output,
  };
}

/** The session in the beta's flat format. Omits parts that the beta does not have. */
function betaSession({
  type,
  audio,
  output_modalities: modalities,
  max_output_tokens: tokens,
  ...others
}: Record<string, unknown>): object {
  const { input, output } = isRecord(audio) ? audio : {};
  return {
    ...others,
    ...(type === 'realtime' && {
      modalities: betaModalities(modalities),
      max_response_output_tokens: tokens,
    }),
    ...(isRecord(input) && {
      input_audio_format: betaFormatOf(input['format']),
      input_audio_noise_reduction: input['noise_reduction'],
      input_audio_transcription: input['transcription'],
      turn_detection: input['turn_detection'],
    }),
    ...(isRecord(output) && {
      output_audio_format: betaFormatOf(output['format']),
      voice: output['voice'],
      speed: output['speed'],
    }),
  };
}

/** The beta always sent sound with its transcript. */
function betaModalities(modalities: unknown): unknown {
  return Array.isArray(modalities) && modalities.includes('audio') ? ['text', 'audio'] : modalities;
}

function betaFormatOf(format: unknown): unknown {
  return isRecord(format) ? betaFormats.get(format['type']) : undefined;
}
