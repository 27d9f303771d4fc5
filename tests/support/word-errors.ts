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

/** Words wrongly heard: substituted, missing or added. Spelling does not count: "10" is "ten", "21st" is "twenty-first". */
export function wordErrors(said: string, heard: string): number {
  const [want, have] = [words(said), words(heard)];
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

/** How many words these are. */
export function countWords(text: string): number {
  return words(text).length;
}

function words(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/\b([ap])\.m\./g, '$1m')
      .replace(/(?<=\d)(?=[ap]m\b)/g, ' ')
      .replace(/\bok\b/g, 'okay')
      .replace(/\bthere[’']s\b/g, 'there is')
      .replace(/o[’']clock|\bo clock\b/g, '')
      .replace(/(\d+)(?::00)\b/g, '$1')
      // Nine past ten, with or without the "oh": "10:09", "10 oh 9", "10.0.9".
      .replace(/\b(\d{1,2})[ :.-](?:0|oh|o)[ .-]?(\d)\b/g, '$1 $2')
      // A time of day without its colon: "823 pm", "2023".
      .replace(/\b(\d{1,2})([0-5]\d)(?= ?[ap]\.?m\b)/g, '$1 $2')
      .replace(/\b(20)(\d\d)\b/g, '$1 $2')
      .replace(/\b(\d+)(?:st|nd|rd|th)\b/g, (_, number) => ordinal(Number(number)))
      .replace(/\d+/g, (number) => spelled(Number(number)))
      .replace(/7:30|seven:30/g, 'half past seven')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .split(' ')
      .filter(Boolean)
  );
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
