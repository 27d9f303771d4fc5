import { toBytes, toNumbers } from '../audio/pcm.ts';
import { createPcmResampler } from '../audio/resample.ts';
import { mixDown, type SampleCoding, sampleCodings } from '../audio/sample-coding.ts';
import { speechRateHz } from '../audio/speech-rate.ts';

/** OpenAI's names: 16 bits little-endian, and the two of telephones (ITU-T G.711). */
export type SoundName = 'audio/pcm' | 'audio/pcmu' | 'audio/pcma';

interface SoundKind {
  rateHz: number;
  coding: SampleCoding;
}

const kinds: Readonly<Record<SoundName, SoundKind>> = {
  'audio/pcm': { rateHz: 24_000, coding: sampleCodings.integer16 },
  'audio/pcmu': { rateHz: 8_000, coding: sampleCodings.muLaw },
  'audio/pcma': { rateHz: 8_000, coding: sampleCodings.aLaw },
};

/** A format as the events tell it. */
export function toldFormat(name: SoundName): { type: SoundName; rate?: number } {
  // Only for PCM there is a choice.
  return name === 'audio/pcm' ? { type: name, rate: kinds[name].rateHz } : { type: name };
}

/** How long so many bytes are. */
export function lengthMs(name: SoundName, bytes: number): number {
  const { rateHz, coding } = kinds[name];
  return (bytes / coding.bytes / rateHz) * 1_000;
}

/** Turns the sound of a client into samples of 16 kHz, piece by piece. Half a sample waits for its other half. */
export function createHearing(name: SoundName): (bytes: Buffer) => Buffer {
  const { rateHz, coding } = kinds[name];
  const resampler = createPcmResampler({ fromHz: rateHz, toHz: speechRateHz });
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    const data = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    const frames = Math.floor(data.length / coding.bytes);
    rest = data.subarray(frames * coding.bytes);
    return resampler.push(toBytes(mixDown({ sampleRateHz: rateHz, channels: 1, coding, data }, 0, frames)));
  };
}

/** Turns samples of 16 kHz into the sound that a client plays, piece by piece. */
export function createSpeaking(name: SoundName) {
  const { rateHz, coding } = kinds[name];
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

/** For every number the byte that stands for the one nearest to it. */
function tableOf({ read }: SampleCoding): Uint8Array {
  const steps = Array.from({ length: 256 }, (_, byte) => ({ byte, value: read(Buffer.of(byte), 0) }));
  steps.sort((one, other) => one.value - other.value);
  const table = new Uint8Array(values);
  let at = 0;
  for (let index = 0; index < values; index += 1) {
    const number = index - values / 2;
    const gap = (step: number) => Math.abs((steps[step]?.value ?? Number.POSITIVE_INFINITY) - number);
    // Not only while it is nearer: G.711 has two zeros.
    while (gap(at + 1) <= gap(at)) at += 1;
    table[index] = steps[at]?.byte ?? 0;
  }
  return table;
}
