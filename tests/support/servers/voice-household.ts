import { z } from 'zod';
import type { Pcm } from '../../../api/src/audio/pcm.ts';
import { readWav, writeWav } from '../../../api/src/audio/wav.ts';
import { clip } from '../audio/recordings.ts';
import type { Answer } from '../clients/caller.ts';
import { startFakeLlm } from '../fakes/fake-llm.ts';
import { startFakePiper } from '../fakes/fake-piper.ts';
import { type SttCall, startFakeStt } from '../fakes/fake-stt.ts';
import { startAssistant } from './assistant.ts';
import { connectTo, startRedis } from './own-redis.ts';

interface VoiceHouseholdOptions {
  slots?: number;
  env?: Record<string, string>;
  limits?: {
    turnDeadlineMs?: number;
    answerIdleMs?: number;
    checkPatience?: number;
    roomEveryMs?: number;
    stuckMs?: number;
  };
}

/** Engines that obey the test, with a separate Redis. */
export async function startVoiceEngines({ slots = 2 }: { slots?: number } = {}) {
  const [redis, stt, llm, piper] = await Promise.all([
    startRedis(),
    startFakeStt({ installed: ['whisper'], hears: wordsIn }),
    startFakeLlm({ slots }),
    startFakePiper(),
  ]);
  return {
    redis,
    stt,
    llm,
    piper,
    urls: { redisUrl: redis.url, llmUrl: llm.url, sttUrl: stt.url, ttsUrl: piper.url },
    /** Resets the engines and clears their records. */
    forget() {
      for (const calls of [stt.calls, llm.calls, piper.spoken]) calls.length = 0;
      stt.hears(wordsIn);
      llm.answers(() => 'Yes.');
      piper.speaks();
    },
    async stop() {
      for (const engine of [stt, llm, piper, redis]) await engine.stop();
    },
  };
}

export type VoiceHousehold = Awaited<ReturnType<typeof startVoiceHousehold>>;

/** An assistant that can hear, think and speak. */
export async function startVoiceHousehold({ slots, ...options }: VoiceHouseholdOptions = {}) {
  const engines = await startVoiceEngines(slots === undefined ? {} : { slots });
  const assistant = await startAssistant({ ...engines.urls, ...options });
  const store = await connectTo(engines.redis.url);
  store.on('error', () => undefined); // some tests take Redis away
  return {
    ...engines,
    assistant,
    store,
    /** Sends a recording of these words. */
    say: (words: string, more: Record<string, string> = {}) => assistant.voice(recordingOf(words), more),
    async stop() {
      await assistant.stop();
      store.disconnect();
      await engines.stop();
    },
  };
}

const sampleRateHz = 16_000;

/**
 * A second of sound whose samples encode these words, so that a fake can read them. A voice follows, as in
 * any recording.
 */
export function recordingOf(words: string): Buffer {
  const { samples: voice } = clip('hello');
  const samples = Buffer.alloc(Math.max(sampleRateHz * 2, words.length * 2 + 2 + voice.length));
  samples.write(words, 'utf16le');
  voice.copy(samples, samples.length - voice.length);
  return writeWav({ sampleRateHz, samples });
}

/** The words encoded in such a recording; null if there are none. */
export function wordsIn({ sound }: Pick<SttCall, 'sound'>): string | null {
  return sound?.samples.toString('utf16le').split('\0')[0] || null;
}

const answerSchema = z.strictObject({
  heard: z.string(),
  reply: z.string(),
  via: z.string(),
  audio: z.base64().nullable(),
});

interface SpokenAnswer {
  heard: string;
  reply: string;
  via: string;
  /** Null if no voice could speak. */
  sound: Pcm | null;
}

/** A spoken answer; anything else is an error. */
export function spokenAnswerOf({ status, body, text }: Answer): SpokenAnswer {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  const { audio, ...words } = answerSchema.parse(body);
  if (audio === null) return { ...words, sound: null };
  const sound = readWav(Buffer.from(audio, 'base64'));
  if (!sound) throw new Error('the spoken answer is not a 16-bit mono WAV');
  return { ...words, sound };
}
