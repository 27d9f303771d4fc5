import { isDeepStrictEqual } from 'node:util';
import type { SentenceOutlook, Silences } from '../audio/endpointer.ts';
import type { Listener, UtteranceEdge } from '../audio/listener.ts';
import { durationMs, type Pcm } from '../audio/pcm.ts';
import { AppError, toAppError } from '../errors.ts';
import type { TimedTranscript, TranscriptionOptions } from '../turn/transcription-options.ts';
import { createVoiceLength } from './turn-taking/pace.ts';

/** Maximum backlog of sound. Clients may send faster than recognition transcribes, and then have to wait. */
const maxPendingMs = 60_000;
/** Maximum length of a part. Longer ones end without a commit. */
const maxPartMs = 30 * 60_000;

/**
 * Receives the progress of the parts, each with its own id. Times are ms of sound since the connection began.
 */
export interface TranscriptionListener {
  started(id: string, atMs: number): void;
  stopped(id: string, atMs: number): void;
  /** The part is over and will be transcribed. */
  committed(id: string): void;
  /** More words of a committed part. */
  words(id: string, text: string): void;
  written(id: string, text: string, seconds: number): void;
  failed(id: string, error: AppError): void;
}

/** The words of a sound, and whether recognition is certain of them. */
type PieceTranscript = Pick<TimedTranscript, 'text' | 'isSure'>;

interface TranscriptionSessionOptions {
  listener: Listener;
  newId: () => string;
  tell: TranscriptionListener;
  /** Transcription options for the sound from now on. */
  options: () => TranscriptionOptions;
  write: (sound: Pcm, options: TranscriptionOptions, signal: AbortSignal) => Promise<PieceTranscript>;
  /** Whether transcription begins in a pause, before the end is certain. By default it never does. */
  speculates?: () => boolean;
  /**
   * Which silence the words before a pause need. `voicedMs`: how long a voice was heard. By default the words
   * do not matter.
   */
  outlookOf?: (transcript: { text: string; isSure: boolean }, voicedMs: number) => SentenceOutlook;
  /** Called when a piece has been transcribed, so that there is room for more sound. */
  onRoom: () => void;
  onFault: (error: unknown) => void;
}

/** The same silence ends an utterance, whatever its words are. */
export function anyWords(ms: number): Silences {
  return { answered: ms, whole: ms, asked: ms, stated: ms, ordinary: ms, open: ms, unfinished: ms };
}

/** Speech between two commits. A long one is transcribed in pieces while it continues. */
interface Part {
  id: string;
  texts: string[];
  soundMs: number;
  isCommitted: boolean;
  error: AppError | null;
}

export type TranscriptionSession = ReturnType<typeof createTranscriptionSession>;

/** A live connection that only transcribes. It answers nothing, and loses no words of a long speech. */
export function createTranscriptionSession({
  listener,
  newId,
  tell,
  options,
  write,
  speculates = () => false,
  outlookOf,
  onRoom,
  onFault,
}: TranscriptionSessionOptions) {
  const gone = new AbortController();
  let isManual = false;
  let open: Part | null = null;
  const voice = createVoiceLength();
  const early = createEarlyTranscription({
    ...{ write, options, gone: gone.signal },
    onWords: ({ text, isSure = false }, pausedAtMs) => {
      if (outlookOf === undefined || text === '') return;
      const outlook = outlookOf({ text, isSure }, voice.until(pausedAtMs));
      void takeEdges(listener.expect(outlook, pausedAtMs));
    },
  });
  const transcription = createPartTranscription({
    ...{ tell, options, onRoom, onFault },
    writer: early.writer,
    gone: gone.signal,
  });

  const opened = (): Part => {
    open ??= { id: newId(), texts: [], soundMs: 0, isCommitted: false, error: null };
    return open;
  };
  const commit = (part: Part): void => {
    open = null;
    transcription.commit(part);
  };

  const take = (edge: UtteranceEdge): void => {
    voice.onEdge(edge);
    if (edge.type === 'started') {
      const part = opened();
      if (!isManual) tell.started(part.id, Math.round(edge.fromMs));
    }
    early.notice(edge, () => !isManual && speculates());
    if (edge.type !== 'ended' || open === null) return;
    if (edge.cause === 'cleared') {
      open = null;
      return;
    }
    transcription.add(open, edge.sound);
    if (isManual && open.soundMs < maxPartMs) return;
    if (!isManual) tell.stopped(open.id, Math.round(edge.untilMs));
    commit(open);
  };
  const takeEdges = (found: Promise<readonly UtteranceEdge[]>): Promise<void> =>
    found
      .then((edges) => {
        if (!gone.signal.aborted) for (const edge of edges) take(edge);
      })
      .catch(onFault);
  const one = async (found: Promise<UtteranceEdge | null>): Promise<UtteranceEdge[]> => {
    const edge = await found;
    return edge ? [edge] : [];
  };

  return {
    /** Accepts sound. Resolves when endpointing has processed it. */
    pushAudio: (samples: Buffer): Promise<void> => takeEdges(listener.push(samples)),
    /** Sound waiting for endpointing, plus the transcription backlog beyond `maxPendingMs`, in ms. */
    waitingMs: () => listener.waitingMs + Math.max(0, transcription.pendingMs - maxPendingMs),
    /** With `isManual`, only `commit` ends a part. */
    set(changed: { endSilenceMs: number; isManual: boolean }): void {
      listener
        .set({ silences: anyWords(changed.endSilenceMs), isManual: changed.isManual })
        .then(() => {
          isManual = changed.isManual;
        })
        .catch(onFault);
    },
    /** The client ends the part. Calls `refuse` if there was no speech since the last one. */
    async commit(refuse: (error: AppError) => void): Promise<void> {
      await takeEdges(one(listener.commit()));
      if (open !== null) commit(open);
      else if (isManual) refuse(new AppError('no_audio', 'There was no speech since the last part.'));
    },
    /** Drops the sound since the last part. */
    async clear(): Promise<void> {
      await takeEdges(one(listener.clear()));
      open = null;
    },
    /** Whether someone is speaking, or sound is being transcribed. */
    isBusy: () => open !== null || transcription.pendingMs > 0,
    /** The client has disconnected: cancels all work. */
    close: () => gone.abort(),
  };
}

