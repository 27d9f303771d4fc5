import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WakeWord } from '../../api/src/wake/wake-word.ts';
import { WakeWordDetector } from '../../api/src/wake/wake-word-detector.ts';
import { heldBytes } from '../../tests/support/memory.ts';
import {
  hasSpeechEngines,
  startRealStt,
  startRealTts,
  voiceFolder,
} from '../../tests/support/servers/real-speech.ts';
import { askDetector, askLibrary } from '../../tests/support/wake/reference.ts';
import { inRow, referenceSounds } from '../../tests/support/wake/sounds.ts';
import { fetchedWakeWords, wakeWordFolder } from '../../tests/support/wake/words.ts';
import { roundTo, table } from '../measure.ts';
import type { Findings, Part } from '../part.ts';
import { type Readings, readAloud, secondStage } from './readings.ts';
import { costOfStreams, type StreamsCost, streams } from './streams.ts';
import { espeakSpeakers, inRoom, kept, piperSpeakers, type Speaker, surroundings } from './utterances.ts';

/** A Python with pymicro-wakeword, to compare every decision with the C library. */
const python = process.env['WAKE_REFERENCE'];
/** Hours of reading without a wake word, and of sound for the memory test. */
const readingHours = Number(process.env['WAKE_READING_HOURS'] ?? 1);
const memoryHours = Number(process.env['WAKE_MEMORY_HOURS'] ?? 1);
/** For a busy machine: uses only every nth voice of espeak-ng. */
const espeakEvery = Number(process.env['WAKE_ESPEAK_EVERY'] ?? 1);
const maxMsPerSecond = 5;
/** Required detection shares for utterances of the natural voice. */
const wanted = { clean: 0.95, far: 0.9, 'noise 10 dB': 0.8, 'noise 5 dB': 0.8 } as const;
/** Goal for false wakes, after the transcript has confirmed the uncertain hits. */
const maxWakesPerHour = 0.1;
const settings = Object.keys(wanted) as (keyof typeof wanted)[];

/**
 * The wake word detector: its detections, false detections and cost, and whether it decides like the C
 * library.
 */
export const wakePart: Part = {
  name: 'wake',
  async run() {
    if (fetchedWakeWords.length === 0) {
      return {
        text: 'Wake words: skipped, none here (TEST_MODELS_DIR, fetch with --kinds wake)',
        figures: null,
        missed: [],
      };
    }
    const piper = hasSpeechEngines ? await startRealTts() : null;
    const stt = hasSpeechEngines ? await startRealStt() : null;
    try {
      const voices = {
        espeak: espeakSpeakers().filter((_, n) => n % espeakEvery === 0),
        ...(piper && { Piper: piperSpeakers(piper.url) }),
      };
      const found: Found[] = [];
      for (const [voice, ofVoice] of Object.entries(voices)) {
        const speakers =
          voice === 'Piper' ? kept(ofVoice, { folder: utterances, voice: piperVoice() }) : ofVoice;
        for (const word of fetchedWakeWords) found.push(...(await findAll(word, voice, speakers)));
      }
      const readings = await readAloud(Object.values(voices).flat(), {
        hours: readingHours,
        transcribe: stt && secondStage(stt.url),
      });
      const many = [fetchedWakeWords.slice(0, 1), fetchedWakeWords].map(costOfStreams);
      return report({ found, readings, cost: costs(), many, memory: memoryGrowth() });
    } finally {
      await Promise.all([piper?.stop(), stt?.stop()]);
    }
  },
};

interface Found {
  word: string;
  voice: string;
  surrounding: keyof typeof wanted;
  said: number;
  sure: number;
  perhaps: number;
  /** Number of comparisons with the C library; 0 without it. */
  compared: number;
  otherDecisions: number;
  /** Differences of single probabilities, in 256ths. */
  differences: number[];
}

