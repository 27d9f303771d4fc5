/** States without information. */
const silent: ReadonlySet<string> = new Set(['unknown', 'unavailable', 'none', 'nan', '']);

export function saysNothing(state: string): boolean {
  return silent.has(state.toLowerCase());
}

/** Maximum number of spoken decimals. */
const maxDecimals = 1;
const maxSmallDigits = 2;

/** Makes Home Assistant's sensor texts speakable: "22.9999999 °C" becomes 23 °C, and "on W" becomes on. */
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

/** One decimal; below one, the first two digits. */
function rounding(written: string): string {
  const value = Number(written);
  const isSmall = Math.abs(value) < 1;
  return String(Number(isSmall ? value.toPrecision(maxSmallDigits) : value.toFixed(maxDecimals)));
}
