import type { Ring } from './ringing.ts';

/** The pause between two rounds, in which somebody can say "stop". */
export const roundPauseMs = 4_000;
/** The first rounds have words, and then every `wordsEvery`th. The others are the tone alone. */
const roundsWithWords = 2;
const wordsEvery = 4;

/** Whether a round says what it is about; `before`: how many there were. What does not ring is only said. */
export function roundHasWords(before: number, isRinging: boolean): boolean {
  return !isRinging || before < roundsWithWords || before % wordsEvery === 0;
}

export function isNotAmong(rings: readonly Ring[]): (ring: Ring) => boolean {
  return ({ id }) => !rings.some((ring) => ring.id === id);
}
