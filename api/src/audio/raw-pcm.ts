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

type Order = 'little' | 'big' | null;

interface Declaration {
  /** The sample coding for a byte order. Null: the parameters name none. */
  coding: (order: Order, data: Buffer, channels: number) => SampleCoding;
  bits: number;
  /** The default rate of the type. Undefined: the type must name one. */
  rateHz?: number;
}

const { integer16, integer16BigEndian, muLaw, aLaw } = sampleCodings;
const ordered = (order: Order) => (order === 'big' ? integer16BigEndian : integer16);
const pcm: Declaration = { coding: ordered, bits: 16, rateHz: speechRateHz };
const l16: Declaration = {
  coding: (order, data, channels) => (order === null ? l16Coding(data, channels) : ordered(order)),
  bits: 16,
};

/**
 * Types whose bodies contain only samples. RFC 4856 defines audio/L16, whose rate is mandatory. GStreamer
 * sends audio/x-raw. Amazon Lex takes audio/lpcm and audio/x-l16.
 */
const declarations: ReadonlyMap<string, Declaration> = new Map([
  ['audio/pcm', pcm],
  ['audio/raw', pcm],
  ['audio/x-pcm', pcm],
  ['audio/x-raw', pcm],
  ['audio/lpcm', { coding: ordered, bits: 16 }],
  ['audio/l16', l16],
  ['audio/x-l16', l16],
  ['audio/pcmu', { coding: () => muLaw, bits: 8, rateHz: 8_000 }],
  ['audio/pcma', { coding: () => aLaw, bits: 8, rateHz: 8_000 }],
]);

/** Other names of a parameter. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ...['samplerate', 'sample-rate', 'sample_rate'].map((name) => [name, 'rate'] as const),
  ...['channel-count', 'channel_count'].map((name) => [name, 'channels'] as const),
  ...['bit', 'sample-size-bits'].map((name) => [name, 'bits'] as const),
  ...['codec', 'codecs', 'encoding'].map((name) => [name, 'format'] as const),
]);
/** Format names of samples that are not 16-bit integers: "f32le", "float", "s24be", "mulaw". */
const otherFormat = /f(?:32|64)|float|[su](?:8|18|20|24|32)|law/;

/** The sound of a body whose content type declares raw samples; null for other types. Throws AppError. */
export function declaredSound(data: Buffer, contentType: string | undefined): RawSound | null {
  // GStreamer separates with commas.
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(/[;,]/);
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
  const { bits, coding } = declaration;
  if (
    Number(given.get('bits') ?? bits) !== bits ||
    (bits === 16 && otherFormat.test(given.get('format') ?? ''))
  ) {
    throw unusable(type.trim(), 'bits=', `the number ${bits}: other samples need a WAV file`);
  }
  return { sampleRateHz, channels, coding: coding(orderOf(given), data, channels), data };
}

function nameAndValue(parameter: string): [string, string] {
  const [said = '', value = ''] = parameter.split('=');
  const name = said.trim();
  // GStreamer writes "format=(string)S16LE".
  return [
    otherNames.get(name) ?? name,
    value
      .replaceAll('"', '')
      .replace(/^\s*\(\w+\)/, '')
      .trim(),
  ];
}

function orderOf(given: ReadonlyMap<string, string>): Order {
  const isBig = given.get('is-big-endian');
  const words = `${given.get('endian')} ${given.get('endianness')} ${given.get('format')}`;
  if (isBig === 'true' || /\bbig\b|16be\b/.test(words)) return 'big';
  return isBig === 'false' || /\blittle\b|16le\b/.test(words) ? 'little' : null;
}

function unusable(type: string, parameter: string, must: string): AppError {
  return new AppError(
    'audio_unreadable',
    `The content type ${type} needs the parameter ${parameter} with ${must}.`,
  );
}
