import { leveled } from './loudness.ts';
import { bytesPerSample, type Pcm, toBytes } from './pcm.ts';
import { speechRateHz } from './speech-rate.ts';

interface Note {
  hz: number;
  atMs: number;
}

/**
 * A rising triad in C, like three small bells: plain to hear across a kitchen, and no fright in a bedroom.
 */
const ringing: readonly Note[] = [
  { hz: 523.25, atMs: 0 },
  { hz: 659.25, atMs: 170 },
  { hz: 783.99, atMs: 340 },
];
/** Two falling ones, like a door bell: nobody takes it for a timer. */
const chiming: readonly Note[] = [
  { hz: 659.25, atMs: 0 },
  { hz: 523.25, atMs: 260 },
];
/** Two quick ones that rise, soft and short: somebody is listening. */
const answering: readonly Note[] = [
  { hz: 523.25, atMs: 0 },
  { hz: 783.99, atMs: 70 },
];
/** A bell: its tone and two above, the higher the softer and the sooner over. */
const partials = [
  { times: 1, loudness: 0.62, fadesInMs: 420 },
  { times: 2, loudness: 0.26, fadesInMs: 240 },
  { times: 3, loudness: 0.12, fadesInMs: 130 },
];
const ringMs = 1_300;
const chimeMs = 900;
const readyMs = 260;
/** A beginning at once would click, an end too. */
const attackMs = 6;
const releaseMs = 60;
/** Loud enough to be measured; it is levelled like speech. */
const loudest = 0.4;

/** The sound before the words when a timer rings. Made here, the same every time. */
export function renderRingTone(): Pcm {
  return render(ringing, ringMs);
}

/** The sound before the words that another room is told. */
export function renderChime(): Pcm {
  return render(chiming, chimeMs);
}

/** The sound that answers a name alone: the microphone is open. */
export function renderReady(): Pcm {
  return render(answering, readyMs);
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

/** Quiet of this length, for words that no voice can say: they are shown all the same. */
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
