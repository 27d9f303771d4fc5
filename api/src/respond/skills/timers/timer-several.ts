import type { SaidMoment } from '../../../language/calendar/moment-reader.ts';
import { withCapital } from '../../../language/capitals.ts';
import { joined } from '../../../language/phrase.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimerDue } from './timer-due.ts';
import type { TimerMaking } from './timer-making.ts';
import type { Wanted } from './timer-plan.ts';
import { type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerReply } from './timers-shape.ts';

const { does } = timerIntents;

interface TimerSeveralOptions {
  making: Pick<TimerMaking, 'make'>;
  due: Pick<TimerDue, 'at'>;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  words: { between: string; last: string };
}

/** Sets several alarms or timers as one action: all or none. */
export function createTimerSeveral({ making, due, reply, say, words }: TimerSeveralOptions) {
  const noneSet = (ask: Ask, text: string) => reply('none_of_them', { text }, ask.turn);

  const setAll = (
    ask: Ask,
    wanted: readonly Wanted[],
    { said, told }: { said: TimerSaid; told: (wanted: Wanted) => string },
  ): Promise<string> => {
    const key = wanted[0]?.kind === 'timer' ? 'several_timers' : 'several_alarms';
    const whens = wanted.map(told);
    const isOne = new Set(whens).size === 1;
    const values = {
      count: withCapital(say.number(wanted.length)),
      // "Two timers: five minutes."
      whens: joined(isOne ? whens.slice(0, 1) : whens, words),
    };
    return making.make(ask, said, { wanted, told: { key, values } });
  };

  /** The due times. Without a day, each follows the one before it. */
  const dueOf = (ask: Ask, moments: readonly SaidMoment[], purpose: 'wake' | 'alarm') => {
    const found: number[] = [];
    for (const moment of moments) {
      const isFree = moment.date === null && !moment.isToday;
      const after = isFree ? Math.max(ask.turn.createdAt, found.at(-1) ?? 0) : ask.turn.createdAt;
      const when = { moment, duration: null, after: null };
      const at = due.at({ ...ask, turn: { ...ask.turn, createdAt: after } }, when, { purpose });
      if (typeof at !== 'number') return at;
      found.push(at);
    }
    return found;
  };

  const alarms =
    (purpose: 'wake' | 'alarm') =>
    async (ask: Ask, said: TimerSaid): Promise<string | null> => {
      const found = said.times && dueOf(ask, said.times, purpose);
      if (!Array.isArray(found)) return found ? noneSet(ask, found.refusal) : null;
      const wanted = [...new Set(found)].map((dueAt): Wanted => {
        return { kind: 'alarm', label: null, dueAt, durationMs: null, by: 'clock' };
      });
      return setAll(ask, wanted, { said, told: ({ dueAt }) => say.when(dueAt, ask.turn.createdAt) });
    };

  const timers = async (ask: Ask, said: TimerSaid): Promise<string | null> => {
    const { lengths, count, duration } = said;
    const meant = lengths ?? (count && duration ? Array.from({ length: count }, () => duration) : null);
    if (meant === null) return null;
    const wanted = meant.map(({ ms }): Wanted => {
      return { kind: 'timer', label: null, dueAt: ask.turn.createdAt + ms, durationMs: ms, by: 'length' };
    });
    return setAll(ask, wanted, { said, told: ({ durationMs }) => say.duration(durationMs ?? 0) });
  };

  return {
    several_wake: does(alarms('wake')),
    several_alarms: does(alarms('alarm')),
    several_timers: does(timers),
  };
}
