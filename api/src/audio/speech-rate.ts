/** Sample rate of all speech inside Hearth: for satellites and for speech recognition. */
export const speechRateHz = 16_000;
