import { ask } from './ask.ts';
import { sampleRateHz } from './wav.ts';

const withinMs = 20_000;
/** OpenAI's clients receive raw sound at this rate. */
const givenHz = 24_000;
const reach = 12;

interface VoiceOptions {
  url: URL;
  token: string | undefined;
}

/** Fetches a sentence in the server's voice for its language. Null: the server cannot speak it now. */
export async function spokenByHouse(
  { url, token }: VoiceOptions,
  input: string,
  language: string,
): Promise<Buffer | null> {
  try {
    const answer = await ask(new URL('/v1/audio/speech', url), {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tts-1', voice: 'alloy', input, language, response_format: 'pcm' }),
      signal: AbortSignal.timeout(withinMs),
    });
    return answer.ok ? toOurRate(Buffer.from(await answer.arrayBuffer())) : null;
  } catch {
    return null;
  }
}

/** Resamples from 24 to 16 kHz. It first removes sound above 8 kHz, which would return as noise. */
export function toOurRate(given: Buffer): Buffer {
  const step = givenHz / sampleRateHz;
  const count = Math.floor(given.length / 2 / step);
  const samples = Buffer.alloc(2 * count);
  for (let n = 0; n < count; n += 1) {
    const middle = n * step;
    let sum = 0;
    for (let at = Math.ceil(middle - reach); at <= middle + reach; at += 1) {
      if (at >= 0 && 2 * at + 1 < given.length)
        sum += given.readInt16LE(2 * at) * weight((at - middle) / step, reach / step);
    }
    samples.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sum / step))), 2 * n);
  }
  return samples;
}

/** A windowed sinc. */
function weight(x: number, width: number): number {
  const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / width);
  return x === 0 ? 1 : (window * Math.sin(Math.PI * x)) / (Math.PI * x);
}