/** After the word alone, typical requests in the same breath. With 25 voices of Piper: 300 utterances. */
const endings = [
  '.',
  ', what time is it?',
  ', turn on the kitchen lights.',
  ', good morning.',
  ', stop.',
  ', set a timer for ten minutes.',
  ', is it going to rain tomorrow?',
  ', add milk to the shopping list.',
  '? Are you there?',
  ', louder, please.',
  ', how far away is the moon?',
  ', where is my phone?',
];
/** Piper's utterances, kept between runs. */
const utterances = join(import.meta.dirname, '../results/utterances');
const piperVoice = () => readdirSync(voiceFolder).join();

async function findAll(word: WakeWord, voice: string, speakers: readonly Speaker[]): Promise<Found[]> {
  const said: Int16Array[] = [];
  for (const speaker of speakers) {
    for (const ending of endings) {
      const speech = await speaker(`${word.phrase}${ending}`);
      if (speech) said.push(inRoom(speech));
    }
  }
  return settings.map((surrounding) => {
    const sounds = new Map(said.map((sound, n) => [String(n), surroundings[surrounding](sound)]));
    const certainties = [...sounds.values()].map((sound) => surest(sound, word));
    return {
      word: word.id,
      voice,
      surrounding,
      said: sounds.size,
      sure: certainties.filter((each) => each === 'sure').length,
      perhaps: certainties.filter((each) => each === 'perhaps').length,
      ...compare(sounds, word),
    };
  });
}

function surest(sound: Int16Array, word: WakeWord): 'sure' | 'perhaps' | null {
  const hits = new WakeWordDetector([word]).push(sound);
  return hits.find(({ certainty }) => certainty === 'sure')?.certainty ?? hits[0]?.certainty ?? null;
}

function compare(sounds: ReadonlyMap<string, Int16Array>, word: WakeWord) {
  const compared = { compared: 0, otherDecisions: 0, differences: [] as number[] };
  if (python === undefined) return compared;
  for (const [name, said] of askLibrary(sounds, { python, models: wakeWordFolder })) {
    const ours = askDetector(sounds.get(name) ?? new Int16Array(), [word]).words[word.id];
    const theirs = said.words[word.id];
    if (!ours || !theirs) continue;
    compared.compared += 1;
    if (ours.hits.join() !== theirs.hits.join()) compared.otherDecisions += 1;
    const [mine, other] = [ours, theirs].map(({ probabilities }) => Buffer.from(probabilities, 'base64'));
    for (const [n, value] of (mine ?? []).entries())
      compared.differences.push(Math.abs(value - (other?.[n] ?? 999)));
  }
  return compared;
}

/** Milliseconds of one core per second of sound. */
function costs(): Record<string, number> {
  const sound = inRow(...referenceSounds().values());
  const cost = (words: readonly WakeWord[]) => {
    const detector = new WakeWordDetector(words);
    for (let n = 0; n < 5; n += 1) detector.push(sound);
    const rounds = Array.from({ length: 7 }, () => {
      const before = process.cpuUsage();
      for (let n = 0; n < 3; n += 1) detector.push(sound);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / ((3 * sound.length) / 16_000);
    });
    return roundTo(rounds.toSorted((a, b) => a - b)[3] ?? Number.NaN, 2);
  };
  const each = fetchedWakeWords.map((word): [string, number] => [word.id, cost([word])]);
  return { ...Object.fromEntries(each), together: cost(fetchedWakeWords) };
}

/** Bytes held after hours of sound that were not held after the first minutes. */
function memoryGrowth() {
  const sound = inRow(...referenceSounds().values());
  const detector = new WakeWordDetector(fetchedWakeWords);
  const rounds = Math.ceil((memoryHours * 3_600) / (sound.length / 16_000));
  for (let n = 0; n < 10; n += 1) detector.push(sound);
  const before = heldBytes();
  for (let n = 0; n < rounds; n += 1) detector.push(sound);
  return { hours: memoryHours, grownBytes: heldBytes() - before };
}

interface Measured {
  found: readonly Found[];
  readings: Readings;
  cost: Record<string, number>;
  /** The streams of one word, and of all words. */
  many: readonly StreamsCost[];
  memory: ReturnType<typeof memoryGrowth>;
}

