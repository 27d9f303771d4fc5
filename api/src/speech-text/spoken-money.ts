import type { SpeakingData } from '../language/speaking-schema.ts';
import { amount, anyOf, begins, type Rule, wordEnds } from './rule.ts';

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
