import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { createSpeakable } from '../../../api/src/speech-text/speakable.ts';

const folder = new URL('../../../api/languages/en/', import.meta.url);
const { speaking } = loadLanguage({ folder });
const speakable = createSpeakable(speaking);

/** The written text, and the spoken one. */
type Pairs = readonly (readonly [string, string])[];

/** Signs that look like another kind of number. */
const lookalikes: Pairs = [
  ['Malcolm X was a leader.', 'Malcolm X was a leader.'],
  ['The Boeing 747-400 flies.', 'The Boeing 747 400 flies.'],
  ['An Airbus A320-200', 'An Airbus A320-200'],
  ['pages 120-150', 'pages 120 to 150'],
  ['It begins with 00:1A.', 'It begins with 00:1A.'],
  ['a ratio of 3:1', 'a ratio of 3 to 1'],
  ['3m people live there.', '3 million people live there.'],
  ['1.5m+ users', '1.5 million plus users'],
  ['3m cables', '3 metres cables'],
  ['The wall is 3m tall.', 'The wall is 3 metres tall.'],
];
const marks: Pairs = [
  ['**Paris** is the *capital* of __France__.', 'Paris is the capital of France.'],
  ['***Very*** ~~wrong~~ `right`', 'Very wrong right'],
  ['**First sentence.', 'First sentence.'],
  ['Second sentence.**', 'Second sentence.'],
  ['# Pancakes', 'Pancakes.'],
  ['## What you need:', 'What you need:'],
  ['- Milk', 'Milk.'],
  ['* **Milk**: one cup', 'Milk: one cup.'],
  ['+ Eggs', 'Eggs.'],
  ['• Butter\n• Sugar', 'Butter. Sugar.'],
  ['- [ ] buy milk\n- [x] buy eggs', 'buy milk. buy eggs.'],
  ['1. Preheat the oven\n2. Mix it!', '1. Preheat the oven. 2. Mix it!'],
  ['1) Preheat', '1. Preheat.'],
  ['**1. Preheat** the oven', '1. Preheat the oven.'],
  ['> To be or not to be.', 'To be or not to be.'],
  ['> > quoted twice', 'quoted twice.'],
  ['| Food | Time |', 'Food, Time.'],
  ['|---|:---:|', ''],
  ['| Pasta | 10 min |', 'Pasta, 10 minutes.'],
  ['Well, | said | he', 'Well, said, he'],
  ['---', ''],
  ['Title\n=====', 'Title.'],
  ['Roses are red\nViolets are blue\n', 'Roses are red. Violets are blue.'],
  ['one line\n\n\nanother', 'one line. another'],
  ['```python', 'There is some code here, which I will skip.'],
  ['So:\n```js\nlet a = 1;\n```\nDone.', 'So: There is some code here, which I will skip. Done.'],
  ['```\nJust words\n```', 'Just words'],
  ['```', ''],
  ['Use `sudo reboot` now.', 'Use sudo reboot now.'],
  ['a_b and snake_case_name', 'a b and snake case name'],
  ['5* hotel *', '5 hotel'],
  ['Say [[Paris]] and [[ˈhɛloʊ]].', 'Say Paris and ˈhɛloʊ.'],
  ['[stage whisper] Hello.', 'stage whisper Hello.'],
  [String.raw`1\. It costs \*much\*.`, '1. It costs much.'],
  ['<b>Bold</b> and <i class="x">italic</i>', 'Bold and italic'],
  ['one<br>two<br/>three', 'one. two. three'],
  ['Fish &amp; chips &lt;3 caf&#233; 5&nbsp;km', 'Fish and chips less than 3 café 5 kilometres'],
  ['&lt;b&gt;bold&lt;/b&gt;', 'bold'],
  ['Seen <!-- not this --> here.', 'Seen here.'],
  [String.raw`\( x^2 + 1 \) and $\frac{3}{4}$`, 'x squared plus 1 and three quarters'],
  [String.raw`a \constructor b`, 'a b'],
  [String.raw`2 \times 3 = 6`, '2 times 3 equals 6'],
  ['Set it (if you can).', 'Set it, if you can.'],
  ['Paris (the capital) is big.', 'Paris, the capital, is big.'],
  ['Add the egg(s).', 'Add the eggs.'],
  ['It is {very} ^ odd\\', 'It is very to the power of odd'],
];

