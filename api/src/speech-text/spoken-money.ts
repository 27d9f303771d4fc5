import { literally } from '../language/pattern.ts';
import { fill } from '../language/phrase.ts';
import type { Speaking, SpeakingData } from '../language/speaking-schema.ts';
import { amountOf, anyOf, begins, type Rule, wordEnds } from './rule.ts';

/** Spells amounts of money: "€1.50", "$5 million", "3 €". */
export function createMoneyRules(speaking: Speaking): Rule[] {
  const { currencies, magnitudes, shortened, in_millions, between_numbers, symbols, units } = speaking;
  const amount = amountOf(speaking.marks);
  const sayMoney = createMoney(speaking);
  const sign = `(${anyOf(Object.keys(currencies))})`;
  const say = (symbol: string, number: string, magnitude?: string): string => {
    const coin = currencies[symbol] ?? ['', ''];
    const size = magnitude === undefined ? '' : (magnitudes[magnitude] ?? '');
    if (size === '') return sayMoney(coin, number);
    const many = fill(speaking.amount, { n: number, unit: size });
    return many.endsWith("'") ? many + coin[1] : fill(speaking.amount, { n: many, unit: coin[1] });
  };
  const range = new RegExp(
    `${sign} ?(${amount}) ?[-–] ?(?:${anyOf(Object.keys(currencies))} ?)?(?=${amount})`,
    'gu',
  );
  const magnitude = `(?: ?(${anyOf(Object.keys(magnitudes))})${wordEnds})?`;
  const before = new RegExp(`(?<!\\p{L})${sign} ?(${amount})${magnitude}(?![\\p{L}\\d])`, 'gu');
  const size = `(?: ?(${anyOf(Object.keys(magnitudes))})\\.?)?`;
  const after = new RegExp(`${begins}(${amount})${size} ?${sign}${wordEnds}`, 'gu');
  // "5m" is a length.
  const sizes = Object.keys(magnitudes).filter((size) => !(size in units));
  const shortBefore = (signs: readonly string[], words: readonly string[]) =>
    new RegExp(
      `${begins}(${amount})(${anyOf(signs)})(\\+?)(?= (?:${['(?!)', ...words].join('|')})(?!\\p{L}))`,
      'gu',
    );
  const short = shortBefore(sizes, shortened);
  const millions = shortBefore(Object.keys(magnitudes), in_millions);
  const sayShort = (_: string, number: string, size: string, more: string): string => {
    const n = fill(speaking.amount, { n: number, unit: magnitudes[size] ?? '' });
    return more === '' ? n : `${n} ${symbols[more] ?? ''}`;
  };
  const { decimal, thousands } = speaking.marks;
  /** "€1.299,00" where the decimal mark is a point. */
  const foreign = new RegExp(
    String.raw`${begins}(\d{1,3}(?:${literally(decimal)}\d{3})+)${literally(thousands)}(\d\d)(?!\d)`,
    'gu',
  );
  return [
    (text) =>
      text.replace(
        foreign,
        (_, whole: string, cents: string) => `${whole.replaceAll(decimal, thousands)}${decimal}${cents}`,
      ),
    (text) => text.replace(short, sayShort).replace(millions, sayShort),
    (text) => text.replace(range, (_, symbol, low) => `${low} ${between_numbers['-'] ?? '-'} ${symbol}`),
    (text) => text.replace(before, (_, symbol, number, size) => say(symbol, number, size)),
    (text) => text.replace(after, (_, number, size, symbol) => say(symbol, number, size)),
  ];
}

/** "1.50" becomes "1 dollar 50"; "2.05" becomes "2 dollars 5 cents". */
function createMoney({ amount, marks, formOf }: Speaking) {
  const withCents = new RegExp(String.raw`^(.*)${literally(marks.decimal)}(\d\d)$`);
  const counted = (n: string, [one, many]: readonly [string, string]) =>
    fill(amount, { n, unit: formOf(n) === 'one' ? one : many });

  return ([one, many, cent, cents = '']: SpeakingData['currencies'][string], number: string): string => {
    const [, whole = '', rest = ''] = withCents.exec(number) ?? [];
    if (rest === '' || cent === undefined) return counted(number, [one, many]);
    const coins = counted(whole, [one, many]);
    const small = counted(String(Number(rest)), [cent, cents]);
    if (Number(whole) === 0) return small;
    if (rest === '00') return coins;
    return rest.startsWith('0') ? `${coins} ${small}` : `${coins} ${rest}`;
  };
}
