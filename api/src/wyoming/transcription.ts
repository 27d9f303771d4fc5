import { bytesPerSample } from '../audio/pcm.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { createTranscriptionSession, TranscriptionSession } from '../listen/transcription-session.ts';
import { languageCodeOf } from '../turn/language-code.ts';
import type { TranscriptionOptions } from '../turn/transcription-options.ts';
import { likelyWords, type RequestData } from './requests.ts';
import { createSoundIntake } from './sound-intake.ts';

/** How far a microphone may be ahead of the clock. A recording arrives faster. */
const aheadMs = 1_500;
/** Timeout for speech to begin. Home Assistant's own VAD has the same. */
const maxSilenceMs = 15_000;
/** Maximum length of sound. Longer sound is cut off here. */
const maxSoundMs = 30 * 60_000;
/** Backlog of unprocessed sound at which the client has to wait. */
const maxWaitingMs = 2_000;

type OpenSession = (
  side: Pick<Parameters<typeof createTranscriptionSession>[0], 'tell' | 'options' | 'onRoom'> & {
    /** The sound comes from a microphone, as far as we can tell. */
    isLive: () => boolean;
    /** The tag of the language. Undefined: the household's first. */
    language: string | undefined;
    sensitivity: RequestData<'transcribe'>['vad_sensitivity'];
  },
) => TranscriptionSession;

interface WyomingTranscriptionOptions {
  request: RequestData<'transcribe'>;
  open: OpenSession;
  /** The tag of a language of the household. Throws AppError if the household does not speak it. */
  languageIn: (named: string | null | undefined) => string | undefined;
  clock: Pick<Clock, 'nowMs'>;
  /** Aborts when the transcript is not wanted any more. */
  signal: AbortSignal;
  /** Called with whether more sound may come now. */
  onRoom: (hasRoom: boolean) => void;
}

interface Transcription {
  /** The transcript. '' if there was no voice. Rejects with an AppError. */
  words: Promise<string>;
  push: (format: RequestData<'audio-chunk'>, bytes: Buffer) => void;
  /** Call at the end of the sound. */
  end: () => Promise<void>;
}

/**
 * Handles one `transcribe`: transcribes sound once. Live speech ends when the person has finished, whether or
 * not the client ends it. A recording arrives faster than real time and is transcribed to its end.
 */
export function createTranscription(options: WyomingTranscriptionOptions): Transcription {
  try {
    return transcribeIn(spokenIn(options), options);
  } catch (error) {
    return { words: Promise.reject(error), push: () => undefined, end: async () => undefined };
  }
}

interface SpokenLanguage {
  tag: string | undefined;
  /** Its name in Whisper. */
  code: string | undefined;
}

/** The language that a request names. Undefined: none was named. Throws AppError. */
function spokenIn({ request, languageIn }: WyomingTranscriptionOptions): SpokenLanguage {
  const named = request.language;
  if (named && languageCodeOf(named) === 'auto') return { tag: undefined, code: 'auto' };
  const tag = languageIn(named);
  return { tag, code: tag && (languageCodeOf(tag) ?? tag) };
}

function transcribeIn(
  { tag, code }: SpokenLanguage,
  { request, open, clock, signal, onRoom }: WyomingTranscriptionOptions,
): Transcription {
  const { promise: words, resolve, reject } = Promise.withResolvers<string>();
  const intake = createSoundIntake();
  const prompt = likelyWords(request);
  const options: TranscriptionOptions = {
    times: false,
    words: false,
    ...(code && { language: code }),
    ...(prompt !== undefined && { prompt }),
  };
  const texts: string[] = [];
  let [soundMs, spokenParts, unwritten] = [0, 0, 0];
  let begunAtMs: number | null = null;
  let hasEnded = false;

  const isLive = () => begunAtMs !== null && soundMs <= clock.nowMs() - begunAtMs + aheadMs;
  const settle = (): void => {
    if (hasEnded && unwritten === 0) resolve(texts.join(' '));
  };
  const session = open({
    options: () => options,
    language: tag,
    sensitivity: request.vad_sensitivity,
    isLive,
    onRoom: () => reportRoom(),
    tell: {
      started: () => {
        spokenParts += 1;
      },
      stopped: () => undefined,
      committed: () => {
        unwritten += 1;
        hasEnded ||= isLive();
      },
      words: () => undefined,
      written: (_id, text) => {
        if (text !== '') texts.push(text);
        unwritten -= 1;
        settle();
      },
      failed: (_id, error: AppError) => reject(error),
    },
  });
  const close = () => {
    session.close();
    reject(new AppError('turn_cancelled'));
  };
  words.catch(() => undefined);
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  const reportRoom = () => onRoom(session.waitingMs() < maxWaitingMs);
  const pushAudio = (samples: Buffer): void => {
    soundMs += (samples.length / bytesPerSample / speechRateHz) * 1_000;
    void session.pushAudio(samples).then(reportRoom);
    reportRoom();
  };
  const end = async (): Promise<void> => {
    if (hasEnded) return;
    pushAudio(intake.end());
    await session.commit(() => undefined);
    hasEnded = true;
    settle();
  };

  return {
    words,
    push(format, bytes) {
      if (hasEnded) return;
      begunAtMs ??= clock.nowMs();
      pushAudio(intake.push(format, bytes));
      if (soundMs > maxSoundMs || (spokenParts === 0 && soundMs > maxSilenceMs && isLive())) void end();
    },
    end,
  };
}