const links: Pairs = [
  ['See [the guide](https://example.org/a/b?c=d#e) for more.', 'See the guide for more.'],
  ['See [the](https://en.wikipedia.org/wiki/A_(b)) page.', 'See the page.'],
  ['[one][1] and [two][ref].', 'one and two.'],
  ['[ref]: https://example.org', ''],
  ['It is so.[1][2]', 'It is so.'],
  ['A claim[^3] here.', 'A claim here.'],
  ['![A cat](cat.png "cute") sits.', 'A cat sits.'],
  ['the guide](https://example.org/x) says', 'the guide says'],
  ['Look at https://www.example.org/a_b_c?x=1.', 'Look at example dot org.'],
  ['Look at <https://bbc.co.uk>!', 'Look at bbc dot co dot uk!'],
  ['http://192.168.1.1:8080/admin', 'a link'],
  ['https://a-very-long-name-of-some.example-company.com/', 'a link'],
  ['Go to www.example.com, then.', 'Go to example dot com, then.'],
  ['Write to jane.doe@example.org.', 'Write to jane dot doe at example dot org.'],
  ['Open README.md', 'Open README.md'],
];

const emoji: Pairs = [
  ['Done! 🎉', 'Done!'],
  ['🍝 Pasta 👍🏽 is 👨‍👩‍👧 ready ❤️.', 'Pasta is ready.'],
  ['🎉🎉🎉', ''],
  ['1️⃣ Mix', '1. Mix.'],
  ['Go 🇫🇷!', 'Go!'],
  ['Fine :) and ;-) you?', 'Fine and you?'],
  ['zero\u200Bwidth and soft\u00ADhyphen', 'zerowidth and softhyphen'],
  ['bell\u0007 and \u001B[31mred\u001B[0m', 'bell and red'],
  ['cafe\u0301', 'café'],
  ['bro\uD800ken', 'broken'],
];

const abbreviations: Pairs = [
  ['Fruit, e.g. apples.', 'Fruit, for example apples.'],
  ['E.g. apples', 'For example apples'],
  ['The best, i.e. the last.', 'The best, that is the last.'],
  ['Milk, bread, etc.', 'Milk, bread, and so on.'],
  ['Milk, etc. and bread', 'Milk, and so on and bread'],
  ['Milk, etc., and bread', 'Milk, and so on, and bread'],
  ['Dr. Smith and Mr. Jones', 'Doctor Smith and Mr Jones'],
  ['St. Peter lives in Main St.', 'St Peter lives in Main St.'],
  ['cats vs. dogs', 'cats versus dogs'],
  ['approx. 5 people', 'approximately 5 people'],
  ['No. 5 is alive.', 'Number 5 is alive.'],
  ['No. It is not.', 'No. It is not.'],
  ['see p. 12 and pp. 3-5', 'see page 12 and pages 3 to 5'],
  ['on Jan. 5', 'on January 5'],
  ['Apple Inc. is big.', 'Apple Inc is big.'],
  ['in the U.S. Army', 'in the US Army'],
  ['in the U.S.', 'in the U.S.'],
  ['J. K. Rowling and J.R.R. Tolkien', 'J K Rowling and JRR Tolkien'],
  ['10 a.m. and 5 p.m.', '10 a.m. and 5 p.m.'],
  ['salt w/o pepper', 'salt without pepper'],
  ['and/or', 'and or'],
  ['open 24/7', 'open 24 7'],
];

