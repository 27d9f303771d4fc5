import { AppError } from '../errors.ts';
import { l16Coding } from './byte-order.ts';
import {
  isUsualRate,
  maxChannels,
  type RawSound,
  type SampleCoding,
  sampleCodings,
} from './sample-coding.ts';
import { speechRateHz } from './speech-rate.ts';

interface Declaration {
  coding: (data: Buffer, channels: number) => SampleCoding;
  /** The default rate of the type. Undefined: the type must name one. */
  rateHz?: number;
}

const littleEndian = () => sampleCodings.integer16;

/** Types whose bodies contain only samples. audio/L16 follows RFC 4856: its rate is mandatory. */
const declarations: ReadonlyMap<string, Declaration> = new Map([
  ['audio/pcm', { coding: littleEndian, rateHz: speechRateHz }],
  ['audio/raw', { coding: littleEndian, rateHz: speechRateHz }],
  ['audio/l16', { coding: l16Coding }],
]);

/** The sound of a body whose content type declares raw samples; null for other types. Throws AppError. */
export function declaredSound(data: Buffer, contentType: string | undefined): RawSound | null {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const declaration = declarations.get(type.trim());
  if (!declaration) return null;
  const given = new Map(parameters.map(nameAndValue));
  const sampleRateHz = Number(given.get('rate') ?? declaration.rateHz);
  const channels = Number(given.get('channels') ?? 1);
  if (!Number.isInteger(sampleRateHz) || !isUsualRate(sampleRateHz)) {
    throw unusable(type.trim(), 'rate=', 'a number from 4000 to 192000, as in "audio/L16; rate=16000"');
  }
  if (!Number.isInteger(channels) || channels < 1 || channels > maxChannels) {
    throw unusable(type.trim(), 'channels=', `a number from 1 to ${maxChannels}`);
  }
  const bits = given.get('bits') ?? given.get('bit') ?? '16';
  if (bits !== '16') throw unusable(type.trim(), 'bits=', 'the number 16: other samples need a WAV file');
  return { sampleRateHz, channels, coding: declaration.coding(data, channels), data };
}

function nameAndValue(parameter: string): [string, string] {
  const [name = '', value = ''] = parameter.split('=');
  return [name.trim(), value.trim().replaceAll('"', '')];
}

function unusable(type: string, parameter: string, must: string): AppError {
  return new AppError(
    'audio_unreadable',
    `The content type ${type} needs the parameter ${parameter} with ${must}.`,
  );
}
