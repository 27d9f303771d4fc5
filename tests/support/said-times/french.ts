import { type Clock, type ClockWords, phrasesFrom } from './phrase-table.ts';
import { capital } from './said-time.ts';

const minutesPast: Readonly<Record<number, string>> = {
  0: '',
  5: ' cinq',
  10: ' dix',
  15: ' et quart',
  20: ' vingt',
  30: ' et demie',
};

function withPart({ hour, minute, short, next, say, part }: Clock): string | null {
  if (part === null) return null;
  const heures = (number: number) => `${say(number)} heure${number === 1 ? '' : 's'}`;
  if (minute !== 45) return `${heures(short)}${minutesPast[minute]} ${part}`;
  // Nobody says the part of the day at which an hour begins that belongs to another one.
  return [11, 17].includes(hour) ? null : `${heures(next)} moins le quart ${part}`;
}

function times(clock: Clock): (ClockWords | null)[] {
  const { hour, minute, digits } = clock;
  const spoken = withPart(clock);
  return [
    { bare: `${hour}h${minute === 0 ? '' : digits.slice(-2)}`, isExact: false },
    { bare: `${hour} heure${hour === 1 ? '' : 's'}${minute === 0 ? '' : ` ${minute}`}`, isExact: false },
    hour === 12 && minute === 0 ? { bare: 'midi', isExact: true } : null,
    hour === 12 && minute === 30 ? { bare: 'midi et demi', isExact: true } : null,
    spoken === null ? null : { bare: spoken, isExact: true },
  ];
}

const ordinal = (day: number) => (day === 1 ? '1er' : String(day));

export const french = phrasesFrom({
  numbers: 'zéro un deux trois quatre cinq six sept huit neuf dix onze douze'.split(' '),
  hours: 'zéro une deux trois quatre cinq six sept huit neuf dix onze douze'.split(' '),
  weekdays: 'lundi mardi mercredi jeudi vendredi samedi dimanche'.split(' '),
  months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
  parts: [
    [1, 11, 'du matin'],
    [13, 17, "de l'après-midi"],
    [18, 23, 'du soir'],
  ],
  times,
  at: (bare) => `à ${bare}`,
  days: ({ weekdayName, day, monthName, counted }) => ({
    today: ["aujourd'hui"],
    tomorrow: ['demain'],
    afterTomorrow: ['après-demain'],
    inDays: [`dans ${counted} jours`],
    inWeeks: [`dans ${counted} semaines`],
    weekday: [weekdayName, `ce ${weekdayName}`],
    nextWeekday: [`${weekdayName} prochain`],
    weekdayInAWeek: [`${weekdayName} en huit`],
    weekdayInNextWeek: [`${weekdayName} de la semaine prochaine`],
    dayOfMonth: [`le ${ordinal(day)}`],
    date: [`le ${ordinal(day)} ${monthName}`],
    lastDayOfMonth: ['le dernier jour du mois'],
    christmasEve: ['la veille de Noël'],
  }),
  lengths: ({ counted, day }) => ({
    minutes: [`dans ${counted} minutes`],
    hours: [`dans ${counted} heures`],
    days: [`dans ${counted} jours`],
    months: [`dans ${counted} mois`],
    quarterHour: ["dans un quart d'heure"],
    halfHour: ['dans une demi-heure'],
    threeQuarters: ["dans trois quarts d'heure"],
    hour: ['dans une heure'],
    hourAndHalf: ['dans une heure et demie'],
    hoursAndHalf: [`dans ${counted} heures et demie`],
    hoursAndMinutes: [`dans ${counted} heures et ${day + 1} minutes`],
  }),
  oftens: ({ weekdayName, otherWeekdayName, day, monthName, counted }) => ({
    daily: ['tous les jours', 'chaque jour'],
    weekly: [`tous les ${weekdayName}s`, `chaque ${weekdayName}`],
    onTwoWeekdays: [
      `tous les ${weekdayName}s et ${otherWeekdayName}s`,
      `chaque ${weekdayName} et chaque ${otherWeekdayName}`,
    ],
    everyTwoWeeks: [`un ${weekdayName} sur deux`],
    onWorkdays: ['du lundi au vendredi', 'en semaine'],
    onWeekends: ['tous les week-ends', 'chaque week-end'],
    exceptSundays: ['tous les jours sauf le dimanche'],
    everyTwoDays: ['tous les deux jours', 'un jour sur deux'],
    everyDays: [`tous les ${counted} jours`],
    monthly: [`le ${ordinal(day)} de chaque mois`, `tous les ${ordinal(day)} du mois`],
    onFirstWeekday: [`le premier ${weekdayName} de chaque mois`, `tous les premiers ${weekdayName}s du mois`],
    onLastWeekday: [`le dernier ${weekdayName} de chaque mois`],
    onLastDay: ['le dernier jour de chaque mois'],
    yearly: [`tous les ans le ${ordinal(day)} ${monthName}`, `chaque année le ${ordinal(day)} ${monthName}`],
  }),
  tasks: [
    ["d'appeler Bob", 'appeler Bob'],
    ['de sortir les poubelles', 'sortir les poubelles'],
    ['de nourrir le chat', 'nourrir le chat'],
    ["d'acheter deux citrons", 'acheter deux citrons'],
    ['de payer le loyer', 'payer le loyer'],
  ],
  reminders: (when, [withDe, verb]) => [
    [`Rappelle-moi ${when} ${withDe}.`, verb],
    [`Rappelle-moi ${withDe} ${when}.`, verb],
    [`${capital(when)} rappelle-moi ${withDe}.`, verb],
    [`Peux-tu me rappeler ${when} ${withDe} ?`, verb],
    [`Peux-tu me rappeler ${withDe} ${when} ?`, verb],
    [`Mets un rappel ${when} pour ${verb}.`, verb],
  ],
  alarms: ({ words, bare }, day) =>
    day === null
      ? [`Mets un réveil ${words}.`, `Réveille-moi ${words}.`, `Mets une alarme pour ${bare}.`]
      : [
          `Mets un réveil ${day} ${words}.`,
          `Réveille-moi ${day} ${words}.`,
          `Mets une alarme pour ${day} ${words}.`,
        ],
  lengthAlarms: (length) => [`Réveille-moi ${length}.`],
});
