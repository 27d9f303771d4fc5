import type { SaidDate } from '../../../language/calendar/date-reader.ts';
import type { Day } from '../../../language/calendar/day.ts';
import type { SaidMoment } from '../../../language/calendar/moment-reader.ts';
import type { Period } from '../../../language/calendar/period.ts';
import type { OpenTimer } from './timer-asks.ts';
import type { SaidWhen } from './timer-slots.ts';

type Kept = Pick<Exclude<OpenTimer, { kind: 'timer.how_long' }>, 'timeSaid' | 'daySaid' | 'period'>;
type DayWithin = (period: Period, date: SaidDate) => Day | null;

/** Completes an answer with the parts said before the question: the time of day, the day or its period. */
export function wholeWhen(question: OpenTimer, when: SaidWhen | null, dayWithin: DayWithin): SaidWhen | null {
  const said = when?.moment;
  if (question.kind === 'timer.how_long' || !said || said.after !== null) return when;
  return { ...when, moment: withDay(withTime(said, question), question, dayWithin) };
}

function withTime(said: SaidMoment, { timeSaid }: Kept): SaidMoment {
  if (!timeSaid || said.part !== null) return said;
  if (said.time === null) return { ...said, ...timeSaid };
  // "Tonight at four", "a.m."
  const isNight = timeSaid.part === 'night' && said.time.half === 'am';
  return isNight ? { ...said, part: timeSaid.part } : said;
}

/** If the question was for the day, an answer without a day leaves it open. */
function withDay(said: SaidMoment, { timeSaid, daySaid, period }: Kept, dayWithin: DayWithin): SaidMoment {
  const { date, isToday, isVague } = said;
  const isOpen = date === null && !isToday;
  if (daySaid !== undefined) return isOpen ? { ...said, date: () => daySaid } : said;
  if (timeSaid === undefined || isVague) return said;
  if (!period) return isOpen ? { ...said, isVague: true } : said;
  const day = date && dayWithin(period, date);
  if (day) return { ...said, date: () => day };
  return { ...said, date: null, isToday: false, isVague: true, period: () => period };
}
