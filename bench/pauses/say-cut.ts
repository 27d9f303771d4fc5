import { setTimeout as delay } from 'node:timers/promises';
import type { Clip, Satellite } from '../satellite.ts';

/** The outcome of a sentence with a pause in it. */
export interface Heard {
  /** An answer became audible before the person was done. */
  wasCutOff: boolean;
  /** Answers that were withdrawn because the person continued. */
  revised: number;
  /** Answers that were not withdrawn: more than one if the sentence was split. */
  answers: number;
  transcript: string | null;
  /** After the last voiced sample; null if no answer came. */
  firstSoundMs: number | null;
}

/** A new sentence, not a continuation of the previous one. */
const restMs = 900;
const maxWaitMs = 4_000;

/** Says a sentence in real time and waits for the answer to all of it. */
export async function sayCut(satellite: Satellite, clip: Clip): Promise<Heard> {
  const { line } = satellite;
  await delay(restMs);
  const [sounds, events] = [line.sounds.length, line.events.length];
  const { endedAtMs } = await satellite.say(clip);
  const later = () => line.sounds.slice(sounds).find(({ atMs }) => atMs > endedAtMs);
  await satellite.until(later, 'the answer', maxWaitMs).catch(() => undefined);
  await satellite.hush();
  const news = line.events.slice(events).map(({ event }) => event);
  const transcripts = news.flatMap((event) =>
    event.type === 'conversation.item.input_audio_transcription.completed' ? [event.transcript] : [],
  );
  const revised = news.filter((event) => event.type === 'response.done' && event.reason === 'revised').length;
  return {
    wasCutOff: line.sounds.slice(sounds).some(({ atMs }) => atMs < endedAtMs),
    revised,
    answers: news.filter(({ type }) => type === 'response.created').length - revised,
    transcript: transcripts.at(-1) ?? null,
    firstSoundMs: (later()?.atMs ?? Number.NaN) - endedAtMs || null,
  };
}
