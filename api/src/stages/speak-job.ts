import { leveled } from '../audio/loudness.ts';
import type { Pcm } from '../audio/pcm.ts';
import { startingAtOnce } from '../audio/speech-join.ts';
import { onAnyReplica } from '../engines/any-replica.ts';
import type { Replica } from '../engines/replicas.ts';
import type { TtsClient } from '../engines/tts-client.ts';
import type { SentencePayload } from '../jobs/queues.ts';
import { putLatest } from '../latest.ts';
import type { Logger } from '../log.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import { sentenceId } from '../turn/sentence-store.ts';
import type { TurnStore } from '../turn/turn-store.ts';

interface VoiceOptions {
  replicas: readonly Replica<TtsClient>[];
  /** The voice that speaks the language. Null: the server's own. Undefined: none of them does. */
  voiceAmong: (voices: {
    chosen: string | null;
    own: readonly string[];
    offered: readonly string[];
  }) => string | null | undefined;
  /** Spells words so that a voice pronounces them correctly. */
  pronounce: (words: string) => string;
  /** The voice of last resort. */
  fallback: { speak(text: string, signal: AbortSignal, speed?: number): Promise<Pcm> };
  log: Logger;
}

/** The voice and its speed. */
export type VoiceAndSpeed = Pick<Pipeline, 'voice' | 'speed'>;

export type Voice = ReturnType<typeof createVoice>;

/** Confirmations, fillers and apologies repeat. This many are cached, each a few seconds at most. */
const keptSentences = 64;
const maxCachedCharacters = 60;

/** Speaks words with the voice, or the fallback voice if that fails, at equal loudness. Null: neither can. */
export function createVoice(options: VoiceOptions) {
  const { replicas, voiceAmong, pronounce, fallback, log } = options;
  const kept = new Map<string, Pcm>();

  const byVoice = async (text: string, manner: VoiceAndSpeed, signal: AbortSignal): Promise<Pcm | null> => {
    const spoken = await onAnyReplica(replicas, text, ({ client }) =>
      client.speak({ text: pronounce(text), ...toPiperOptions(manner), signal }),
    );
    return spoken && leveled(spoken);
  };
  const keep = (key: string, sound: Pcm): Pcm => {
    putLatest(kept, [key, sound], keptSentences);
    return sound;
  };
  const voiceNow = (chosen: string | null): string | null | undefined => {
    const ready = replicas.filter(({ status }) => status().state === 'ready').map(({ client }) => client);
    if (ready.length === 0) return undefined;
    const own = ready.map((client) => client.own);
    return voiceAmong({ chosen, own, offered: ready.flatMap((client) => client.options) });
  };

  return async (text: string, manner: VoiceAndSpeed, signal: AbortSignal): Promise<Pcm | null> => {
    const key = keyOf(text, manner);
    const known = kept.get(key);
    if (known) return keep(key, known);
    try {
      // Do not wait for a voice that is known to be unavailable.
      const voice = voiceNow(manner.voice);
      if (voice !== undefined) {
        const sound = await byVoice(text, { ...manner, voice }, signal);
        return sound && text.length <= maxCachedCharacters ? keep(key, sound) : sound;
      }
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error, characters: text.length }, 'voice failed on a sentence');
    }
    try {
      return leveled(await fallback.speak(pronounce(text), signal, manner.speed));
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error }, 'fallback voice failed too');
      return null;
    }
  };
}

/** Cache key: another voice or speed makes another sound. */
function keyOf(text: string, { voice, speed }: VoiceAndSpeed): string {
  return JSON.stringify([voice, speed, text]);
}

/** Converts a manner for Piper. A speed of 1 is left out, because each voice has its own normal speed. */
export function toPiperOptions({ voice, speed }: VoiceAndSpeed): {
  voice: string | null;
  lengthScale?: number;
} {
  return speed === 1 ? { voice } : { voice, lengthScale: 1 / speed };
}

interface SpeakJobOptions {
  turns: TurnStore;
  sounds: SoundTransport;
  settingsOf: (turn: { revision: number }) => Promise<VoiceAndSpeed>;
  voiceOf: (sentence: Pick<SentencePayload, 'language'>) => Voice;
}

/**
 * The speak stage: synthesizes a sentence, sends the sound to the waiting process, then publishes the event.
 */
export function createSpeakJob({ turns, sounds, settingsOf, voiceOf }: SpeakJobOptions) {
  return async (sentence: SentencePayload, signal: AbortSignal): Promise<void> => {
    const { turnId, seq, replyTo, revision } = sentence;
    if (await turns.isSilenced(turnId)) return;
    const text = await turns.readSentence(sentenceId(turnId, seq));
    if (text === null) return;
    const begunAt = performance.now();
    const sound = await voiceOf(sentence)(text, await settingsOf({ revision }), signal);
    const ttsMs = performance.now() - begunAt;
    const hasSound =
      sound !== null && (await sounds.send(replyTo, { box: turnId, seq }, startingAtOnce(sound)));
    const event = { type: 'speech', turnId, seq, text, hasSound, ttsMs } as const;
    await turns.publishSpeech(replyTo, event);
  };
}
