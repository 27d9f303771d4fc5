import type { SaidDate } from '../../../language/calendar/date-reader.ts';
import type { Day } from '../../../language/calendar/day.ts';
import {
  type MomentFault,
  type MomentPurpose,
  namedDay,
  resolveMoment,
} from '../../../language/calendar/moment.ts';
import { noMoment } from '../../../language/calendar/moment-reader.ts';
import { dayWithin, type Period } from '../../../language/calendar/period.ts';
import type { createClock } from '../../../language/calendar/time-zones.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { SaidWhen } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerReply } from './timers-shape.ts';

interface TimerDueOptions {
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
}

/** The open part: the day, the time of day, or the number of minutes or hours. */
export type MissingDuePart = 'day' | 'time' | 'minutes' | 'hours' | null;

/** Why no such moment exists, as a sentence. */
interface DueRefusal {
  refusal: string;
  lacks: MissingDuePart;
}

const lacking: Readonly<Partial<Record<MomentFault, MissingDuePart>>> = {
  which_day: 'day',
  which_time: 'time',
  in_minutes: 'minutes',
  in_hours: 'hours',
};

interface DueOptions {
  purpose: MomentPurpose;
  near?: number;
}

export type TimerDue = ReturnType<typeof createTimerDue>;

/** "In ten minutes" is a duration; "at seven" and "in two days" are clock times. */
export function countsBy(said: SaidWhen | null): 'length' | 'clock' {
  const length = said?.duration ?? said?.after ?? null;
  return length !== null && length.days === null ? 'length' : 'clock';
}

/** Converts spoken times to moments and back. */
export function createTimerDue({ reply, say, clock, timeZone }: TimerDueOptions) {
  return {
    /** The due time, or a sentence with the reason for a refusal; null without a spoken time. */
    at({ turn }: Ask, said: SaidWhen | null, { purpose, near }: DueOptions): number | DueRefusal | null {
      const now = turn.createdAt;
      const options = { purpose, clock, timeZone, now };
      const { duration, moment: at } = said ?? { duration: null, moment: null };
      if (!duration && !at) return null;
      const moment = duration
        ? resolveMoment({ ...noMoment, after: duration }, options)
        : resolveMoment(at ?? noMoment, { ...options, near });
      if (typeof moment === 'number') return moment;
      return moment === 'no_time'
        ? null
        : { refusal: reply(moment, {}, turn), lacks: lacking[moment] ?? null };
    },

    /** The spoken day. Null: none. */
    dayIn: ({ turn }: Ask, said: SaidWhen | null): Day | null =>
      said?.moment ? namedDay(said.moment, { clock, timeZone, now: turn.createdAt }) : null,

    /** The days of a spoken period, such as "this weekend". Null: none. */
    periodIn: ({ turn }: Ask, said: SaidWhen | null): Period | null =>
      said?.moment?.period?.(clock(turn.createdAt, timeZone)) ?? null,

    /** The day within a spoken period. Null: the period does not contain it. */
    dayWithin: ({ turn }: Ask, period: Period, date: SaidDate): Day | null =>
      dayWithin(period, date, clock(turn.createdAt, timeZone)),

    /** A timer requested in minutes is reported in minutes. */
    whenWords({ turn }: Ask, said: SaidWhen | null, due: number): string {
      const after = said?.after;
      return after && after.days === null ? say.after(after.ms) : say.when(due, turn.createdAt);
    },
  };
}
