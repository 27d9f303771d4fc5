/** States that tell nothing. */
const silent: ReadonlySet<string> = new Set(['unknown', 'unavailable', 'none', 'nan', '']);

export function saysNothing(state: string): boolean {
  return silent.has(state.toLowerCase());
}

/** Digits behind the point that anybody listens to. */
const maxDecimals = 1;
const maxSmallDigits = 2;

/** Home Assistant's words about sensors as one would say them: "22.9999999 °C" is 23 °C, and "on W" is on. */
export function plainSensorSpeech(speech: string, states: readonly string[]): string {
  const rounded = speech.replaceAll(/(?<![\d.,:])-?\d+\.\d{3,}(?![\d.,:]*\d)/g, rounding);
  const words = states.filter((state) => /^\p{L}+$/u.test(state));
  return words.reduce((text, state) => {
    const unit = new RegExp(
      `(?<![\\p{L}\\p{N}])${state} (?:[%°]\\p{L}?|\\p{L}{1,3}(?:/\\p{L}+)?)(?=[.!?]?$)`,
      'iu',
    );
    return text.replace(unit, state);
  }, rounded);
}

/** One decimal; of what is below one the first two digits. */
function rounding(written: string): string {
  const value = Number(written);
  const isSmall = Math.abs(value) < 1;
  return String(Number(isSmall ? value.toPrecision(maxSmallDigits) : value.toFixed(maxDecimals)));
}