const kitchen: Pairs = [
  ['2 tbsp olive oil', '2 tablespoons olive oil'],
  ['1 tbsp. sugar', '1 tablespoon sugar'],
  ['1/2 tsp salt', 'half a teaspoon salt'],
  ['1/2 cup flour', 'half a cup flour'],
  ['¾ cup milk', 'three quarters of a cup milk'],
  ['1½ cups rice', '1 and a half cups rice'],
  ['1 1/2 cups', '1 and a half cups'],
  ['2 3/4 hours', '2 and three quarters hours'],
  ['bake at 180°C', 'bake at 180 degrees Celsius'],
  ['bake at 180 ° C or 350 °F.', 'bake at 180 degrees Celsius or 350 degrees Fahrenheit.'],
  ['bake at 180C/350F', 'bake at 180 degrees Celsius or 350 degrees Fahrenheit'],
  ['for 10 min.', 'for 10 minutes.'],
  ['for 10 min. at least', 'for 10 minutes at least'],
  ['for 4 min., then', 'for 4 minutes, then'],
  ['1/4 tsp. pepper', 'a quarter of a teaspoon pepper'],
  ['2 (14.5 oz.) cans', '2, 14.5 ounces, cans'],
  ['it is 5 °C. 10 people', 'it is 5 degrees Celsius. 10 people'],
  ['for 1 h 30 min', 'for 1 hour 30 minutes'],
  ['for 20-25 minutes', 'for 20 to 25 minutes'],
  ['for 20–25 min', 'for 20 to 25 minutes'],
  ['350 g flour', '350 grams flour'],
  ['350g flour, 1kg sugar', '350 grams flour, 1 kilogram sugar'],
  ['500 ml or 2 l', '500 millilitres or 2 litres'],
  ['8 oz (225 g) cheese', '8 ounces, 225 grams, cheese'],
  ['a 20 x 30 cm tin', 'a 20 by 30 centimetres tin'],
  ['half an inch', 'half an inch'],
  ['1/2 oz', 'half an ounce'],
  ['1/2 an onion', 'one half an onion'],
  ['30 s', '30 seconds'],
  ['in the 30s and 1990s', 'in the 30s and 1990s'],
  ['a 5-km run', 'a 5 kilometre run'],
  ['~15 min', 'about 15 minutes'],
  ['200 kcal/serving', '200 kilocalories per serving'],
];

const amounts: Pairs = [
  ['5 km', '5 kilometres'],
  ['1 km', '1 kilometre'],
  ['5km', '5 kilometres'],
  ['1.5 km', '1.5 kilometres'],
  ['1,000 km', '1,000 kilometres'],
  ['5-10 km', '5 to 10 kilometres'],
  ['5 km - 10 km', '5 kilometres to 10 kilometres'],
  ['10 km/h', '10 kilometres per hour'],
  ['It uses 6 l/100 km', 'It uses 6 litres per 100 kilometres'],
  ['60 mg/dL', '60 milligrams per decilitre'],
  ['2 in³ and 3 ft²', '2 cubic inches and 3 square feet'],
  ['72 bpm', '72 beats per minute'],
  ['a 12″ pizza', 'a 12 inches pizza'],
  ['5′30″ in the oven', '5 minutes 30 seconds in the oven'],
  ['2 m²', '2 square metres'],
  ['2 m2', '2 square metres'],
  ['2700 K light, a 4K film', '2700 kelvins light, a 4K film'],
  ['300,000 km/s', '300,000 kilometres per second'],
  ['3 g/l', '3 grams per litre'],
  ['-5 °C', 'minus 5 degrees Celsius'],
  ['−5 °C', 'minus 5 degrees Celsius'],
  ['20°', '20 degrees'],
  ['50%', '50 percent'],
  ['50 % of it', '50 percent of it'],
  ['€5', '5 euros'],
  ['€1', '1 euro'],
  ['5 €', '5 euros'],
  ['$1.50', '1 dollar 50'],
  ['$2.05', '2 dollars 5 cents'],
  ['$0.99', '99 cents'],
  ['$3.00', '3 dollars'],
  ['£1,200', '1,200 pounds'],
  ['$1.5 million', '1.5 million dollars'],
  ['$5bn', '5 billion dollars'],
  ['$21.4T', '21.4 trillion dollars'],
  ['$5-$10', '5 to 10 dollars'],
  ['€5/kg', '5 euros per kilogram'],
  ['$9/month', '9 dollars per month'],
  ['50¢', '50 cents'],
  ['8 GB', '8 gigabytes'],
  ['60 mph', '60 miles per hour'],
  ['1\u00A0000\u202F000 people', '1000000 people'],
  ['vitamin B12 g', 'vitamin B12 g'],
  ['I live at 5 m Street', 'I live at 5 metres Street'],
];

