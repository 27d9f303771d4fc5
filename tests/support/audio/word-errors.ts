const ones = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const teens = [
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const small = [...ones, ...teens];

/**
 * Counts wrong words: substituted, missing or added. Spelling does not count: "10" is "ten", "21st" is
 * "twenty-first".
 */
export function wordErrors(said: string, transcript: string): number {
  const [want, have] = [words(said), words(asTimes(said, transcript))];
  let row = have.map((_, index) => index + 1);
  row.unshift(0);
  for (const [index, word] of want.entries()) {
    const next = [index + 1];
    for (const [at, other] of have.entries()) {
      const same = (row[at] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(same, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Normalizes the spelling of words: "10 minutes" becomes "ten minutes". */
export function inOneSpelling(text: string): string {
  return words(text).join(' ');
}

/** Counts the words. */
export function countWords(text: string): number {
  return words(text).length;
}

/** Rewrites spoken times of day in the transcript: "It is 1:05" is heard as "It is 105". */
function asTimes(said: string, transcript: string): string {
  const times = said.matchAll(/\b(\d{1,2}):(\d)(\d)\b/g);
  return [...times].reduce((text, [time, hour, ten, minute]) => {
    const spoken = `${hour}[ :.-]?${ten === '0' ? `(?:0|oh|o)[ .-]?` : ten}${minute}`;
    return text.replace(new RegExp(`\\b${spoken}\\b`, 'gi'), time);
  }, transcript);
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/\b([ap])\.m\./g, '$1m')
    .replace(/(?<=\d)(?=[ap]m\b)/g, ' ')
    .replace(/\bok\b/g, 'okay')
    .replace(/\balright\b/g, 'all right')
    .replace(/\banytime\b/g, 'any time')
    .replace(/\bthere[’']s\b/g, 'there is')
    .replace(/o[’']clock|\bo clock\b/g, '')
    .replace(/\b7:30\b/g, 'half past seven')
    .replace(/\b(\d{1,2}):00\b/g, '$1')
    .replace(/\b(\d{1,2}):0(\d)\b/g, '$1 $2')
    .replace(/\boh\b/g, '')
    .replace(/\b(20)(\d\d)\b/g, '$1 $2')
    .replace(/\b(\d+)(?:st|nd|rd|th)\b/g, (_, number) => ordinal(Number(number)))
    .replace(/\d+/g, (number) => spelled(Number(number)))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter(Boolean);
}

function spelled(number: number): string {
  if (number < 20) return small[number] ?? String(number);
  if (number < 100) return `${tens[Math.floor(number / 10) - 2]} ${number % 10 ? ones[number % 10] : ''}`;
  if (number < 1_000) {
    const rest = number % 100;
    return `${ones[Math.floor(number / 100)]} hundred ${rest ? `and ${spelled(rest)}` : ''}`;
  }
  return String(number);
}

function ordinal(number: number): string {
  const irregular: Record<number, string> = {
    1: 'first',
    2: 'second',
    3: 'third',
    5: 'fifth',
    8: 'eighth',
    9: 'ninth',
    12: 'twelfth',
  };
  if (number > 20 && number % 10 !== 0) return `${spelled(number - (number % 10))} ${ordinal(number % 10)}`;
  return irregular[number] ?? `${spelled(number).trim()}th`;
}