type EarlyOptions = Pick<TranscriptionSessionOptions, 'write' | 'options'> & {
  gone: AbortSignal;
  /** Called with the words before a pause that still lasts. */
  onWords: (transcript: PieceTranscript, pausedAtMs: number) => void;
};

/**
 * Transcribes the sound up to a pause. At the end of speech, this transcript is used if no more sound came.
 */
function createEarlyTranscription({ write, options, gone, onWords }: EarlyOptions) {
  let begun: {
    sound: Pcm;
    options: TranscriptionOptions;
    transcript: Promise<PieceTranscript>;
    drop: () => void;
  } | null = null;

  const drop = (): void => {
    begun?.drop();
    begun = null;
  };
  const begin = (sound: Pcm, pausedAtMs: number): void => {
    drop();
    const dropped = new AbortController();
    const current = options();
    const transcript = write(sound, current, AbortSignal.any([dropped.signal, gone]));
    transcript.then(
      (written) => {
        if (begun?.transcript === transcript) onWords(written, pausedAtMs);
      },
      () => undefined,
    );
    const abort = () => dropped.abort(new AppError('turn_cancelled'));
    begun = { sound, options: current, transcript, drop: abort };
  };
  return {
    /** Begins at a pause. Drops the work if the speech goes on or is dropped itself. */
    notice(edge: UtteranceEdge, mayBegin: () => boolean): void {
      if (edge.type === 'paused' && mayBegin()) begin(edge.sound, edge.atMs);
      if (edge.type === 'resumed' || (edge.type === 'ended' && edge.cause === 'cleared')) drop();
    },
    /** Returns a function that transcribes a sound. It uses the early transcript of the same sound. */
    writer(sound: Pcm, current: TranscriptionOptions): () => Promise<PieceTranscript> {
      const isSame =
        begun?.sound.samples.equals(sound.samples) === true && isDeepStrictEqual(begun.options, current);
      const transcript = isSame ? begun?.transcript : undefined;
      if (!isSame) drop();
      begun = null;
      const now = () => write(sound, current, gone);
      return transcript === undefined ? now : () => transcript.catch(now);
    },
  };
}

type PartTranscriptionOptions = Pick<
  TranscriptionSessionOptions,
  'tell' | 'options' | 'onRoom' | 'onFault'
> & {
  /** Prepares the transcription of a piece. */
  writer: ReturnType<typeof createEarlyTranscription>['writer'];
  /** Aborts when the client has disconnected. */
  gone: AbortSignal;
};

/** Transcribes the pieces of parts, and reports their transcripts in the order of the speech. */
function createPartTranscription({ tell, options, writer, onRoom, onFault, gone }: PartTranscriptionOptions) {
  let pendingMs = 0;
  let last: Promise<void> = Promise.resolve();

  const inOrder = (work: () => void | Promise<void>): void => {
    last = last.then(work).catch((error: unknown) => {
      if (!gone.aborted) onFault(error);
    });
  };

  return {
    /** Sound that waits for its transcript, in ms. */
    get pendingMs() {
      return pendingMs;
    },
    add(part: Part, sound: Pcm): void {
      const ms = durationMs(sound);
      const write = writer(sound, options());
      part.soundMs += ms;
      pendingMs += ms;
      inOrder(async () => {
        try {
          const { text } = await write();
          if (text === '' || gone.aborted) return;
          if (part.isCommitted) tell.words(part.id, part.texts.length > 0 ? ` ${text}` : text);
          part.texts.push(text);
        } catch (error) {
          part.error ??= toAppError(error);
        } finally {
          pendingMs -= ms;
          onRoom();
        }
      });
    },
    commit(part: Part): void {
      part.isCommitted = true;
      tell.committed(part.id);
      if (part.texts.length > 0) tell.words(part.id, part.texts.join(' '));
      inOrder(() => {
        if (gone.aborted) return;
        if (part.error) tell.failed(part.id, part.error);
        else tell.written(part.id, part.texts.join(' '), part.soundMs / 1_000);
      });
    },
  };
}
