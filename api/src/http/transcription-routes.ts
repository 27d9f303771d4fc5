import { PassThrough } from 'node:stream';
import { createConcurrencyLimit, LimitReachedError } from '../audio/concurrency-limit.ts';
import type { Decoder } from '../audio/decode.ts';
import { durationMs, type Pcm } from '../audio/pcm.ts';
import { cutAtPauses } from '../audio/sound-pieces.ts';
import type { SpeechCheck } from '../audio/speech-check.ts';
import { AppError, toAppError } from '../errors.ts';
import type { TimedTranscript } from '../turn/transcription-options.ts';
import type { WorkerCalls } from '../turn-client/worker-calls.ts';
import { hangUpSignal } from './caller-turn.ts';
import type { Call, Handlers } from './contract-routes.ts';
import {
  asJson,
  asSrt,
  asVerboseJson,
  asVtt,
  joinTranscripts,
  type WholeTranscript,
} from './transcript-formats.ts';
import { asTranslation, readTranscriptionForm, type TranscriptionForm } from './transcription-form.ts';

/** One Whisper window, so that live speech waits for a recording no longer than one window takes. */
const pieceLimits = { maxMs: 29_000, minMs: 14_000 };
/** Includes the wait for all earlier speech. */
const pieceMs = 60_000;
/** Half an hour takes 58 MB per recording; a small machine holds two. */
const atOnce = { maxAtOnce: 2, maxWaiting: 16 };

/**
 * OpenAI bills streams by tokens, and its clients expect them in the stream. The engines here do not count
 * any.
 */
const noTokens = { type: 'tokens', input_tokens: 0, output_tokens: 0, total_tokens: 0 } as const;

const silence: TimedTranscript = { text: '', language: null, hasVoice: false, segments: [], words: [] };

interface TranscriptionRoutesOptions {
  decoder: Decoder;
  hasSpeech: SpeechCheck;
  transcribe: WorkerCalls['transcribe'];
}

/** Transcribes recordings, for programs. */
export function transcriptionRoutes(
  options: TranscriptionRoutesOptions,
): Pick<Handlers, 'createTranscription' | 'createTranslation'> {
  const limit = createConcurrencyLimit(atOnce);

  const answer = async (call: TranscriptionCall, form: TranscriptionForm) => {
    const gone = hangUpSignal(call.reply);
    const transcribe = <T>(work: (pieces: Pieces) => Promise<T>): Promise<T> =>
      limit(gone, async () => {
        const sound = await options.decoder.decode(form.recording, form.type, gone);
        return work(writePieces(options, sound, { form, signal: gone }));
      }).catch((error: unknown) => {
        throw error instanceof LimitReachedError ? tooMany() : error;
      });
    if (form.streams) return stream(call, transcribe);
    return send(call, form, await transcribe((pieces) => wholeOf(pieces)));
  };
  const read = ({ body, request }: TranscriptionCall) =>
    readTranscriptionForm(body, request.headers['content-type']);

  return {
    createTranscription: async (call) => answer(call, read(call)),
    createTranslation: async (call) => answer(call, asTranslation(read(call))),
  };
}

const tooMany = () =>
  new AppError('overloaded', 'Too many recordings are waiting for transcription. Try again later.');

interface Piece {
  transcript: TimedTranscript;
  fromS: number;
}

interface Pieces {
  seconds: number;
  pieces: AsyncIterable<Piece>;
}

function writePieces(
  { hasSpeech, transcribe }: TranscriptionRoutesOptions,
  sound: Pcm,
  { form: { options }, signal }: { form: TranscriptionForm; signal: AbortSignal },
): Pieces {
  const write = async (piece: Pcm): Promise<TimedTranscript> => {
    const written = await transcribe(piece, options, { withinMs: pieceMs, signal });
    // Our own recognition checks for speech. Other engines invent words for silence and report high
    // confidence.
    if (written.text === '' || written.hasVoice || (await hasSpeech(piece, signal))) return written;
    return silence;
  };
  async function* pieces() {
    for (const { sound: piece, fromMs } of cutAtPauses(sound, pieceLimits)) {
      yield { transcript: await write(piece), fromS: fromMs / 1_000 };
    }
  }
  return { seconds: durationMs(sound) / 1_000, pieces: pieces() };
}

async function wholeOf({ seconds, pieces }: Pieces, tell: (piece: Piece) => void = () => undefined) {
  const all: Piece[] = [];
  for await (const piece of pieces) {
    all.push(piece);
    tell(piece);
  }
  return joinTranscripts(all, seconds);
}

type TranscriptionCall = Pick<Call<'createTranscription'>, 'body' | 'request' | 'reply'>;

function send(
  { reply }: TranscriptionCall,
  { format, tells, options }: TranscriptionForm,
  whole: WholeTranscript,
) {
  const plain = 'text/plain; charset=utf-8';
  if (format === 'json') return asJson(whole);
  if (format === 'verbose_json')
    return asVerboseJson(whole, { ...tells, isTranslated: options.translates === true });
  if (format === 'text') return reply.type(plain).send(`${whole.text}\n`);
  if (format === 'srt') return reply.type(plain).send(asSrt(whole));
  return reply.type('text/vtt; charset=utf-8').send(asVtt(whole));
}

/**
 * Streams each piece when it is transcribed. An error before the first has its own status; a later one is an
 * event, as in chat.
 */
async function stream(
  { reply }: TranscriptionCall,
  transcribe: <T>(work: (pieces: Pieces) => Promise<T>) => Promise<T>,
) {
  const events = new PassThrough();
  const begun = Promise.withResolvers<void>();
  const tell = (event: object) => {
    events.write(`data: ${JSON.stringify(event)}\n\n`);
    begun.resolve();
  };
  let isFirst = true;
  const tellText = ({ transcript: { text } }: Piece) => {
    if (text) tell({ type: 'transcript.text.delta', delta: isFirst ? text : ` ${text}` });
    isFirst &&= text === '';
  };
  const written = transcribe((pieces) => wholeOf(pieces, tellText)).then((whole) => {
    tell({ type: 'transcript.text.done', text: whole.text, usage: noTokens });
    events.end();
  });
  written.catch((error: unknown) => {
    begun.reject(error);
    events.end(`data: ${JSON.stringify(toAppError(error).toBody())}\n\n`);
  });
  await begun.promise;
  // Stops a buffering proxy from undoing the streaming.
  reply.header('x-accel-buffering', 'no');
  return reply.type('text/event-stream; charset=utf-8').send(events);
}
