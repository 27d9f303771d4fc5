import type { Pcm } from '../audio/pcm.ts';
import { type Attempt, onAnyReplica } from '../engines/any-replica.ts';
import { EngineError } from '../engines/engine-client.ts';
import { engineFault } from '../engines/engine-fault.ts';
import { type Replica, ranOnOf } from '../engines/replicas.ts';
import { isMistaken, type SttClient } from '../engines/stt-client.ts';
import type { Transcription, TranscriptionRequest } from '../engines/stt-transcription.ts';
import { type Transcript, timedTranscriptOf, transcriptOf } from '../engines/transcript.ts';
import { AppError } from '../errors.ts';
import type { PartialPayload } from '../jobs/queues.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import type { TimedTranscript, TranscriptionOptions } from '../turn/transcription-options.ts';
import type { RanOn, Turn } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import type { NextStages } from './next-stages.ts';
import type { IsRemark, WordsForIt } from './words-for-it.ts';

/** RFC 9218: a waiting person comes before a recording that can wait. A partial transcript comes last. */
const urgency = { waiting: 1, partial: 7 };

/** A language of the household, for the speech recognition. */
export interface RecognitionLanguage {
  tag: string;
  /** Its name in Whisper. */
  code: string;
  /** The words that speech recognition should expect. */
  hints: (now: { room: string | null; words: readonly string[] }) => Promise<string>;
  /** Sentences that Whisper invents for silence. */
  hallucinations: readonly string[];
  /** The words that people say over the assistant's voice, as it writes them: "Stop." */
  overItsVoice: readonly string[];
}

interface TranscriberOptions {
  replicas: readonly Replica<SttClient>[];
  /** The household's languages. The first one applies unless another was chosen. */
  languages: readonly [RecognitionLanguage, ...RecognitionLanguage[]];
  /** The settings of the turn, or the current ones. */
  settingsOf: (turn: { revision?: number | undefined }) => Promise<Pipeline>;
}

/** Our own server reports this code. Other servers lack the endpoint. */
const cannotTranslate = (error: unknown): boolean =>
  error instanceof EngineError &&
  (error.detail?.includes('cannot_translate') === true || error.status === 404);

/** Whether the model of this server knows a language; true if one of them is unknown. */
const knows = ({ languages }: SttClient, language: string | undefined): boolean =>
  language === undefined || language === 'auto' || languages.length === 0 || languages.includes(language);

/** A transcript, and the server that wrote it. */
type SpokenTranscript = Transcript & { ranOn?: RanOn };

const nothing: Transcript = { text: '', isSure: true };

interface Sound {
  key: string;
  sound: Pcm;
  urgency: number;
  signal: AbortSignal;
}

interface SpeechToTranscribe extends Sound {
  /** The sentence is not over, so a short window is enough. */
  isPartial?: boolean;
  /** Return the score of each word. */
  words?: boolean;
  /** Return the scores of the words that people say over the assistant's voice. */
  isOverItsVoice?: boolean;
  room: string | null;
  /** The tag of its language. */
  language?: string | undefined;
  /** The settings revision. Default: the latest. */
  revision?: number;
}

interface Asked extends TranscriptionRequest {
  key: string;
  /** Someone waits, so ask a second server as well when the first is late. */
  isHedged: boolean;
}

export type Transcriber = ReturnType<typeof createTranscriber>;

/** Transcribes sound on any of the engine's servers. Failures are AppErrors. */
export function createTranscriber(options: TranscriberOptions) {
  const { replicas, languages, settingsOf } = options;
  const [usual] = languages;
  const ask = async ({
    key,
    isHedged,
    ...request
  }: Asked): Promise<{ written: Transcription; ranOn: RanOn }> => {
    let tried: Replica<SttClient> | undefined;
    try {
      const call = async (replica: Replica<SttClient>, { signal }: Attempt) => {
        tried = replica;
        const written = await replica.client.transcribe({ ...request, signal });
        return { written, ranOn: ranOnOf('stt', replica) };
      };
      return await onAnyReplica(replicas, key, call, {
        signal: request.signal,
        isAble: (client) => knows(client, request.language),
        ...(isHedged && { mayHedge: () => true }),
      });
    } catch (error) {
      if (request.translates && cannotTranslate(error))
        throw new AppError(
          'invalid_request',
          'The speech recognition of this household cannot translate. Models of many languages can, such as whisper-small: "make models STT_MODEL=whisper-small".',
          { cause: error },
        );
      throw engineFault('stt', error, (tried ?? replicas[0])?.status());
    }
  };
  const optionsFor = async (
    { code: language, hints }: RecognitionLanguage,
    { room, revision, prompt }: { room: string | null; revision?: number; prompt?: string },
  ) => {
    if (replicas.length === 0)
      throw new AppError('stt_unavailable', 'The speech recognition is switched off.');
    const { stt_model: model, hints: words } = await settingsOf({ revision });
    return { model, language, prompt: prompt ?? (await hints({ room, words })) };
  };

  return {
    /** Transcribes speech to the assistant. */
    async transcribeSpeech({
      room,
      language,
      isPartial,
      isOverItsVoice,
      revision,
      ...sound
    }: SpeechToTranscribe): Promise<SpokenTranscript> {
      const spoken = languages.find(({ tag }) => tag === language) ?? usual;
      const as = await optionsFor(spoken, { room, ...(revision !== undefined && { revision }) });
      const isHedged = isPartial !== true;
      const asked = {
        ...sound,
        ...as,
        isHedged,
        ...(isPartial && ({ window: 'short' } as const)),
        ...(isOverItsVoice && { phrases: spoken.overItsVoice }),
      };
      const { written, ranOn } = await ask(asked);
      const transcript = transcriptOf(written, { hallucinations: spoken.hallucinations, hint: as.prompt });
      return { ...transcript, ranOn };
    },

    /** Transcribes a recording for a client. */
    async transcribe({ times, ...options }: TranscriptionOptions, sound: Sound): Promise<TimedTranscript> {
      // The household's prompt is in its language, but a recording to translate is not.
      const prompt = options.translates ? (options.prompt ?? '') : options.prompt;
      const spoken = languages.find(({ code }) => code === options.language) ?? usual;
      const as = {
        ...(await optionsFor(spoken, { room: null, ...(prompt !== undefined && { prompt }) })),
        ...options,
      };
      const request = { ...sound, ...as, isHedged: false, ...(times && ({ window: 'full' } as const)) };
      const { written } = await ask(request).catch((error: unknown) => {
        throw options.language === undefined ? error : unknownLanguage(options.language, error);
      });
      return timedTranscriptOf(written, { hallucinations: spoken.hallucinations, hint: as.prompt });
    },
  };
}

