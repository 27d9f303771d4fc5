/** Pause between two rounds, in which people can say "stop". */
export const roundPauseMs = 4_000;
/** The first rounds have words, then every `wordsEvery`th. The others only play the tone. */
const roundsWithWords = 2;
const wordsEvery = 4;

/** Whether a round speaks, after `before` earlier rounds. A missed timer is always spoken. */
export function roundHasWords(before: number, isRinging: boolean): boolean {
  return !isRinging || before < roundsWithWords || before % wordsEvery === 0;
}

/** Whether a ring is missing from a list, by its id. */
export function isNotAmong(rings: readonly { id: string }[]): (ring: { id: string }) => boolean {
  return ({ id }) => !rings.some((ring) => ring.id === id);
}
