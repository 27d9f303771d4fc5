import { sampleRateHz } from './wav.ts';

/** The server rings with the same rising triad, so that people recognize it. */
const notes = [
  { hz: 523.25, atMs: 0 },
  { hz: 659.25, atMs: 170 },
  { hz: 783.99, atMs: 340 },
];
const roundMs = 2_500;
const fadesInMs = 420;
const attackMs = 6;
const loudest = 0.2;

/** Builds the given number of ring rounds as one sound. */
export function ringSound(rounds: number): Buffer {
  const samples = (roundMs * sampleRateHz) / 1_000;
  const round = Buffer.alloc(2 * samples);
  for (let at = 0; at < samples; at += 1) {
    const atMs = (at / sampleRateHz) * 1_000;
    const level = notes.reduce((sum, { hz, atMs: fromMs }) => sum + bellAt(hz, atMs - fromMs), 0);
    round.writeInt16LE(Math.round(loudest * 32_767 * level), 2 * at);
  }
  return Buffer.concat(Array.from({ length: rounds }, () => round));
}

function bellAt(hz: number, ms: number): number {
  if (ms < 0) return 0;
  return Math.min(1, ms / attackMs) * Math.exp(-ms / fadesInMs) * Math.sin((2 * Math.PI * hz * ms) / 1_000);
}
