import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { quiet, type SpokenCase, spokenCase, spokenCases } from '../../tests/support/audio/spoken-clips.ts';
import type { Clip } from '../satellite.ts';
import { voiceClip, voiceOnly } from './voices.ts';

/** Length of a pause inside a sentence, in ms. */
export const pausesMs = [150, 300, 450, 600, 700, 800, 1_000] as const;

/** The values of a list in the environment, separated by commas. */
export const listed = (name: string): string[] => (process.env[name] ?? '').split(',').filter(Boolean);
const wantedMs = listed('BENCH_PAUSES_MS').map(Number);
/** The pauses of this run; all of them unless the environment names some. */
export const chosenPausesMs = pausesMs.filter((ms) => wantedMs.length === 0 || wantedMs.includes(ms));

/**
 * Position of the pause: after a clause, within a phrase, or after a word that needs another one. Or the
 * words before it could be a sentence.
 */
export const placeKinds = ['clause', 'phrase', 'goes on', 'stands alone'] as const;
type PlaceKind = (typeof placeKinds)[number];

/** A sentence with a place for a pause. */
export interface Cut {
  /** The name of its recording, the same for all places in it. */
  file: string;
  kind: PlaceKind;
  /** The words before the pause. */
  before: string;
  /** The sentence with a pause of this length; 0 leaves it unchanged. */
  clip: (pauseMs: number) => Clip;
}

/** Sentences whose first part could stand alone. Each part is spoken by itself, as after a real pause. */
const standAlone = [
  ['Turn off the lights', 'in the bedroom.'],
  ['Turn on the lights', 'in the kitchen.'],
  ['What time is it', 'in Tokyo?'],
  ['Set a timer', 'for ten minutes.'],
  ['Set a timer for ten minutes', 'for the pasta.'],
  ['Add milk to the shopping list', 'and eggs.'],
  ['What is the date', 'next Friday?'],
  ['Set an alarm', 'for seven tomorrow.'],
  ['Set an alarm for seven', 'on Monday.'],
  ['Remind me to call Anna', 'at six.'],
  ['What is seven times eight', 'plus two?'],
  ['Cancel the timer', 'for the pasta.'],
  ['What is on my list', 'for tomorrow?'],
  ['Tell me a joke', 'about a cat.'],
  ['Tell me a story', 'about a dragon.'],
  ['Who wrote the book', 'about the whale?'],
] as const;

interface Voice {
  name: string;
  say: (text: string) => Promise<Buffer>;
}

/** These sentences in these voices. */
export async function standAloneSet(voices: readonly Voice[]): Promise<Cut[]> {
  const cuts: Cut[] = [];
  for (const [before, after] of standAlone)
    for (const { name, say } of voices) {
      const [first, rest] = [voiceOnly(await say(before)), voiceOnly(await say(after))];
      const clip = (pauseMs: number) => voiceClip(Buffer.concat([first, quiet(pauseMs), rest]));
      cuts.push({ file: `${name}: ${before} ${after}`, kind: 'stands alone', before, clip });
    }
  return cuts;
}

const needsAnother = new Set(
  'a an the my your our of to for in on at and or is are with from by what how much many i'.split(' '),
);
const beginsClause = new Set(['and', 'or', 'but', 'because', 'so', 'then', 'that']);
const bytesPerMs = 32;
/** The cut is at the quietest position within this many ms of where the words meet, searched in steps. */
const [searchMs, stepMs, windowMs] = [40, 10, 20];
/** A shorter word was not found at its real position. */
const minWordMs = 60;
/** Minimum speech before and after a pause inside a sentence. */
const minSpeechMs = 150;

const timesSchema = z.record(
  z.string(),
  z.array(z.object({ word: z.string(), fromMs: z.number(), untilMs: z.number() })),
);
type Word = z.infer<typeof timesSchema>[string][number];
/** The time of each word in the clips, as `word_times.py` found it. */
const wordTimes = timesSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'word-times.json'), 'utf8')),
);

