import { type Clock, type ClockWords, phrasesFrom } from './phrase-table.ts';
import { capital } from './said-time.ts';

const minutesPast: Readonly<Record<number, string>> = {
  5: 'fünf nach',
  10: 'zehn nach',
  15: 'Viertel nach',
  20: 'zwanzig nach',
};

function withPart({ minute, short, next, say, part }: Clock): string | null {
  if (part === null) return null;
  // "um ein Uhr", and "Viertel nach eins".
  const alone = (hour: number) => say(hour).replace(/^ein$/, 'eins');
  if (minute === 0) return `${say(short)} Uhr ${part}`;
  if (minute === 30) return `halb ${alone(next)} ${part}`;
  if (minute === 45) return `Viertel vor ${alone(next)} ${part}`;
  return `${minutesPast[minute]} ${alone(short)} ${part}`;
}

function times(clock: Clock): (ClockWords | null)[] {
  const { hour, minute, digits } = clock;
  const spoken = withPart(clock);
  return [
    { bare: minute === 0 ? `${hour} Uhr` : `${hour} Uhr ${minute}`, isExact: false },
    { bare: `${digits.replace(/^0/, '')} Uhr`, isExact: false },
    { bare: digits, isExact: hour < 10 },
    spoken === null ? null : { bare: spoken, isExact: true, isNight: clock.part === 'in der Nacht' },
  ];
}

const withoutArticle = (noun: string) => noun.replace(/^(den|die) /, '');

export const german = phrasesFrom({
  numbers: 'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' '),
  weekdays: 'Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag'.split(' '),
  months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  parts: [
    [1, 4, 'nachts', 'in der Nacht'],
    [5, 10, 'morgens', 'am Morgen', 'früh'],
    [11, 11, 'vormittags'],
    [12, 12, 'mittags'],
    [13, 17, 'nachmittags', 'am Nachmittag'],
    [18, 22, 'abends', 'am Abend'],
    [23, 23, 'nachts'],
  ],
  times,
  at: (bare) => `um ${bare}`,
  days: ({ weekdayName, day, month, monthName, counted }) => ({
    today: ['heute'],
    tomorrow: ['morgen'],
    afterTomorrow: ['übermorgen'],
    todayInAWeek: ['heute in einer Woche'],
    inDays: [`in ${counted} Tagen`],
    inWeeks: [`in ${counted} Wochen`],
    weekday: [`am ${weekdayName}`, `diesen ${weekdayName}`],
    nextWeekday: [`nächsten ${weekdayName}`, `am nächsten ${weekdayName}`],
    weekdayInAWeek: [`${weekdayName} in einer Woche`],
    weekdayInNextWeek: [`nächste Woche ${weekdayName}`, `am ${weekdayName} nächster Woche`],
    dayOfMonth: [`am ${day}.`],
    date: [`am ${day}. ${monthName}`, `am ${day}.${month}.`],
    lastDayOfMonth: ['am letzten Tag des Monats', 'am Monatsende'],
    christmasEve: ['an Heiligabend'],
  }),
  lengths: ({ counted, day }) => ({
    minutes: [`in ${counted} Minuten`],
    hours: [`in ${counted} Stunden`],
    days: [`in ${counted} Tagen`],
    months: [`in ${counted} Monaten`],
    quarterHour: ['in einer Viertelstunde'],
    halfHour: ['in einer halben Stunde'],
    threeQuarters: ['in einer Dreiviertelstunde'],
    hour: ['in einer Stunde'],
    hourAndHalf: ['in anderthalb Stunden', 'in eineinhalb Stunden'],
    hoursAndHalf: /\d/.test(counted) ? [`in ${counted},5 Stunden`] : [`in ${counted}einhalb Stunden`],
    hoursAndMinutes: [`in ${counted} Stunden und ${day + 1} Minuten`],
  }),
  oftens: ({ weekdayName, otherWeekdayName, day, monthName, counted }) => ({
    daily: ['jeden Tag', 'täglich'],
    weekly: [`jeden ${weekdayName}`, `${weekdayName.toLowerCase()}s`, `immer ${weekdayName.toLowerCase()}s`],
    onTwoWeekdays: [
      `jeden ${weekdayName} und ${otherWeekdayName}`,
      `${weekdayName.toLowerCase()}s und ${otherWeekdayName.toLowerCase()}s`,
    ],
    onWorkdays: ['werktags', 'an Werktagen', 'von Montag bis Freitag', 'montags bis freitags'],
    onWeekends: ['jedes Wochenende', 'an Wochenenden'],
    exceptSundays: ['jeden Tag außer Sonntag', 'täglich außer sonntags'],
    everyTwoDays: ['jeden zweiten Tag', 'alle zwei Tage'],
    everyDays: [`alle ${counted} Tage`],
    everyTwoWeeks: [`jeden zweiten ${weekdayName}`, `alle zwei Wochen am ${weekdayName}`],
    monthly: [`am ${day}. jedes Monats`, `jeden Monat am ${day}.`, `an jedem ${day}. des Monats`],
    onFirstWeekday: [`am ersten ${weekdayName} jedes Monats`, `jeden ersten ${weekdayName} im Monat`],
    onLastWeekday: [`am letzten ${weekdayName} jedes Monats`, `jeden letzten ${weekdayName} im Monat`],
    onLastDay: ['am letzten Tag jedes Monats'],
    yearly: [`jedes Jahr am ${day}. ${monthName}`],
  }),
  tasks: [
    ['die Katze zu füttern', 'die Katze'],
    ['den Müll rauszubringen', 'den Müll'],
    ['Bob anzurufen', 'Bob'],
    ['die Miete zu zahlen', 'die Miete'],
    ['zwei Zitronen zu kaufen', 'die Zitronen'],
  ],
  reminders: (when, [verb, noun]) => [
    [`Erinnere mich ${when} daran, ${verb}.`, verb],
    [`Erinnere mich daran, ${when} ${verb}.`, verb],
    [`Kannst du mich ${when} daran erinnern, ${verb}?`, verb],
    [`Erinnere mich ${when} an ${noun}.`, withoutArticle(noun)],
    [`${capital(when)} erinnere mich an ${noun}.`, withoutArticle(noun)],
    [`Erinnere mich an ${noun} ${when}.`, withoutArticle(noun)],
  ],
  alarms: ({ words, bare }, day) =>
    day === null
      ? [`Stell einen Wecker auf ${bare}.`, `Weck mich ${words}.`, `Wecker ${words}.`]
      : [
          `Stell ${day} einen Wecker auf ${bare}.`,
          `Stell einen Wecker für ${day} ${words}.`,
          `Weck mich ${day} ${words}.`,
          `Stell den Wecker ${day} auf ${bare}.`,
        ],
  lengthAlarms: (length) => [`Weck mich ${length}.`],
});
