import { leveled } from './loudness.ts';
import { bytesPerSample, type Pcm, toBytes, toNumbers } from './pcm.ts';
import { speechRateHz } from './speech-rate.ts';

interface Note {
  hz: number;
  atMs: number;
}

/** A rising triad in C, like three small bells: clear across a kitchen, not alarming in a bedroom. */
const ringing: readonly Note[] = [
  { hz: 523.25, atMs: 0 },
  { hz: 659.25, atMs: 170 },
  { hz: 783.99, atMs: 340 },
];
/** Two falling tones, like a doorbell, clearly different from a timer. */
const chiming: readonly Note[] = [
  { hz: 659.25, atMs: 0 },
  { hz: 523.25, atMs: 260 },
];
/** Two short, quiet, rising tones: the assistant is listening. */
const answering: readonly Note[] = [
  { hz: 523.25, atMs: 0 },
  { hz: 783.99, atMs: 70 },
];
/** One soft tone: the next sentence needs no name. */
const goingOn: readonly Note[] = [{ hz: 659.25, atMs: 0 }];
/** A bell: a tone and two overtones; higher ones are quieter and shorter. */
const partials = [
  { times: 1, loudness: 0.62, fadesInMs: 420 },
  { times: 2, loudness: 0.26, fadesInMs: 240 },
  { times: 3, loudness: 0.12, fadesInMs: 130 },
];
const ringMs = 1_300;
const chimeMs = 900;
const readyMs = 260;
const goOnMs = 120;
/** The sound after every answer must not disturb. */
const softness = 0.3;
/** Abrupt starts and ends would click. */
const attackMs = 6;
const releaseMs = 60;
/** Loud enough to measure; the result is levelled like speech. */
const loudest = 0.4;

/** The sound before the words when a timer rings. Synthesized, so it is always the same. */
export function renderRingTone(): Pcm {
  return render(ringing, ringMs);
}

/** The sound before an announcement in another room. */
export function renderChime(): Pcm {
  return render(chiming, chimeMs);
}

/** The answer to the name alone: the microphone is open. */
export function renderReady(): Pcm {
  return render(answering, readyMs);
}

/** The sound after an answer: people may go on talking. */
export function renderGoOn(): Pcm {
  const { sampleRateHz, samples } = render(goingOn, goOnMs);
  return { sampleRateHz, samples: toBytes(toNumbers(samples).map((level) => Math.round(level * softness))) };
}

function render(notes: readonly Note[], lengthMs: number): Pcm {
  const count = Math.round((speechRateHz * lengthMs) / 1_000);
  const levels = Array.from({ length: count }, (_, at) => {
    const atMs = (at / speechRateHz) * 1_000;
    const release = Math.min(1, (lengthMs - atMs) / releaseMs);
    return release * notes.reduce((sum, note) => sum + bellAt(note.hz, atMs - note.atMs), 0);
  });
  const peak = Math.max(...levels.map(Math.abs));
  const scale = (loudest * 32_767) / peak;
  const samples = toBytes(Int16Array.from(levels, (level) => Math.round(level * scale)));
  return leveled({ sampleRateHz: speechRateHz, samples });
}

/** Silence of this length, for words that no voice can speak but that are still displayed. */
export function quiet(ms: number): Pcm {
  return {
    sampleRateHz: speechRateHz,
    samples: Buffer.alloc(Math.round((speechRateHz * ms) / 1_000) * bytesPerSample),
  };
}

function bellAt(hz: number, ms: number): number {
  if (ms < 0) return 0;
  const attack = Math.min(1, ms / attackMs);
  const swing = (times: number) => Math.sin((2 * Math.PI * hz * times * ms) / 1_000);
  const sum = partials.reduce(
    (all, { times, loudness, fadesInMs }) => all + loudness * Math.exp(-ms / fadesInMs) * swing(times),
    0,
  );
  return attack * sum;
}