/**
 * Clips of one stretch of speech with several words. In a pause of the person, or over noise, added silence
 * would be a second break.
 */
function cases(): SpokenCase[] {
  return spokenCases.filter(
    ({ file, text, speech }) =>
      text.split(' ').length > 2 && speech.length === 1 && !/noisy|far|jfk|breath|long/.test(file),
  );
}

/** Every clip beside the repository, cut at one place of each kind that it has. */
export function pauseSet(): Cut[] {
  return cases().flatMap((said) => cutsOf(said, wordTimes[said.file] ?? []));
}

function cutsOf(said: SpokenCase, words: readonly Word[]): Cut[] {
  const samples = spokenCase(said.file);
  const [fromMs = 0, untilMs = 0] = (said.speech[0] ?? []).map((seconds) => seconds * 1_000);
  const clipAt = (atMs: number) => (pauseMs: number) => cutClip({ said, atMs }, pauseMs);
  const isInside = ({ atMs }: { atMs: number }) =>
    atMs - fromMs >= minSpeechMs && untilMs - atMs >= minSpeechMs;
  const isFound = (word: Word | undefined) => word !== undefined && word.untilMs - word.fromMs >= minWordMs;
  const places = words.slice(0, -1).map((word, at) => ({
    file: said.file,
    isFound: isFound(word) && isFound(words[at + 1]),
    kind: kindOf(word, words[at + 1]),
    before: words
      .slice(0, at + 1)
      .map((each) => each.word)
      .join(' '),
    atMs: quietestNear(samples, (word.untilMs + (words[at + 1]?.fromMs ?? word.untilMs)) / 2),
  }));
  return placeKinds.flatMap((kind) => {
    const ofKind = places.filter((place) => place.kind === kind && place.isFound && isInside(place));
    const middle = ofKind[Math.floor(ofKind.length / 2)];
    return middle ? [{ ...middle, clip: clipAt(middle.atMs) }] : [];
  });
}

function kindOf({ word }: Word, next: Word | undefined): PlaceKind {
  const plain = (text = '') => text.toLowerCase().replaceAll(/[^a-z']/g, '');
  if (needsAnother.has(plain(word))) return 'goes on';
  return /[,.;]$/.test(word) || beginsClause.has(plain(next?.word)) ? 'clause' : 'phrase';
}

function quietestNear(samples: Buffer, ms: number): number {
  const places = Array.from({ length: (2 * searchMs) / stepMs + 1 }, (_, at) => ms - searchMs + at * stepMs);
  const loudness = places.map((place) => loudnessAt(samples, place));
  return places[loudness.indexOf(Math.min(...loudness))] ?? ms;
}

function loudnessAt(samples: Buffer, ms: number): number {
  const from = Math.max(0, Math.round(ms - windowMs / 2)) * bytesPerMs;
  let sum = 0;
  for (let at = from; at < Math.min(from + windowMs * bytesPerMs, samples.length - 1); at += 2)
    sum += samples.readInt16LE(at) ** 2;
  return sum;
}

/** The recording with a pause of this length at a position. */
function cutClip({ said, atMs }: { said: SpokenCase; atMs: number }, pauseMs: number): Clip {
  const samples = spokenCase(said.file);
  const [fromMs = 0, endMs = 0] = (said.speech[0] ?? []).map((seconds) => seconds * 1_000);
  const leadMs = Math.max(0, fromMs - 200);
  const bytes = (ms: number) => 2 * Math.round(ms * (bytesPerMs / 2));
  const whole = [
    samples.subarray(bytes(leadMs), bytes(atMs)),
    quiet(pauseMs),
    samples.subarray(bytes(atMs), bytes(endMs + 100)),
  ];
  return {
    samples: Buffer.concat(whole),
    fromMs: fromMs - leadMs,
    untilMs: endMs - leadMs + pauseMs,
  };
}
