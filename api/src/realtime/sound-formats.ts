import { toBytes, toNumbers } from '../audio/pcm.ts';
import { createPcmResampler } from '../audio/resample.ts';
import { mixDown, type SampleCoding, sampleCodings } from '../audio/sample-coding.ts';
import { speechRateHz } from '../audio/speech-rate.ts';

/** OpenAI's names for 16-bit little-endian and the two telephone codings (ITU-T G.711). */
type SoundName = 'audio/pcm' | 'audio/pcmu' | 'audio/pcma';

/** Mono sound as a client sends or plays it. */
export interface WireFormat {
  type: SoundName;
  rateHz: number;
}

const codings: Readonly<Record<SoundName, SampleCoding>> = {
  'audio/pcm': sampleCodings.integer16,
  'audio/pcmu': sampleCodings.muLaw,
  'audio/pcma': sampleCodings.aLaw,
};

/** Only common rates are converted, because each rate needs a separate filter. */
export const soundRatesHz: readonly number[] = [
  8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
];

/** The default format. */
export const usualFormat: WireFormat = { type: 'audio/pcm', rateHz: 24_000 };

/** The format a client names. The default rate is OpenAI's: 24 kHz, or 8 kHz for telephone codings. */
export function soundFormatOf({
  type,
  rate,
}: {
  type: SoundName;
  rate?: number | null | undefined;
}): WireFormat {
  return { type, rateHz: rate ?? (type === 'audio/pcm' ? usualFormat.rateHz : 8_000) };
}

/** A format as reported in events. */
export function formatBody({ type, rateHz }: WireFormat): { type: SoundName; rate?: number } {
  // OpenAI names no rate for telephone codings: the rate is fixed.
  return type !== 'audio/pcm' && rateHz === 8_000 ? { type } : { type, rate: rateHz };
}

/** The duration of this many bytes. */
export function lengthMs({ type, rateHz }: WireFormat, bytes: number): number {
  return (bytes / codings[type].bytes / rateHz) * 1_000;
}

/**
 * Converts a client's sound to 16 kHz samples, piece by piece. Holds half a sample until the other half
 * arrives.
 */
export function createInputConverter({ type, rateHz }: WireFormat): (bytes: Buffer) => Buffer {
  const coding = codings[type];
  const resampler = createPcmResampler({ fromHz: rateHz, toHz: speechRateHz });
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    const data = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    const frames = Math.floor(data.length / coding.bytes);
    rest = data.subarray(frames * coding.bytes);
    return resampler.push(toBytes(mixDown({ sampleRateHz: rateHz, channels: 1, coding, data }, 0, frames)));
  };
}

/** Converts 16 kHz samples to a client's format, piece by piece. */
export function createOutputConverter({ type, rateHz }: WireFormat) {
  const coding = codings[type];
  const resampler = createPcmResampler({ fromHz: speechRateHz, toHz: rateHz });
  const write = (samples: Buffer): Buffer => (coding.bytes === 2 ? samples : inOneByte(samples, coding));
  return { push: (samples: Buffer) => write(resampler.push(samples)), end: () => write(resampler.end()) };
}

const tables = new Map<SampleCoding, Uint8Array>();
const values = 65_536;

function inOneByte(samples: Buffer, coding: SampleCoding): Buffer {
  const table = tables.get(coding) ?? tableOf(coding);
  tables.set(coding, table);
  return Buffer.from(toNumbers(samples).map((number) => table[number + values / 2] ?? 0));
}

/** A table that maps each sample value to the byte of the nearest coded value. */
function tableOf({ read }: SampleCoding): Uint8Array {
  const steps = Array.from({ length: 256 }, (_, byte) => ({ byte, value: read(Buffer.of(byte), 0) }));
  steps.sort((one, other) => one.value - other.value);
  const table = new Uint8Array(values);
  let at = 0;
  for (let index = 0; index < values; index += 1) {
    const number = index - values / 2;
    const gap = (step: number) => Math.abs((steps[step]?.value ?? Number.POSITIVE_INFINITY) - number);
    // `<=`, not `<`: G.711 has two zeros.
    while (gap(at + 1) <= gap(at)) at += 1;
    table[index] = steps[at]?.byte ?? 0;
  }
  return table;
}