/** The engine rejected a request with an explicit language, so the language is the cause. */
function unknownLanguage(language: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'stt_bad_answer' || !isMistaken(error.cause))
    return error;
  return new AppError('invalid_request', `The speech recognition does not know the language "${language}".`, {
    cause: error,
    param: 'language',
  });
}

interface TranscribeJobOptions {
  turns: TurnStore;
  sounds: Pick<SoundTransport, 'collect'>;
  transcriber: Pick<Transcriber, 'transcribeSpeech'>;
  wordsForIt: WordsForIt;
  isRemark: IsRemark;
  next: Pick<NextStages, 'respond'>;
}

/** The transcribe stage: transcribes a recording and adds the respond stage. */
export function createTranscribeJob(options: TranscribeJobOptions) {
  const { turns, sounds, transcriber, wordsForIt, isRemark, next } = options;
  /** The words for the assistant. If we cannot tell a remark from a request, it is for the assistant. */
  const meantBy = async (turn: Turn, transcript: Transcript, signal: AbortSignal) => {
    const meant = await wordsForIt(turn, transcript);
    if (turn.nameRule !== 'request' || meant === null || meant.isNamed || meant.text === '') return meant;
    return (await isRemark(turn, meant.text, signal).catch(() => false)) ? null : meant;
  };
  /** False: the words are for someone else, or are only the name. The waiting process then ends the turn. */
  const saveWordsForIt = async (
    turn: Turn,
    { transcript, sttMs, signal }: { transcript: SpokenTranscript; sttMs: number; signal: AbortSignal },
  ): Promise<boolean> => {
    const meant = await meantBy(turn, transcript, signal);
    const isSaved = await turns.saveTranscript(turn, {
      ...(meant ?? nothing),
      sttMs,
      ranOn: transcript.ranOn,
    });
    return isSaved && meant !== null && !(meant.isNamed && meant.text === '');
  };

  return async (turn: Turn, { signal }: { signal: AbortSignal }): Promise<void> => {
    if (turn.text !== null) {
      if (turn.nameRule === undefined || turn.text !== '') await next.respond(turn);
      return;
    }
    const sound = await sounds.collect(turn.id, turn.replyTo, signal);
    if (!sound) throw new AppError('internal', undefined, { cause: new Error('the recording is gone') });
    const begunAt = performance.now();
    const transcript = await transcriber.transcribeSpeech({
      key: turn.id,
      sound,
      room: turn.room,
      language: turn.language,
      revision: turn.revision,
      words: turn.nameRule === 'said' || turn.nameRule === 'near',
      isOverItsVoice: turn.nameRule === 'needed_or_stop',
      urgency: urgency.waiting,
      signal,
    });
    const sttMs = performance.now() - begunAt;
    // False: the turn is over, or a worker presumed dead has transcribed it after all.
    const isToAnswer =
      turn.nameRule === undefined
        ? await turns.saveTranscript(turn, { ...transcript, sttMs })
        : await saveWordsForIt(turn, { transcript, sttMs, signal });
    if (isToAnswer) await next.respond(turn);
  };
}

interface PartialTranscribeJobOptions {
  turns: Pick<TurnStore, 'publishPartialTranscript'>;
  sounds: Pick<SoundTransport, 'collect'>;
  transcriber: Pick<Transcriber, 'transcribeSpeech'>;
  wordsForIt: WordsForIt;
}

/**
 * Transcribes an unfinished utterance. After a wake word, the transcript and its certainty are those of the
 * request alone. A failure is harmless.
 */
export function createPartialTranscribeJob(options: PartialTranscribeJobOptions) {
  const { turns, sounds, transcriber, wordsForIt } = options;
  return async (payload: PartialPayload, signal: AbortSignal): Promise<void> => {
    const { overheardId: key, room, language, revision, replyTo, calledBy } = payload;
    const spoken = language === undefined ? {} : { language };
    const sound = await sounds.collect(key, replyTo, signal);
    if (!sound) return;
    const transcript = await transcriber.transcribeSpeech({
      key,
      sound,
      room,
      ...spoken,
      revision,
      words: calledBy !== undefined,
      urgency: urgency.partial,
      isPartial: true,
      signal,
    });
    const request =
      calledBy && (await wordsForIt({ nameRule: 'said', calledBy, revision, ...spoken }, transcript));
    await turns.publishPartialTranscript(replyTo, key, request ?? transcript);
  };
}
