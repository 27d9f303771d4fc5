import { withCapital } from '../language/capitals.ts';
import { fill } from '../language/phrase.ts';
import type { Speaking, SpeakingData } from '../language/speaking-schema.ts';
import { amountOf, anyOf, begins, type Rule, wordEnds } from './rule.ts';

type Units = Readonly<Record<string, readonly [string, string]>>;

/**
 * The full stop of an abbreviation, "5 min. at most", "1 hr. 5 min". Before a capital it ends the sentence.
 */
const stopOf = (unit: string) => String.raw`(?:\.(?=\)? [\p{Ll}(]|[,;:]| \d{1,3} ?${unit}${wordEnds}))?`;

/** Spells units: "5 km", "1/2 cup", "180C", "10 x 20 cm", "50 g/day". */
export function createUnitRules(speaking: Speaking): Rule[] {
  const amount = amountOf(speaking.marks);
  const counted = createCounted(speaking);
  const units = withTypedPowers(speaking.units);
  const unit = anyOf(Object.keys(units));
  const plain = new RegExp(`${begins}(${amount})( ?|-)(${unit})${wordEnds}${stopOf(unit)}`, 'gu');
  return [
    ...(speaking.inches ? [createHeightRule(speaking, speaking.inches)] : []),
    createFractionRule(speaking),
    createDurationRule(speaking),
    ...createSpanRules(speaking, unit),
    (text) =>
      text.replace(plain, (_, number, gap, symbol) =>
        // "a 5-km run"
        gap === '-'
          ? fill(speaking.amount, { n: number, unit: units[symbol]?.[0] ?? symbol })
          : counted(units, number, symbol),
      ),
    ...createSpacedRules(speaking),
    ...createRateRules(speaking, units),
  ];
}

function createCounted({ amount, formOf }: Speaking) {
  return (units: Units, number: string, symbol: string): string =>
    fill(amount, { n: number, unit: units[symbol]?.[formOf(number) === 'one' ? 0 : 1] ?? symbol });
}

/** People type "m2" for "m²". */
function withTypedPowers(units: Units): Units {
  const typed = Object.entries(units).map(
    ([unit, said]) => [unit.replace('²', '2').replace('³', '3'), said] as const,
  );
  return { ...Object.fromEntries(typed), ...units };
}

const inchesPerFoot = 12;

/** Spells heights: "6 ft 2 in", "5'11\"". */
function createHeightRule(speaking: Speaking, inches: readonly [string, string]): Rule {
  const counted = createCounted(speaking);
  const units = { ft: speaking.units['ft'] ?? ['', ''], in: inches };
  const height = new RegExp(
    String.raw`${begins}(\d{1,3}) ?(?:ft\.?|['’′]) ?(\d{1,2}(?:\.\d)?) ?(?:i[n](?!\p{L})|["”″])`,
    'gu',
  );
  const duration: Units = { ...speaking.apart_units, ...speaking.units };
  return (text) =>
    text.replace(height, (_, first: string, rest: string) =>
      // "5′30″" is no height.
      Number(rest) < inchesPerFoot
        ? `${counted(units, first, 'ft')} ${counted(units, rest, 'in')}`
        : `${counted(duration, first, 'min')} ${counted(duration, rest, 's')}`,
    );
}

/** Spells durations, in which "m" is a minute: "1h 30m", "5m 20s", "1h30". */
function createDurationRule(speaking: Speaking): Rule {
  const counted = createCounted(speaking);
  const units: Units = { ...speaking.apart_units, ...speaking.units };
  const second = 's';
  const written = new RegExp(
    String.raw`${begins}(?:(\d{1,3}) ?h ?)?(\d{1,2}) ?m(?:i[n])?(?: ?(\d{1,2}) ?${second})?${wordEnds}`,
    'gu',
  );
  // From 13 on it is a time of day: "18h30".
  const short = new RegExp(String.raw`${begins}(1[0-2]|[1-9])h([0-5]\d)${wordEnds}`, 'gu');
  return (text) =>
    text
      .replace(short, '$1h $2m')
      .replace(written, (whole, hours?: string, minutes?: string, seconds?: string) => {
        const count = minutes === undefined ? minutes : String(Number(minutes));
        const parts = [[hours, 'h'] as const, [count, 'min'] as const, [seconds, second] as const];
        const said = parts.flatMap(([n, unit]) => (n === undefined ? [] : counted(units, n, unit)));
        return said.length > 1 ? said.join(' ') : whole;
      });
}