const numbers: Pairs = [
  ['3/4', 'three quarters'],
  ['120/80', '120 over 80'],
  ['2 + 2 = 4', '2 plus 2 equals 4'],
  ['5 - 3 = 2', '5 minus 3 equals 2'],
  ['3 x 4 = 12', '3 times 4 equals 12'],
  ['3 × 4', '3 times 4'],
  ['3 * 4', '3 times 4'],
  ['8 / 2 = 4', '8 divided by 2 equals 4'],
  ['8 ÷ 2', '8 divided by 2'],
  ['a 3x4 grid', 'a 3 by 4 grid'],
  ['2x faster', '2 times faster'],
  ['5 ± 1', '5 plus or minus 1'],
  ['x² + y³', 'x squared plus y cubed'],
  ['10⁶ and 2^10', '10 to the power of 6 and 2 to the power of 10'],
  ['6×10²³ and 10⁻³', '6 times 10 to the power of 23 and 10 to the power of minus 3'],
  ['H₂O', 'H2O'],
  ['√9 ≈ 3', 'square root of 9 about 3'],
  ['< 5 and >10', 'less than 5 and more than 10'],
  ['#1 and # 2', 'number 1 and number 2'],
  ['#cooking', 'cooking'],
  ['C# and C++', 'C sharp and C plus plus'],
  ['R&B & soul', 'R and B and soul'],
  ['a 2:1 mix', 'a 2 to 1 mix'],
  ['pages 5-10', 'pages 5 to 10'],
  ['1999-2005, then', '1999 to 2005, then'],
  ['1914-1918', '1914 to 1918'],
  ['call 555-1234', 'call 5 5 5, 1 2 3 4'],
  ['call 911', 'call 9 1 1'],
  ['(555) 123-4567', '5 5 5, 1 2 3, 4 5 6 7'],
  ['version 3.10.2', 'version 3 dot 10 dot 2'],
  ['.5', '0.5'],
  ['3.5, 1,000 and 10:30', '3.5, 1,000 and 10:30'],
  ['the 1st and 22nd', 'the 1st and 22nd'],
  ['COVID-19', 'COVID-19'],
  ['a 10-year-old', 'a 10-year-old'],
  ['he/she', 'he or she'],
  ['TCP/IP', 'TCP IP'],
];

const times: Pairs = [
  ['10:30', '10:30'],
  ['8:00', "8 o'clock"],
  ['08:30', '8:30'],
  ['8:00 a.m.', '8 a.m.'],
  ['8:00 PM', '8 PM'],
  ['at 19:00.', 'at 7 p.m.'],
  ['from 10:30-11:15', 'from 10:30 to 11:15'],
  ['9 am - 5 pm', '9 am to 5 pm'],
  ['00:00', 'midnight'],
  ['2026-11-21', '21 November 2026'],
  ['2026-11-21T10:30:00Z', '21 November 2026, 10:30'],
  ['11/21/2026', '21 November 2026'],
  ['21/11/2026', '21 November 2026'],
  ['25.12.2024', '25 December 2024'],
  ['2026-13-45', '2026-13-45'],
];

