import { isRecord } from '../json.ts';
import { refused } from './refusals.ts';

/** The formats of the interface before it left beta, by their names there. */
const formats: ReadonlyMap<unknown, object> = new Map([
  ['pcm16', { type: 'audio/pcm' }],
  ['g711_ulaw', { type: 'audio/pcmu' }],
  ['g711_alaw', { type: 'audio/pcma' }],
]);

/**
 * A session in the fields of the Realtime interface as it was in beta (`input_audio_format`, `turn_detection` …), as one of today. Fields of today stay as
 * they are, and go before those. Throws `invalid_request` for a format that is none.
 */
export function withoutBetaFields(session: unknown): unknown {
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
    ...given('format', formatOf(inputFormat, 'session.input_audio_format')),
    ...given('transcription', transcription),
    ...given('noise_reduction', noiseReduction),
    ...given('turn_detection', isRecord(detection) && detection['type'] === 'none' ? null : detection),
  };
  const output = given('format', formatOf(outputFormat, 'session.output_audio_format'));
  return {
    ...given('output_modalities', modalitiesOf(modalities)),
    ...others,
    ...(others['audio'] !== undefined || isUsed(input) || isUsed(output)
      ? { audio: withPart(withPart(audio, 'input', input), 'output', output) }
      : {}),
  };
}

/** Both at once was the way to ask for sound: its words come with it. */
export function modalitiesOf(modalities: unknown): unknown {
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
