import type { Edge, Endpointer } from '../../../api/src/audio/endpointer.ts';

export const frameMs = 20;
export const options = {
  frameMs,
  trailMs: 0,
  minSpeechMs: 80,
  tentativeEndMs: 200,
  silences: {
    answered: 150,
    whole: 200,
    asked: 300,
    stated: 450,
    ordinary: 600,
    open: 900,
    unfinished: 1_500,
  },
  maxSpeechMs: 10_000,
};

export const frames = (ms: number, probability: number) => Array<number>(ms / frameMs).fill(probability);
export const speech = (ms: number) => frames(ms, 0.9);
export const silence = (ms: number) => frames(ms, 0.05);
export const unsure = (ms: number) => frames(ms, 0.4);

export const loudspeaker = { isEcho: () => false };

export function listen(endpointer: Endpointer, ...parts: number[][]): Edge[] {
  return parts.flat().flatMap((probability) => endpointer.push(probability));
}

export const started = (atMs: number, fromMs: number) => ({
  type: 'started',
  atMs,
  fromMs,
  continues: false,
});
export const paused = (atMs: number, untilMs: number) => ({ type: 'paused', atMs, untilMs });
export const resumed = (atMs: number, fromMs: number) => ({ type: 'resumed', atMs, fromMs });
export const ended = (atMs: number, untilMs: number, cause = 'silence') => ({
  type: 'ended',
  atMs,
  untilMs,
  cause,
});