const asPeopleSay: Pairs = [
  ['World War II.', 'World War 2.'],
  ['World War I began', 'World War 1 began'],
  ['Henry VIII and Louis XIV', 'Henry the 8th and Louis the 14th'],
  ['The XXI century and the XIXth century', 'The 21st century and the 19th century'],
  ['World Wars I and II, Vol. III', 'World Wars 1 and 2, Volume 3'],
  ['No. I do not. Did you and I go?', 'No. I do not. Did you and I go?'],
  ['10k steps, 3M people, 5M+ downloads', '10 thousand steps, 3 million people, 5 million plus downloads'],
  ['a 5k in 4K videos, 3M makes tape, 5m walks', 'a 5k in 4K videos, 3M makes tape, 5 metres walks'],
  ['1h 30m, 5m 20s and 2h15m', '1 hour 30 minutes, 5 minutes 20 seconds and 2 hours 15 minutes'],
  ['1h30 and 2h05', '1 hour 30 minutes and 2 hours 5 minutes'],
  ['On 3/14/15', 'On 14 March 2015'],
  ['€1.299,00 or 1.299,50 €', '1,299 euros or 1,299 euros 50'],
  ['c/o Smith, n/a', 'care of Smith, not available'],
  ['100m and 5 m', '100 metres and 5 metres'],
  ['Mon–Fri, Jan-Mar and Monday - Friday', 'Monday to Friday, January to March and Monday to Friday'],
  ['Sun and rain', 'Sun and rain'],
  ['10th–12th May 2024/25', '10th to 12th May 2024 25'],
  ['UTC-5 or GMT+2', 'UTC minus 5 or GMT plus 2'],
  ['Seat 12C, row 14F at 20C', 'Seat 12C, row 14F at 20 degrees Celsius'],
  ['500 mAh at 100 kB/s, 5★', '500 milliamp hours at 100 kilobytes per second, 5 stars'],
  ['Fe²⁺, Na⁺ and SO₄²⁻', 'Fe 2 plus, Na plus and SO4 2 minus'],
  ['Go to github.com/foo/bar.', 'Go to github dot com.'],
  ['tel. (020) 7946 0958', 'tel. 0 2 0, 7 9 4 6, 0 9 5 8'],
  ['Queen Elizabeth II', 'Queen Elizabeth the 2nd'],
  ['Chapter IV, Super Bowl LIX', 'Chapter 4, Super Bowl 59'],
  ['Elizabeth I think', 'Elizabeth I think'],
  ['an IV drip, size XL, MIX it', 'an IV drip, size XL, MIX it'],
  ['Ⅳ, Henry Ⅷ', '4, Henry the 8th'],
  ['ZIP 90210', 'ZIP 9 0 2 1 0'],
  ['Reno, NV 89501 and Albany, NY 12207-1234', 'Reno, NV 8 9 5 0 1 and Albany, NY 1 2 2 0 7, 1 2 3 4'],
  ['₹1,00,000 or 12,34,56,789 people', '100,000 rupees or 123,456,789 people'],
  ['He is 6 ft 2 in tall.', 'He is 6 feet 2 inches tall.'],
  [`She is 5'11" and he is 6’ 1”.`, 'She is 5 feet 11 inches and he is 6 feet 1 inch.'],
  ['6 ft in the garden', '6 feet in the garden'],
  ['½–1 hour or 1/2-3/4 cup', 'one half to 1 hour or one half to three quarters of a cup'],
  ['Jan 5, 12 Feb 2026 and Sep 3', 'January 5, 12 February 2026 and September 3'],
  ['May 5, Mar a Lago, Dec 25th', 'May 5, Mar a Lago, December 25th'],
  ['6.02e23 and 1e-6', '6.02 times 10 to the power of 23 and 1 times 10 to the power of minus 6'],
  ['cats vs dogs, approx 5 kΩ', 'cats versus dogs, approximately 5 kilohms'],
  ['PIN 1234', 'PIN 1 2 3 4'],
  ['flight BA2490', 'flight B A 2 4 9 0'],
  ['US$5 or C$2.50', '5 US dollars or 2 Canadian dollars 50'],
  ['₩500', '500 won'],
  ['12/25', '25 December'],
  ['by 3/4, then', 'by 4 March, then'],
  ['5/16 inch', '5 over 16 inch'],
  ['Add ½ cup of milk', 'Add half a cup of milk'],
  ['take ½ of it', 'take one half of it'],
  ['2 ½ cups', '2 and a half cups'],
  ['1¹⁄₂ cups', '1 and a half cups'],
  ['⅐ of it', 'one seventh of it'],
  ['5 ㎞ and ２㎏', '5 kilometres and 2 kilograms'],
  ['２５℃', '25 degrees Celsius'],
  ['𝐛𝐨𝐥𝐝 ａｎｄ ﬁne', 'bold and fine'],
  ['①', '1'],
];

const punctuation: Pairs = [
  ['What?!?!', 'What?'],
  ['Stop!!!', 'Stop!'],
  ['Well... maybe', 'Well, maybe'],
  ['Well... Maybe', 'Well. Maybe'],
  ['Hmm…', 'Hmm.'],
  ['wait…what', 'wait, what'],
  ['yes — no', 'yes – no'],
  ['yes—no', 'yes – no'],
  ['yes - no', 'yes – no'],
  ['I think so –', 'I think so,'],
  ['He said , "yes" .', 'He said, "yes".'],
  ['“Yes,” she said; ‘no’.', '“Yes,” she said; ‘no’.'],
  ["it's o'clock, don't", "it's o'clock, don't"],
  ['so,, what..', 'so, what.'],
  ['run it --fast -v', 'run it fast v'],
  ['(a) one and (b) two', 'a, one and b, two'],
  ['Settings > Network > Wi-Fi', 'Settings, Network, Wi-Fi'],
  ['Settings → Wi-Fi', 'Settings, Wi-Fi'],
  ['  many\t spaces\u00A0here ', 'many spaces here'],
  ['...!?', ''],
  ['', ''],
  ['-', ''],
  ['日本語。', '日本語。'],
  ['Привет, мир!', 'Привет, мир!'],
];

const all: Pairs = [
  ...marks,
  ...lookalikes,
  ...links,
  ...emoji,
  ...abbreviations,
  ...kitchen,
  ...amounts,
  ...numbers,
  ...times,
  ...asPeopleSay,
  ...punctuation,
];

