import { amount, anyOf, begins, type Rule, wordEnds } from './rule.ts';
import type { SpeakingData } from './speaking-schema.ts';

/** "€1.50", "$5 million", "3 €". */
export function createMoneyRules({ currencies, magnitudes, between_numbers }: SpeakingData): Rule[] {
  const sign = `(${anyOf(Object.keys(currencies))})`;
  const say = (symbol: string, number: string, magnitude?: string): string => {
    const coin = currencies[symbol] ?? ['', ''];
    const size = magnitude === undefined ? '' : (magnitudes[magnitude] ?? '');
    return size === '' ? sayMoney(coin, number) : `${number} ${size} ${coin[1]}`;
  };
  const range = new RegExp(
    `${sign} ?(${amount}) ?[-–] ?(?:${anyOf(Object.keys(currencies))} ?)?(?=${amount})`,
    'gu',
  );
  const magnitude = `(?: ?(${anyOf(Object.keys(magnitudes))})${wordEnds})?`;
  const before = new RegExp(`(?<!\\p{L})${sign} ?(${amount})${magnitude}(?![\\p{L}\\d])`, 'gu');
  const after = new RegExp(`${begins}(${amount}) ?${sign}${wordEnds}`, 'gu');
  return [
    (text) => text.replace(range, (_, symbol, low) => `${low} ${between_numbers['-'] ?? '-'} ${symbol}`),
    (text) => text.replace(before, (_, symbol, number, size) => say(symbol, number, size)),
    (text) => text.replace(after, (_, number, symbol) => say(symbol, number)),
  ];
}

/** "1.50" is "1 dollar 50", "2.05" "2 dollars 5 cents". */
function sayMoney([one, many, cent, cents = '']: SpeakingData['currencies'][string], number: string): string {
  const [, whole = '', rest = ''] = /^(.*)\.(\d\d)$/.exec(number) ?? [];
  if (rest === '' || cent === undefined) return `${number} ${number === '1' ? one : many}`;
  const coins = `${whole} ${whole === '1' ? one : many}`;
  const small = `${Number(rest)} ${rest === '01' ? cent : cents}`;
  if (Number(whole) === 0) return small;
  if (rest === '00') return coins;
  return rest.startsWith('0') ? `${coins} ${small}` : `${coins} ${rest}`;
}

/** "5 km", "1/2 cup", "180C", "10 x 20 cm", "50 g/day". */
export function createUnitRules(speaking: SpeakingData): Rule[] {
  const { close_units, apart_units, fractions, between_numbers, per, per_words } = speaking;
  const units = withTypedPowers(speaking.units);
  const unit = anyOf(Object.keys(units));
  const counted = (table: Units, number: string, symbol: string) =>
    `${number} ${table[symbol]?.[number === '1' ? 0 : 1] ?? symbol}`;
  const sayFraction = (whole: string, count?: string, fraction = '', symbol?: string) => {
    const [alone, before, after] = fractions[fraction] ?? [];
    if (alone === undefined) return whole;
    const [one, many] = (symbol && units[symbol]) || [];
    if (count !== undefined) return [count, after, many].filter(Boolean).join(' ');
    return one === undefined ? alone : `${before} ${one}`;
  };
  // Of an abbreviation, "5 min. at most"; before a capital it ends the sentence.
  const stop = '(?:\\.(?=\\)? [\\p{Ll}(]|[,;:]))?';
  const mixed = new RegExp(
    `${begins}(?:(\\d{1,4})[ -])?(\\d{1,2}/\\d{1,2})(?![\\d/])(?:[ -](${unit})${wordEnds}${stop})?`,
    'gu',
  );
  const size = new RegExp(`(?<=\\d) ?[x×] ?(?=${amount}(?: ?[x×] ?${amount})? ?${unit}${wordEnds})`, 'gu');
  const range = new RegExp(`(?<=\\d ?(?:${unit}|%|[ap]\\.?m\\.?)) ?[-–] ?(?=\\d)`, 'giu');
  const plain = new RegExp(`${begins}(${amount})( ?|-)(${unit})${wordEnds}${stop}`, 'gu');
  const close = new RegExp(`${begins}(\\d{2,3})(${anyOf(Object.keys(close_units))})${wordEnds}`, 'gu');
  const apart = new RegExp(`${begins}(${amount}) (${anyOf(Object.keys(apart_units))})${wordEnds}`, 'gu');
  const rate = new RegExp(`(?<=\\p{L}) ?/ ?(${unit})${wordEnds}`, 'gu');
  const rateWord = new RegExp(`(?<=[\\p{L}\\p{N}]) ?/ ?(?=${anyOf(per_words)}${wordEnds})`, 'gu');
  return [
    (text) => text.replace(/(\d?) ?([¼-¾⅐-⅞])/gu, asSlashes),
    (text) => text.replace(mixed, sayFraction),
    (text) => text.replace(size, ` ${between_numbers['x'] ?? 'x'} `),
    (text) => text.replace(/ ?(?:℃|[°º˚] ?C(?![\p{L}\p{N}]))/gu, ' °C'),
    (text) => text.replace(/ ?(?:℉|[°º˚] ?F(?![\p{L}\p{N}]))/gu, ' °F'),
    (text) => text.replace(range, ` ${between_numbers['-'] ?? '-'} `),
    (text) =>
      text.replace(plain, (_, number, gap, symbol) =>
        gap === '-' ? `${number} ${units[symbol]?.[0]}` : counted(units, number, symbol),
      ),
    (text) => text.replace(close, (_, number, symbol) => counted(close_units, number, symbol)),
    (text) => text.replace(apart, (_, number, symbol) => counted(apart_units, number, symbol)),
    (text) => text.replace(rate, (_, symbol) => ` ${per} ${units[symbol]?.[0]}`),
    (text) => text.replace(rateWord, ` ${per} `),
  ];
}

type Units = SpeakingData['units'];

/** "m2" is what people type for "m²". */
function withTypedPowers(units: Units): Units {
  const typed = Object.entries(units).map(
    ([unit, said]) => [unit.replace('²', '2').replace('³', '3'), said] as const,
  );
  return { ...Object.fromEntries(typed), ...units };
}

/** "1½" as "1 1/2". */
function asSlashes(_: string, count: string, sign: string): string {
  return `${count && `${count} `}${sign.normalize('NFKC').replace('⁄', '/')}`;
}
