/**
 * Samples a second of all speech inside Hearth: as satellites send and play it, and as the speech recognition
 * takes it.
 */
export const speechRateHz = 16_000;
