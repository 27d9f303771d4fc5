import type { Pcm } from '../audio/pcm.ts';
import { engineFault } from '../engines/engine-fault.ts';
import { onAnyReplica, type Replica } from '../engines/replicas.ts';
import type { SttClient } from '../engines/stt-client.ts';
import { type Transcript, transcriptOf } from '../engines/transcript.ts';
import { AppError } from '../errors.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { SoundPost } from '../turn/sound-post.ts';
import type { Turn } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import type { NextStages } from './chain.ts';
import type { PartialPayload } from './queues.ts';

/** RFC 9218: someone who waits for an answer goes before a recording that can wait; a partial transcript waits for all. */
const urgency = { waiting: 1, partial: 7 };

interface TranscriberOptions {
  replicas: readonly Replica<SttClient>[];
  /** The settings that the turn began under, or those of now. */
  settingsOf: (turn: { revision?: number | undefined }) => Promise<Pipeline>;
  /** The words that the speech recognition is told to expect. */
  hints: (now: { room: string | null; words: readonly string[] }) => Promise<string>;
  /** The sentences that Whisper makes up if there is nothing to hear. */
  hallucinations: readonly string[];
}

const nothing: Transcript = { text: '', isSure: true };

interface SoundToHear {
  /** The sentence is not over: a quick look is enough. */
  isPartial?: boolean;
  key: string;
  sound: Pcm;
  room: string | null;
  urgency: number;
  /** The revision of the settings; left out: the newest. */
  revision?: number;
  signal: AbortSignal;
}

export type Transcriber = ReturnType<typeof createTranscriber>;

/** Transcribes sound on any of the engine's servers. Throws AppError. */
export function createTranscriber({ replicas, settingsOf, hints, hallucinations }: TranscriberOptions) {
  return async ({ key, sound, room, signal, ...how }: SoundToHear): Promise<Transcript> => {
    if (replicas.length === 0)
      throw new AppError('stt_unavailable', 'The speech recognition is switched off.');
    const { stt_model: model, language, hints: words } = await settingsOf(how);
    const prompt = await hints({ room, words });
    const window = how.isPartial ? ({ window: 'short' } as const) : {};
    const request = { sound, prompt, model, language, signal, urgency: how.urgency, ...window };
    let asked: Replica<SttClient> | undefined;
    try {
      const written = await onAnyReplica(replicas, key, (replica) => {
        asked = replica;
        return replica.client.transcribe(request);
      });
      return transcriptOf(written, { hallucinations, hint: prompt });
    } catch (error) {
      throw engineFault('stt', error, (asked ?? replicas[0])?.status());
    }
  };
}

/** The words that are for the assistant, without its name, of a turn with a rule for it. Null: they are not for it. */
export type WordsForIt = (
  turn: Turn,
  transcript: Transcript,
) => Promise<(Transcript & { isNamed: boolean }) | null>;

interface TranscribeJobOptions {
  turns: TurnStore;
  sounds: Pick<SoundPost, 'collect'>;
  transcribe: Transcriber;
  wordsForIt: WordsForIt;
  next: Pick<NextStages, 'respond'>;
}

/** The transcribe stage: a recording to its words, which then want an answer. */
export function createTranscribeJob(options: TranscribeJobOptions) {
  const { turns, sounds, transcribe, wordsForIt, next } = options;
  /** Words that are not for the assistant go no further, nor does its name alone. The one who waits ends the turn. */
  const hearByRule = async (turn: Turn, transcript: Transcript, sttMs: number): Promise<boolean> => {
    const meant = await wordsForIt(turn, transcript);
    const isHeard = await turns.hear(turn, { ...(meant ?? nothing), sttMs });
    return isHeard && meant !== null && !(meant.isNamed && meant.text === '');
  };

  return async (turn: Turn, { signal }: { signal: AbortSignal }): Promise<void> => {
    if (turn.text !== null) {
      if (turn.nameRule === undefined || turn.text !== '') await next.respond(turn);
      return;
    }
    const sound = await sounds.collect(turn.id, turn.replyTo, signal);
    if (!sound) throw new AppError('internal', undefined, { cause: new Error('the recording is gone') });
    const begunAt = performance.now();
    const transcript = await transcribe({
      key: turn.id,
      sound,
      room: turn.room,
      revision: turn.revision,
      urgency: urgency.waiting,
      signal,
    });
    const sttMs = performance.now() - begunAt;
    // False: the turn is over, or a worker that was taken for dead has transcribed it after all.
    const isToAnswer =
      turn.nameRule === undefined
        ? await turns.hear(turn, { ...transcript, sttMs })
        : await hearByRule(turn, transcript, sttMs);
    if (isToAnswer) await next.respond(turn);
  };
}

interface PartialTranscribeJobOptions {
  sounds: Pick<SoundPost, 'collect'>;
  transcribe: Transcriber;
  tell: (payload: PartialPayload, transcript: Transcript) => Promise<unknown>;
}

/** Transcribes the speech so far of somebody who still speaks. If it fails, nobody misses it. */
export function createPartialTranscribeJob({ sounds, transcribe, tell }: PartialTranscribeJobOptions) {
  return async (payload: PartialPayload, signal: AbortSignal): Promise<void> => {
    const { overheardId: key, room, revision, replyTo } = payload;
    const sound = await sounds.collect(key, replyTo, signal);
    if (!sound) return;
    await tell(
      payload,
      await transcribe({
        key,
        sound,
        room,
        revision,
        urgency: urgency.partial,
        isPartial: true,
        signal,
      }),
    );
  };
}
