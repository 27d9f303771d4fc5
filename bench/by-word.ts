import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toBytes } from '../api/src/audio/pcm.ts';
import { writeWav } from '../api/src/audio/wav.ts';
import { english } from '../api/src/language/en/english.ts';
import { createSaidWord } from '../api/src/language/said-word.ts';
import type { WakeMode } from '../api/src/listen/events/listen-events.ts';
import type { WakeWord } from '../api/src/wake/wake-word.ts';
import { type WakeHit, WakeWordDetector } from '../api/src/wake/wake-word-detector.ts';
import { type SpokenCase, spokenCases } from '../tests/support/audio/spoken-clips.ts';
import { fetchedWakeWords } from '../tests/support/wake/words.ts';
import { behind, clipOf, firstSoundOf, voiceOf } from './by-name.ts';
import { type Household, startHousehold } from './household.ts';
import { summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { hasSpeechModels, startStt, startTts } from './real-engines.ts';
import { type Clip, withSatellite } from './satellite.ts';
import { readingTexts } from './wake/readings.ts';
import { espeakSpeakers, inRoom, piperSpeakers, surroundings } from './wake/utterances.ts';

/** Number of requests said with and without the wake word. */
const requests = Number(process.env['BY_WORD_REQUESTS'] ?? 20);
/** Hours of reading without the wake word. */
const readingHours = Number(process.env['BY_WORD_READING_HOURS'] ?? 1);
/** The voice says each word a little differently, and the transcript of the request depends on that. */
const utterancesOfWord = 5;
const longestMs = 3_000;
const restMs = 400;
/** The server detects the word before the request is over, so it adds no wait. */
const maxMoreMs = 100;
const maxOpenMs = 150;
const maxFalseAnHour = 0.1;
const rateHz = 16_000;
const okayNabu = fetchedWakeWords.find(({ id }) => id === 'okay_nabu');

/** Wake words end to end, on the real speech recognition and voice. */
export const byWordPart: Part = {
  name: 'by-word',
  async run(house) {
    if (!hasSpeechModels || spokenCases.length === 0 || !okayNabu) {
      const text =
        '/listen by wake word: skipped, it needs .venv, fetched models (wake, too) and spoken clips';
      return { text, figures: null, missed: [] };
    }
    const [sttUrl, ttsUrl] = [await startStt(house), await startTts(house)];
    const folder = join(house.folder, 'by-word-house');
    mkdirSync(folder);
    const live = await startHousehold({ folder, signal: house.signal, sttUrl, ttsUrl });
    try {
      return report(await woken(live, ttsUrl), await secondStage(live, ttsUrl, okayNabu));
    } finally {
      await live.end();
    }
  },
};

interface Outcome {
  file: string;
  /** Null if it was not answered. */
  firstSoundMs: number | null;
  /** From the last voiced sample of the word to the open microphone. */
  openMs: number | null;
}

/**
 * The same requests after the word, and without it. Without it, they run in two modes: one answers
 * everything, the other needs the word.
 */
async function woken(live: Household, ttsUrl: string) {
  const { url } = live.api;
  const short = spokenCases.filter((said) => said.text !== '' && clipOf(said).untilMs <= longestMs);
  const said = short.slice(0, requests);
  const calls: Buffer[] = [];
  while (calls.length < utterancesOfWord) calls.push(await voiceOf(ttsUrl, 'Okay Nabu,'));
  const callFor = (each: SpokenCase): Buffer =>
    calls[said.indexOf(each) % utterancesOfWord] ?? Buffer.alloc(0);

  const tell = (wake: WakeMode, clip: (said: SpokenCase) => Clip, maxMs?: number): Promise<Outcome[]> =>
    withSatellite({ url, client: `by-word-${wake}`, wake }, async (satellite) => {
      const outcomes: Outcome[] = [];
      for (const each of said) {
        live.signal.throwIfAborted();
        await delay(restMs);
        // A separate session each time, so that it is not awake from before.
        const client = `${each.file}-${wake}`;
        satellite.line.send({ type: 'session.update', session: { client, wake } });
        const begunAtMs = performance.now();
        const firstSoundMs = await firstSoundOf(satellite, clip(each), maxMs);
        const woke = satellite.line.events.find(
          ({ event, atMs }) => event.type === 'wake.changed' && event.reason === 'word' && atMs > begunAtMs,
        );
        outcomes.push({
          file: each.file,
          firstSoundMs,
          openMs: woke ? woke.atMs - begunAtMs - lastVoicedMs(callFor(each)) : null,
        });
      }
      return outcomes;
    });

  return {
    word: await tell('word', (each) => behind(callFor(each), clipOf(each))),
    open: await tell('open', clipOf),
    without: await tell('word', clipOf, 1_500),
  };
}

function lastVoicedMs(samples: Buffer): number {
  for (let at = samples.length - 2; at >= 0; at -= 2)
    if (Math.abs(samples.readInt16LE(at)) > 300) return at / 32;
  return 0;
}

interface SecondStage {
  /**
   * Utterances of the word that the detector is only half sure of, and those that the transcript confirms.
   */
  unsure: { said: number; sure: number; perhaps: number; confirmed: number };
  /** The same in speech without the word. */
  readings: { hours: number; sure: number; perhaps: number; confirmed: number };
}

/** How the transcript judges the hits that are not sure. */
async function secondStage(live: Household, ttsUrl: string, word: WakeWord): Promise<SecondStage> {
  const said = createSaidWord({ phrases: [word.phrase], soundsOf: english.soundsOf });
  const isConfirmed = async (sound: Int16Array, hit: WakeHit): Promise<boolean> => {
    const end = (hit.atMs * rateHz) / 1_000;
    const around = sound.subarray(Math.max(0, end - 1.5 * rateHz), end + 2 * rateHz);
    return said(await transcriptOf(live, around)).isNear;
  };
  const unsure = { said: 0, sure: 0, perhaps: 0, confirmed: 0 };
  for (const speaker of piperSpeakers(ttsUrl)) {
    const speech = await speaker(`${word.phrase}, what time is it?`);
    if (!speech) continue;
    const sound = surroundings['noise 5 dB'](inRoom(speech));
    const hits = new WakeWordDetector([word]).push(sound);
    const isSure = hits.some(({ certainty }) => certainty === 'sure');
    unsure.said += 1;
    unsure.sure += Number(isSure);
    const [hit] = hits;
    if (!hit || isSure) continue;
    unsure.perhaps += 1;
    unsure.confirmed += Number(await isConfirmed(sound, hit));
  }
  return { unsure, readings: await readAloud(word, isConfirmed) };
}

async function readAloud(
  word: WakeWord,
  isConfirmed: (sound: Int16Array, hit: WakeHit) => Promise<boolean>,
): Promise<SecondStage['readings']> {
  const speakers = espeakSpeakers();
  const texts = readingTexts();
  const readings = { hours: 0, sure: 0, perhaps: 0, confirmed: 0 };
  for (let n = 0; readings.hours < readingHours; n += 1) {
    const speech = await speakers[n % speakers.length]?.(texts[n % texts.length] ?? '');
    if (!speech) continue;
    readings.hours += speech.length / rateHz / 3_600;
    const hits = new WakeWordDetector([word]).push(speech);
    const sure = hits.filter(({ certainty }) => certainty === 'sure').length;
    readings.sure += sure;
    if (sure > 0) continue;
    for (const hit of hits) {
      readings.perhaps += 1;
      readings.confirmed += Number(await isConfirmed(speech, hit));
    }
  }
  return readings;
}

async function transcriptOf(live: Household, sound: Int16Array): Promise<string> {
  const form = new FormData();
  const file = writeWav({ sampleRateHz: rateHz, samples: toBytes(sound) });
  form.set('file', new Blob([Uint8Array.from(file)], { type: 'audio/wav' }), 'sound.wav');
  form.set('model', 'whisper-1');
  form.set('response_format', 'text');
  const answer = await fetch(`${live.api.url}/v1/audio/transcriptions`, {
    method: 'POST',
    body: form,
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Error(`transcription: ${answer.status}`);
  return (await answer.text()).trim();
}

function report(
  { word, open, without }: Awaited<ReturnType<typeof woken>>,
  { unsure, readings }: SecondStage,
): Findings {
  const times = (outcomes: readonly Outcome[]) =>
    summary(outcomes.flatMap(({ firstSoundMs }) => firstSoundMs ?? []));
  const row = (what: string, outcomes: readonly Outcome[]) => {
    const { calls, medianMs, p95Ms } = times(outcomes);
    const ms = (value: number) => (calls === 0 ? '-' : value.toFixed(0));
    return [what, String(outcomes.length), String(calls), ms(medianMs), ms(p95Ms)];
  };
  const moreMs = times(word).medianMs - times(open).medianMs;
  const opened = summary(word.flatMap(({ openMs }) => openMs ?? []));
  // Zero hours can be chosen, and then nothing wakes.
  const falseAnHour = (readings.sure + readings.confirmed) / Math.max(readings.hours, Number.MIN_VALUE);
  const answered = without.filter(({ firstSoundMs }) => firstSoundMs !== null);
  return {
    text: [
      `/listen by wake word on real engines: "Okay Nabu, ..." in one breath; ms after the last voiced sample`,
      table([
        ['said', 'times', 'answered', 'first sound: median', 'p95'],
        row('with the word, mode word', word),
        row('without the word, mode open', open),
        row('without the word, mode word', without),
      ]),
      `open after the end of the word, ms: ${opened.medianMs.toFixed(0)} (median), ${opened.p95Ms.toFixed(0)} (95 %)`,
      `in noise 5 dB below: ${unsure.said} times said, ${unsure.sure} sure; the transcript confirms ${unsure.confirmed} of ${unsure.perhaps} perhaps`,
      `${readings.hours.toFixed(1)} h of reading: ${readings.sure} sure; the transcript confirms ${readings.confirmed} of ${readings.perhaps} perhaps`,
    ].join('\n'),
    figures: { word, open, without, unsure, readings },
    missed: [
      ...answered.map(({ file }) => `${file} was answered without the word.`),
      ...(moreMs <= maxMoreMs ? [] : [`The word costs ${moreMs.toFixed(0)} ms; the limit is ${maxMoreMs}.`]),
      ...(opened.medianMs <= maxOpenMs ? [] : [`It opens after ${opened.medianMs.toFixed(0)} ms.`]),
      ...(falseAnHour <= maxFalseAnHour
        ? []
        : [`It wakes by mistake ${falseAnHour.toFixed(2)} times an hour.`]),
    ],
  };
}