/** Spells fractions: "1/2", "1/2 cup", "1½ cups", "½–1 cup". */
function createFractionRule({ fractions, units: plain, between_numbers: between }: Speaking): Rule {
  const units = withTypedPowers(plain);
  const range = /(?<=\d\/\d{1,2}) ?[-–] ?(?=\d)/g;
  const unit = anyOf(Object.keys(units));
  const mixed = new RegExp(
    `${begins}(?:(\\d{1,4})[ -])?(\\d{1,2}/\\d{1,2})(?![\\d/])(?:[ -](${unit})${wordEnds}${stopOf(unit)})?`,
    'gu',
  );
  const say = (whole: string, count?: string, fraction = '', symbol?: string): string => {
    const [alone, before, after] = fractions[fraction] ?? [];
    if (alone === undefined) return whole;
    const [one, many] = (symbol && units[symbol]) || [];
    if (count !== undefined) return [count, after, many].filter(Boolean).join(' ');
    return one === undefined ? alone : `${before} ${one}`;
  };
  return (text) =>
    withSlashes(text)
      .replace(range, ` ${between['-'] ?? '-'} `)
      .replace(mixed, say);
}

/** Writes "1½" as "1 1/2", and "¹⁄₂" as "1/2". */
function withSlashes(text: string): string {
  return text
    .replace(/(?<=[\p{L}\p{N}])(?=[¼-¾⅐-⅞↉])/gu, ' ')
    .replace(/(\d?)([⁰¹²³⁴-⁹]{1,3})[⁄∕]([₀-₉]{1,3})/gu, (_, count: string, top: string, bottom: string) =>
      `${count && `${count} `}${top}/${bottom}`.normalize('NFKC'),
    )
    .replace(/[¼-¾⅐-⅞↉]/gu, (sign) => sign.normalize('NFKC'))
    .replace(/(?<=\d)[⁄∕](?=\d)/gu, '/');
}

/** Spells ranges and dimensions: "5 km - 10 km", "20 x 30 cm". */
function createSpanRules({ between_numbers: between, half_days, marks }: Speaking, unit: string): Rule[] {
  const amount = amountOf(marks);
  const size = new RegExp(`(?<=\\d) ?[x×] ?(?=${amount}(?: ?[x×] ?${amount})? ?${unit}${wordEnds})`, 'gu');
  const half = anyOf(half_days);
  const range = new RegExp(`(?<=\\d ?(?:${unit}|%|${half}\\.?)) ?[-–] ?(?=\\d)`, 'giu');
  return [
    (text) => text.replace(size, ` ${between['x'] ?? 'x'} `),
    (text) => text.replace(/ ?(?:℃|[°º˚] ?C(?![\p{L}\p{N}]))/gu, ' °C'),
    (text) => text.replace(/ ?(?:℉|[°º˚] ?F(?![\p{L}\p{N}]))/gu, ' °F'),
    (text) => text.replace(range, ` ${between['-'] ?? '-'} `),
  ];
}

/** Units that are recognized only with the right space before them. */
function createSpacedRules(speaking: Speaking): Rule[] {
  const { close_units, apart_units, labelled } = speaking;
  const amount = amountOf(speaking.marks);
  const counted = createCounted(speaking);
  const isLabel = `(?<!(?<!\\p{L})${anyOf(labelled.flatMap((word) => [word, withCapital(word)]))} )`;
  const close = new RegExp(
    `${begins}${isLabel}(\\d{2,3})(${anyOf(Object.keys(close_units))})${wordEnds}`,
    'gu',
  );
  const apart = new RegExp(`${begins}(${amount}) (${anyOf(Object.keys(apart_units))})${wordEnds}`, 'gu');
  return [
    (text) => text.replace(close, (_, number, symbol) => counted(close_units, number, symbol)),
    (text) => text.replace(apart, (_, number, symbol) => counted(apart_units, number, symbol)),
  ];
}

/** Spells rates: "€5/kg", "3 times/day". */
function createRateRules({ per, per_words }: SpeakingData, units: Units): Rule[] {
  const rate = new RegExp(`(?<=\\p{L}) ?/ ?(${anyOf(Object.keys(units))})${wordEnds}`, 'gu');
  const rateWord = new RegExp(`(?<=[\\p{L}\\p{N}]) ?/ ?(?=${anyOf(per_words)}${wordEnds})`, 'gu');
  return [
    // "6 l/100 km"
    (text) => text.replace(/(?<=\p{L}) ?\/ ?(?=100 )/gu, ` ${per} `),
    (text) => text.replace(rate, (_, symbol) => ` ${per} ${units[symbol]?.[0]}`),
    (text) => text.replace(rateWord, ` ${per} `),
  ];
}
