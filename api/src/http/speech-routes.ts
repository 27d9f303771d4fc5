import { Readable } from 'node:stream';
import { createConcurrencyLimit, LimitReachedError } from '../audio/concurrency-limit.ts';
import { type Encoder, encodedRateHz, type SoundFormat } from '../audio/encode.ts';
import { bytesPerSample, type Pcm } from '../audio/pcm.ts';
import { speakPieces } from '../audio/spoken-pieces.ts';
import { AppError, toAppError } from '../errors.ts';
import { openaiVoices, ownVoiceOf } from '../realtime/voice-names.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { WorkerCalls } from '../turn-client/worker-calls.ts';
import { hangUpSignal } from './caller-turn.ts';
import type { Call, Handlers } from './contract-routes.ts';

const types: Readonly<Record<SoundFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

/** Includes the wait for all earlier spoken answers. */
const pieceMs = 60_000;
/**
 * Time after which a reader that takes no data counts as gone. It is longer than the synthesis of one piece,
 * which sends no data.
 */
const usualStuckMs = 2 * pieceMs;
/** Seconds of silence for a text without words. */
const momentS = 0.25;
const atOnce = { maxAtOnce: 8, maxWaiting: 32 };
/** Piper speaks from four times slower to four times faster than normal. */
const speeds = { min: 0.25, max: 4 };

interface SpeechRoutesOptions {
  encoder: Encoder;
  say: WorkerCalls['say'];
  settings: () => Pick<Pipeline, 'voice' | 'speed'>;
  /** Throws `invalid_request` for a voice that does not exist. */
  checkVoice: (voice: string) => void;
  /** The available voices. */
  voices: () => readonly string[];
  /**
   * Splits a text into pieces to speak in order. Writes out numbers and units in words unless the text is
   * verbatim.
   */
  piecesOf: (text: string, how: { isVerbatim: boolean; language: string | undefined }) => string[];
  /** The tag of a language of the household; undefined: it does not speak it, or none was named. */
  languageIn: (named: string | null | undefined) => string | undefined;
  /** Time after which a reader that takes no data is gone. */
  stuckMs?: number | undefined;
}

/** Turns texts into sound, for programs. */
export function speechRoutes(options: SpeechRoutesOptions): Pick<Handlers, 'createSpeech' | 'listVoices'> {
  const { encoder, settings, checkVoice, voices, piecesOf, languageIn, stuckMs = usualStuckMs } = options;
  const limit = createConcurrencyLimit(atOnce);

  const mannerOf = ({ voice, speed, language: named }: SpeechBody) => {
    const own = ownVoiceOf(voice);
    if (own !== null) checkVoice(own);
    const usual = settings();
    const faster = Math.min(speeds.max, Math.max(speeds.min, usual.speed * (speed ?? 1)));
    return { voice: own ?? usual.voice, speed: faster, language: languageIn(named) };
  };
  const checkFormat = async (format: SoundFormat) => {
    const able = await encoder.able();
    if (able.includes(format)) return;
    const message = `This machine cannot encode ${format}: ffmpeg is missing or lacks the encoder. Request ${able.join(', ')}.`;
    throw new AppError('invalid_request', message, { param: 'response_format' });
  };

  return {
    listVoices: () => ({ voices: [...openaiVoices, ...voices()].map((name) => ({ id: name, name })) }),

    async createSpeech({ body, reply }) {
      const format = body.response_format ?? 'mp3';
      const manner = mannerOf(body);
      await checkFormat(format);
      const pieces = piecesOf(body.input, { isVerbatim: body.verbatim === true, language: manner.language });
      const gone = hangUpSignal(reply);
      const say = (text: string) => options.say(text, manner, { withinMs: pieceMs, signal: gone });
      const spoken =
        pieces.length > 0
          ? inTurn(limit, gone, () => speakPieces(pieces, { say, rateHz: encodedRateHz }))
          : aMoment();
      const first = await spoken.next();
      if (first.done) throw new AppError('tts_unavailable');
      const samples = after(first.value, spoken);
      const sound = { samples, isOnePiece: pieces.length <= 1, signal: gone };
      const file = await encoder.encode(format, sound).catch(async (error: unknown) => {
        // Release the slot: no other code does it.
        await spoken.return();
        throw error;
      });
      reply.raw.setTimeout(stuckMs, () => reply.raw.destroy());
      reply.header('x-accel-buffering', 'no');
      if (body.stream_format !== 'sse') return reply.type(types[format]).send(file);
      return reply.type('text/event-stream; charset=utf-8').send(Readable.from(eventsOf(file)));
    },
  };
}

type SpeechBody = Call<'createSpeech'>['body'];

/** Starts work when a slot is free and holds the slot until the work ends. */
async function* inTurn<T>(
  limit: ReturnType<typeof createConcurrencyLimit>,
  signal: AbortSignal,
  begin: () => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  const over = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const leave = () => over.resolve();
  signal.addEventListener('abort', leave, { once: true });
  limit(signal, () => {
    entered.resolve();
    return over.promise;
  }).catch(entered.reject);
  try {
    await entered.promise.catch((error: unknown) => {
      throw error instanceof LimitReachedError ? tooMany() : error;
    });
    yield* begin();
  } finally {
    leave();
  }
}

const tooMany = () => new AppError('overloaded', 'Too many texts are waiting to be spoken. Try again later.');

/**
 * Silence for a text without words, such as "…" or an emoji. Programs send each sentence of an answer and
 * play the result.
 */
async function* aMoment(): AsyncGenerator<Pcm, void> {
  yield { sampleRateHz: encodedRateHz, samples: Buffer.alloc(encodedRateHz * bytesPerSample * momentS) };
}

async function* after(first: Pcm, others: AsyncIterable<Pcm>) {
  yield first.samples;
  for await (const { samples } of others) yield samples;
}

/** Sends a file as events of OpenAI's speech stream. After an error, the final event is missing. */
async function* eventsOf(file: AsyncIterable<Buffer>) {
  const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
  try {
    for await (const bytes of file)
      yield event({ type: 'speech.audio.delta', audio: bytes.toString('base64') });
    yield event({ type: 'speech.audio.done' });
  } catch (error) {
    yield event(toAppError(error).toBody());
  }
}