describe('speakable text', () => {
  test.each(all)('of %j is %j', (written, said) => {
    expect(speakable(written)).toBe(said);
  });

  test('is unchanged when it is made speakable again', () => {
    const changed = all.map(([, said]) => said).filter((said) => speakable(said) !== said);

    expect(changed).toEqual([]);
  });
});

/** Fragments as models write them, in any combination. */
const bits = [
  ...[
    'a',
    'I',
    'B',
    'é',
    '日',
    '5',
    '1',
    '10',
    '2026',
    ' ',
    ' ',
    ' ',
    '\n',
    '.',
    ',',
    ':',
    ';',
    '!',
    '?',
    '…',
    '-',
    '–',
    '—',
  ],
  ...[
    '*',
    '**',
    '_',
    '`',
    '```',
    '#',
    '>',
    '<',
    '|',
    '~',
    '[',
    ']',
    '(',
    ')',
    '](',
    '[[',
    '{',
    '}',
    '\\',
    '/',
    '=',
    '+',
    '×',
    '&',
    '@',
    '%',
    '$',
  ],
  ...[
    '€',
    '°',
    '°C',
    'km',
    'm²',
    ' min',
    'x',
    '½',
    '²',
    '⁶',
    '₂',
    '"',
    "'",
    '’',
    '🎉',
    '1️⃣',
    '\u200D',
    '\u0301',
    '\uD800',
    '&amp;',
    '&lt;',
    '<b>',
    '<br>',
    '<!--',
  ],
  ...[
    'e.g.',
    'etc.',
    'Dr. ',
    'No. ',
    'a.m.',
    'U.S.',
    '10:00',
    '-11-21',
    'https://',
    'www.',
    'x.org',
    '1. ',
    '- ',
    'call ',
    '1/2',
    ' cup',
    '555-1234',
    '\\frac{',
    'million',
    'per',
  ],
];
const hostile = fc.array(fc.constantFrom(...bits), { maxLength: 14 }).map((parts) => parts.join(''));
const anything = fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 60 }));

describe('words made speakable', () => {
  test('are unchanged the second time', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const words = speakable(text);
        expect(speakable(words)).toBe(words);
      }),
      { numRuns: 1_000 },
    );
  });

  test('contain no marks, no line breaks and no repeated spaces', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(speakable(text)).not.toMatch(/[*_`#<>|~[\]{}()\\^$€%=+@&/°×]|[\n\r\t]| {2}|^ | $/);
      }),
      { numRuns: 1_000 },
    );
  });

  test('have a letter or digit, or are empty', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(speakable(text)).toMatch(/^$|[\p{L}\p{N}]/u);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a hostile text', () => {
  const slow = [
    ...[
      'a',
      '1',
      '.',
      ' ',
      '*',
      '_',
      '`',
      '#',
      '>',
      '<',
      '|',
      '[',
      ']',
      '(',
      '](',
      '[a](',
      '<a',
      '<!--',
      '&',
      '&#',
      '\\',
      '\\frac{',
      '$1',
    ],
    ...[
      'a@',
      'a.',
      '1.',
      '1,',
      '1/',
      '1-',
      '1 x ',
      '1 km',
      '-',
      '–',
      '%',
      '°',
      '½',
      '²',
      '⁴',
      'e.g.',
      'A. ',
      '10:00',
      'http://a.',
      'call 1',
      '(a) ',
    ],
    ...['!?', '…', ' .', '\n', '```\n', '🎉', '\u0301', '\u00A0', '日'],
  ];
  /** CPU time of this thread alone, so that a busy machine makes no difference. */
  const workFor = (text: string): number => {
    const before = process.threadCpuUsage();
    speakable(text);
    return process.threadCpuUsage(before).user / 1_000;
  };

  // Sixteen times the text is sixteen times the work. Quadratic work would be 256 times as much, and take
  // seconds.
  test.each(slow)('of only %j is fast', (part) => {
    const [short = 0, long = 0] = [3_000, 48_000].map((length) => workFor(part.repeat(length / part.length)));

    expect(long).toBeLessThan(Math.max(700, 64 * short));
  });
});

test('numbers are read with the separators of the language', () => {
  const say = createSpeakable({ ...speaking, marks: { ...speaking.marks, decimal: ',', thousands: '.' } });

  expect(['1,5 km', '1.000 km', ',5 l', '€1,50'].map(say)).toEqual([
    '1,5 kilometres',
    '1.000 kilometres',
    '0,5 litres',
    '1 euro 50',
  ]);
});
