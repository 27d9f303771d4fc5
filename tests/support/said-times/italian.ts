import { type Clock, type ClockWords, phrasesFrom } from './phrase-table.ts';
import { capital } from './said-time.ts';

const minutesPast: Readonly<Record<number, string>> = {
  0: '',
  5: ' e cinque',
  10: ' e dieci',
  15: ' e un quarto',
  20: ' e venti',
  30: ' e mezza',
};

function withPart({ hour, minute, short, next, say, part }: Clock): string | null {
  if (part === null) return null;
  if (minute !== 45) return `${say(short)}${minutesPast[minute]} ${part}`;
  // Nobody says the part of the day at which an hour begins that belongs to another one.
  return [5, 11, 17].includes(hour) ? null : `${say(next)} meno un quarto ${part}`;
}

function times(clock: Clock): (ClockWords | null)[] {
  const { hour, minute, digits } = clock;
  const spoken = withPart(clock);
  return [
    { bare: digits.replace(/^0/, ''), isExact: false },
    hour === 12 && minute === 0 ? { bare: 'mezzogiorno', isExact: true } : null,
    spoken === null ? null : { bare: spoken, isExact: true, isNight: clock.part === 'di notte' },
  ];
}

/** "alle sette", "all'una", "a mezzogiorno" */
function at(bare: string): string {
  if (bare === 'mezzogiorno') return `a ${bare}`;
  return /^(una|1)\b/.test(bare) ? `all'${bare}` : `alle ${bare}`;
}

/** "il primo", "il 2", "l'8" */
function theDay(day: number): string {
  if (day === 1) return 'il primo';
  return day === 8 || day === 11 ? `l'${day}` : `il ${day}`;
}

const isFeminine = (weekday: string) => weekday === 'domenica';
const several = (weekday: string) =>
  isFeminine(weekday) ? 'tutte le domeniche' : `tutti i ${weekday.replace(/o$/, 'i')}`;

export const italian = phrasesFrom({
  numbers: 'zero un due tre quattro cinque sei sette otto nove dieci undici dodici'.split(' '),
  hours: 'zero una due tre quattro cinque sei sette otto nove dieci undici dodici'.split(' '),
  weekdays: 'lunedì martedì mercoledì giovedì venerdì sabato domenica'.split(' '),
  months:
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(
      ' ',
    ),
  parts: [
    [1, 5, 'di notte'],
    [6, 11, 'di mattina', 'del mattino'],
    [13, 17, 'del pomeriggio'],
    [18, 23, 'di sera'],
  ],
  times,
  at,
  days: ({ weekdayName, day, monthName, counted }) => ({
    today: ['oggi'],
    tomorrow: ['domani'],
    afterTomorrow: ['dopodomani'],
    inDays: [`tra ${counted} giorni`, `fra ${counted} giorni`],
    inWeeks: [`tra ${counted} settimane`],
    weekday: [weekdayName, isFeminine(weekdayName) ? `questa ${weekdayName}` : `questo ${weekdayName}`],
    nextWeekday: isFeminine(weekdayName)
      ? [`la prossima ${weekdayName}`, `${weekdayName} prossima`]
      : [`il prossimo ${weekdayName}`, `${weekdayName} prossimo`],
    weekdayInNextWeek: [`${weekdayName} della prossima settimana`],
    dayOfMonth: [theDay(day)],
    date: [`${theDay(day)} ${monthName}`],
    lastDayOfMonth: ["l'ultimo giorno del mese"],
    christmasEve: ['la vigilia di Natale'],
  }),
  lengths: ({ counted, day }) => ({
    minutes: [`tra ${counted} minuti`],
    hours: [`fra ${counted} ore`],
    days: [`tra ${counted} giorni`],
    months: [`tra ${counted} mesi`],
    quarterHour: ["tra un quarto d'ora"],
    halfHour: ["tra mezz'ora"],
    threeQuarters: ["tra tre quarti d'ora"],
    hour: ["tra un'ora"],
    hourAndHalf: ["tra un'ora e mezza"],
    hoursAndHalf: [`tra ${counted} ore e mezza`],
    hoursAndMinutes: [`tra ${counted} ore e ${day + 1} minuti`],
  }),
  oftens: ({ weekdayName, otherWeekdayName, day, monthName, counted }) => ({
    daily: ['tutti i giorni', 'ogni giorno'],
    weekly: [several(weekdayName), `ogni ${weekdayName}`],
    onTwoWeekdays: [
      `ogni ${weekdayName} e ${otherWeekdayName}`,
      `ogni ${weekdayName} e ogni ${otherWeekdayName}`,
    ],
    onWorkdays: ['dal lunedì al venerdì', 'nei giorni feriali'],
    onWeekends: ['ogni fine settimana', 'tutti i fine settimana'],
    exceptSundays: ['tutti i giorni tranne la domenica', 'ogni giorno tranne domenica'],
    everyTwoDays: ['ogni due giorni', 'un giorno sì e uno no'],
    everyDays: [`ogni ${counted} giorni`],
    everyTwoWeeks: [`ogni due settimane ${isFeminine(weekdayName) ? 'la' : 'il'} ${weekdayName}`],
    monthly: [`${theDay(day)} di ogni mese`, `ogni mese ${theDay(day)}`],
    onFirstWeekday: [`${isFeminine(weekdayName) ? 'la prima' : 'il primo'} ${weekdayName} di ogni mese`],
    onLastWeekday: [`l'${isFeminine(weekdayName) ? 'ultima' : 'ultimo'} ${weekdayName} di ogni mese`],
    onLastDay: ["l'ultimo giorno di ogni mese"],
    yearly: [`ogni anno ${theDay(day)} ${monthName}`],
  }),
  tasks: [
    ['di chiamare Bob', 'chiamare Bob'],
    ['di portare fuori la spazzatura', 'portare fuori la spazzatura'],
    ['di dare da mangiare al gatto', 'dare da mangiare al gatto'],
    ['di comprare due limoni', 'comprare due limoni'],
    ["di pagare l'affitto", "pagare l'affitto"],
  ],
  reminders: (when, [withDi, verb]) => [
    [`Ricordami ${when} ${withDi}.`, verb],
    [`Ricordami ${withDi} ${when}.`, verb],
    [`${capital(when)} ricordami ${withDi}.`, verb],
    [`Puoi ricordarmi ${when} ${withDi}?`, verb],
    [`Puoi ricordarmi ${withDi} ${when}?`, verb],
    [`Imposta un promemoria ${when} per ${verb}.`, verb],
  ],
  alarms: ({ words }, day) =>
    day === null
      ? [`Imposta una sveglia ${words}.`, `Svegliami ${words}.`, `Metti la sveglia ${words}.`]
      : [
          `Imposta una sveglia ${day} ${words}.`,
          `Svegliami ${day} ${words}.`,
          `Imposta una sveglia per ${day} ${words}.`,
        ],
  lengthAlarms: (length) => [`Svegliami ${length}.`],
});
