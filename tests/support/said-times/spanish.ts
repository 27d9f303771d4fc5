import { type Clock, type ClockWords, phrasesFrom } from './phrase-table.ts';
import { capital } from './said-time.ts';

const minutesPast: Readonly<Record<number, string>> = {
  0: '',
  5: ' y cinco',
  10: ' y diez',
  15: ' y cuarto',
  20: ' y veinte',
  30: ' y media',
};

const article = (hour: number) => (hour === 1 ? 'la' : 'las');

function withPart({ hour, minute, short, next, say, part }: Clock): string | null {
  if (part === null || (hour === 12 && minute > 0)) return null;
  if (minute !== 45) return `${article(short)} ${say(short)}${minutesPast[minute]} ${part}`;
  // Nobody says the part of the day at which an hour begins that belongs to another one.
  return [5, 11, 19].includes(hour) ? null : `${article(next)} ${say(next)} menos cuarto ${part}`;
}

function times(clock: Clock): (ClockWords | null)[] {
  const spoken = withPart(clock);
  return [
    { bare: `${article(clock.hour)} ${clock.digits.replace(/^0/, '')}`, isExact: false },
    spoken === null ? null : { bare: spoken, isExact: true },
  ];
}

const several = (weekday: string) => (weekday.endsWith('s') ? weekday : `${weekday}s`);

export const spanish = phrasesFrom({
  numbers: 'cero un dos tres cuatro cinco seis siete ocho nueve diez once doce'.split(' '),
  hours: 'cero una dos tres cuatro cinco seis siete ocho nueve diez once doce'.split(' '),
  weekdays: 'lunes martes miércoles jueves viernes sábado domingo'.split(' '),
  months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  ),
  parts: [
    [1, 5, 'de la madrugada'],
    [6, 11, 'de la mañana'],
    [12, 12, 'del mediodía'],
    [13, 19, 'de la tarde'],
    [20, 23, 'de la noche'],
  ],
  times,
  at: (bare) => `a ${bare}`,
  days: ({ weekdayName, day, monthName, counted }) => ({
    today: ['hoy'],
    tomorrow: ['mañana'],
    afterTomorrow: ['pasado mañana'],
    inDays: [`en ${counted} días`, `dentro de ${counted} días`],
    inWeeks: [`en ${counted} semanas`],
    weekday: [`el ${weekdayName}`, `este ${weekdayName}`],
    nextWeekday: [`el próximo ${weekdayName}`, `el ${weekdayName} que viene`],
    weekdayInNextWeek: [`el ${weekdayName} de la próxima semana`, `el ${weekdayName} de la semana que viene`],
    dayOfMonth: [`el día ${day}`, `el ${day}`],
    date: [`el ${day} de ${monthName}`],
    lastDayOfMonth: ['el último día del mes'],
    christmasEve: ['en Nochebuena'],
  }),
  lengths: ({ counted, day }) => ({
    minutes: [`en ${counted} minutos`],
    hours: [`dentro de ${counted} horas`],
    days: [`en ${counted} días`],
    months: [`en ${counted} meses`],
    quarterHour: ['en un cuarto de hora'],
    halfHour: ['en media hora'],
    threeQuarters: ['en tres cuartos de hora'],
    hour: ['en una hora', 'dentro de una hora'],
    hourAndHalf: ['en una hora y media'],
    hoursAndHalf: [`en ${counted} horas y media`],
    hoursAndMinutes: [`en ${counted} horas y ${day + 1} minutos`],
  }),
  oftens: ({ weekdayName, otherWeekdayName, day, monthName, counted }) => ({
    daily: ['todos los días', 'cada día'],
    weekly: [`todos los ${several(weekdayName)}`, `cada ${weekdayName}`, `los ${several(weekdayName)}`],
    onTwoWeekdays: [
      `todos los ${several(weekdayName)} y ${several(otherWeekdayName)}`,
      `los ${several(weekdayName)} y los ${several(otherWeekdayName)}`,
    ],
    onWorkdays: ['de lunes a viernes', 'entre semana'],
    onWeekends: ['los fines de semana', 'todos los fines de semana'],
    exceptSundays: ['todos los días menos el domingo', 'todos los días excepto los domingos'],
    everyTwoDays: ['cada dos días', 'un día sí y otro no'],
    everyDays: [`cada ${counted} días`],
    everyTwoWeeks: [`cada dos ${several(weekdayName)}`, `cada dos semanas el ${weekdayName}`],
    monthly: [`el ${day} de cada mes`, `el día ${day} de cada mes`, `cada mes el día ${day}`],
    onFirstWeekday: [`el primer ${weekdayName} de cada mes`],
    onLastWeekday: [`el último ${weekdayName} de cada mes`],
    onLastDay: ['el último día de cada mes'],
    yearly: [`cada año el ${day} de ${monthName}`, `todos los años el ${day} de ${monthName}`],
  }),
  tasks: [
    ['llamar a Bob', 'llamar a Bob'],
    ['sacar la basura', 'sacar la basura'],
    ['dar de comer al gato', 'dar de comer al gato'],
    ['comprar dos limones', 'comprar dos limones'],
    ['pagar el alquiler', 'pagar el alquiler'],
  ],
  reminders: (when, [verb]) => [
    [`Recuérdame ${when} ${verb}.`, verb],
    [`Recuérdame ${verb} ${when}.`, verb],
    [`${capital(when)} recuérdame ${verb}.`, verb],
    [`¿Puedes recordarme ${when} ${verb}?`, verb],
    [`¿Puedes recordarme ${verb} ${when}?`, verb],
    [`Recuérdame que tengo que ${verb} ${when}.`, `tengo que ${verb}`],
    [`Pon un recordatorio ${when} para ${verb}.`, verb],
  ],
  alarms: ({ words, bare }, day) =>
    day === null
      ? [`Pon una alarma ${words}.`, `Despiértame ${words}.`, `Pon una alarma para ${bare}.`]
      : [
          `Pon una alarma ${day} ${words}.`,
          `Despiértame ${day} ${words}.`,
          `Pon una alarma para ${day} ${words}.`,
        ],
  lengthAlarms: (length) => [`Despiértame ${length}.`],
});
