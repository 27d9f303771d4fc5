import { type Clock, type ClockWords, phrasesFrom } from './phrase-table.ts';
import { capital } from './said-time.ts';

const minutesPast: Readonly<Record<number, string>> = { 5: 'vijf over', 10: 'tien over', 15: 'kwart over' };

function withPart({ minute, short, next, say, part }: Clock): string | null {
  if (part === null) return null;
  if (minute === 0) return `${say(short)} uur ${part}`;
  if (minute === 20) return `tien voor half ${say(next)} ${part}`;
  if (minute === 30) return `half ${say(next)} ${part}`;
  if (minute === 45) return `kwart voor ${say(next)} ${part}`;
  return `${minutesPast[minute]} ${say(short)} ${part}`;
}

function times(clock: Clock): (ClockWords | null)[] {
  const digits = clock.digits.replace(/^0/, '');
  const spoken = withPart(clock);
  return [
    { bare: digits, isExact: false },
    { bare: `${digits} uur`, isExact: false },
    spoken === null ? null : { bare: spoken, isExact: true },
  ];
}

const withoutArticle = (noun: string) => noun.replace(/^de /, '');

export const dutch = phrasesFrom({
  numbers: 'nul één twee drie vier vijf zes zeven acht negen tien elf twaalf'.split(' '),
  weekdays: 'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag'.split(' '),
  months: 'januari februari maart april mei juni juli augustus september oktober november december'.split(
    ' ',
  ),
  parts: [
    [1, 5, "'s nachts"],
    [6, 11, "'s ochtends", "'s morgens"],
    [12, 17, "'s middags"],
    [18, 23, "'s avonds"],
  ],
  times,
  at: (bare) => `om ${bare}`,
  days: ({ weekdayName, day, monthName, counted }) => ({
    today: ['vandaag'],
    tomorrow: ['morgen'],
    afterTomorrow: ['overmorgen'],
    inDays: [`over ${counted} dagen`],
    inWeeks: [`over ${counted} weken`],
    weekday: [weekdayName, `op ${weekdayName}`, `aanstaande ${weekdayName}`],
    nextWeekday: [`volgende ${weekdayName}`],
    weekdayInAWeek: [`${weekdayName} over een week`],
    weekdayInNextWeek: [`volgende week ${weekdayName}`],
    // "De 2e" may be the second timer.
    dayOfMonth: day > 3 ? [`op de ${day}e`, `de ${day}e`] : [`op de ${day}e`],
    date: [`op ${day} ${monthName}`, `${day} ${monthName}`],
    lastDayOfMonth: ['op de laatste dag van de maand'],
    christmasEve: ['op kerstavond'],
  }),
  lengths: ({ counted, day }) => ({
    minutes: [`over ${counted} minuten`],
    hours: [`over ${counted} uur`],
    days: [`over ${counted} dagen`],
    months: [`over ${counted} maanden`],
    quarterHour: ['over een kwartier'],
    halfHour: ['over een half uur'],
    threeQuarters: ['over drie kwartier'],
    hour: ['over een uur'],
    hourAndHalf: ['over anderhalf uur'],
    hoursAndHalf: [`over ${counted} en een half uur`],
    hoursAndMinutes: [`over ${counted} uur en ${day + 1} minuten`],
  }),
  oftens: ({ weekdayName, otherWeekdayName, day, monthName, counted }) => ({
    daily: ['elke dag', 'iedere dag', 'dagelijks'],
    weekly: [`elke ${weekdayName}`, `iedere ${weekdayName}`],
    onTwoWeekdays: [
      `elke ${weekdayName} en ${otherWeekdayName}`,
      `elke ${weekdayName} en elke ${otherWeekdayName}`,
    ],
    onWorkdays: ['van maandag tot en met vrijdag', 'op werkdagen', 'doordeweeks'],
    onWeekends: ['elk weekend'],
    exceptSundays: ['elke dag behalve zondag', 'elke dag behalve op zondag'],
    everyTwoDays: ['om de dag', 'elke twee dagen'],
    everyDays: [`elke ${counted} dagen`, `om de ${counted} dagen`],
    everyTwoWeeks: [`om de week op ${weekdayName}`, `elke twee weken op ${weekdayName}`],
    monthly: [`op de ${day}e van elke maand`, `elke maand op de ${day}e`],
    onFirstWeekday: [`op de eerste ${weekdayName} van elke maand`, `elke eerste ${weekdayName} van de maand`],
    onLastWeekday: [
      `op de laatste ${weekdayName} van elke maand`,
      `elke laatste ${weekdayName} van de maand`,
    ],
    onLastDay: ['op de laatste dag van elke maand'],
    yearly: [`elk jaar op ${day} ${monthName}`],
  }),
  tasks: [
    ['Bob te bellen', 'Bob'],
    ['de vuilnis buiten te zetten', 'de vuilnis'],
    ['de kat te voeren', 'de kat'],
    ['twee citroenen te kopen', 'de citroenen'],
    ['de huur te betalen', 'de huur'],
  ],
  reminders: (when, [verb, noun]) => [
    [`Herinner me er ${when} aan ${verb}.`, verb],
    [`Herinner me ${when} eraan ${verb}.`, verb],
    [`Herinner me eraan om ${when} ${verb}.`, verb],
    [`Herinner me eraan ${verb} ${when}.`, verb],
    [`Kun je me ${when} eraan herinneren ${verb}?`, verb],
    [`Herinner me ${when} aan ${noun}.`, withoutArticle(noun)],
    [`${capital(when)} herinner me aan ${noun}.`, withoutArticle(noun)],
  ],
  alarms: ({ words, bare }, day) =>
    day === null
      ? [`Zet een wekker ${words}.`, `Maak me ${words} wakker.`, `Zet de wekker op ${bare}.`]
      : [
          `Zet een wekker voor ${day.replace(/^op /, '')} ${words}.`,
          `Maak me ${day} ${words} wakker.`,
          `Zet ${day} een wekker ${words}.`,
        ],
  lengthAlarms: (length) => [`Maak me ${length} wakker.`],
});