function report({ found, readings, cost, many, memory }: Measured): Findings {
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  const rows = found.map(({ word, voice, surrounding, said, sure, perhaps }) => [
    `${word}, ${voice}, ${surrounding}`,
    String(said),
    percent(sure, said),
    percent(sure + perhaps, said),
  ]);
  const likeness = comparison(found);
  const wakes = fetchedWakeWords.map(({ id }) => {
    const hits = readings.hits.filter(({ word }) => word === id);
    const unsure = hits.filter(({ certainty }) => certainty === 'perhaps');
    const confirmed = unsure.filter(({ isNear }) => isNear);
    return `${id} ${hits.length - unsure.length} sure, ${unsure.length} perhaps, ${confirmed.length} of these confirmed`;
  });
  const woken = readings.hits.filter(({ certainty, isNear }) => certainty === 'sure' || isNear);
  const wakesPerHour = woken.length / readings.hours;
  const missed = [
    ...found
      .filter(({ voice, surrounding, said, sure }) => voice === 'Piper' && sure / said < wanted[surrounding])
      .map(({ word, surrounding, said, sure }) => `${word} found in ${percent(sure, said)} (${surrounding})`),
    ...(wakesPerHour > maxWakesPerHour ? [`${wakesPerHour.toFixed(2)} false wakes per hour of reading`] : []),
    ...Object.entries(cost)
      .filter(([name, ms]) => name !== 'together' && ms > maxMsPerSecond)
      .map(([name, ms]) => `${name} takes ${ms} ms per second of sound`),
    ...many
      .filter(({ words, core }) => words === 1 && core > 1)
      .map(({ core }) => `${streams} streams of one word take ${core} of a core`),
    ...(likeness && likeness.otherDecisions > 0
      ? [`${likeness.otherDecisions} decisions differ from the C library`]
      : []),
    ...(memory.grownBytes > 1_000_000 ? [`memory grew by ${memory.grownBytes} bytes`] : []),
  ];
  const lines = [
    `Wake words\n${table([['said', 'times', 'sure', 'or perhaps'], ...rows])}`,
    `${readings.hours.toFixed(1)} h of reading: ${wakes.join('; ')}`,
    ...readings.hits.map(
      ({ word, certainty, transcript }) => `  ${word}, ${certainty}: ${transcript ?? '(not transcribed)'}`,
    ),
    `ms of one core per second of sound: ${Object.entries(cost)
      .map(([name, ms]) => `${name} ${ms}`)
      .join(', ')}`,
    ...many.map(
      ({ words, core, kilobytes }) =>
        `${streams} streams in one process, ${words} of the words: ${core} of a core, ${kilobytes} kB each`,
    ),
    `${memory.hours} h of sound: ${memory.grownBytes} bytes of growth`,
    likeness
      ? `beside the C library: ${likeness.compared} utterances, ${likeness.otherDecisions} different decisions; probabilities differ by ${likeness.median} (median), ${likeness.p95} (95 %), ${likeness.most} (maximum)`
      : 'beside the C library: not compared (WAKE_REFERENCE names a Python with pymicro-wakeword)',
  ];
  const figures = {
    found: found.map(({ differences: _, ...rest }) => rest),
    readings,
    cost,
    many,
    memory,
    likeness,
  };
  return { text: lines.join('\n'), figures, missed };
}

function comparison(found: readonly Found[]) {
  const sorted = Float64Array.from(found.flatMap(({ differences }) => differences)).toSorted();
  if (sorted.length === 0) return null;
  const at = (part: number) => roundTo((sorted[Math.ceil(part * sorted.length) - 1] ?? 0) / 256, 4);
  const sum = (of: (each: Found) => number) => found.reduce((all, each) => all + of(each), 0);
  return {
    compared: sum(({ compared }) => compared),
    otherDecisions: sum(({ otherDecisions }) => otherDecisions),
    probabilities: sorted.length,
    median: at(0.5),
    p95: at(0.95),
    most: at(1),
  };
}
