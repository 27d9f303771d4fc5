import { numberOf } from '../../../language/calendar/day.ts';
import type { createClock } from '../../../language/calendar/time-zones.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import { createReminderRefusal, type createReminderText } from './reminder-text.ts';
import type { SunTimes } from './sun-reader.ts';
import type { ReminderSubject } from './timer-asks.ts';
import type { TimerDue } from './timer-due.ts';
import type { TimerMaking } from './timer-making.ts';
import type { TimerReminding } from './timer-reminding.ts';
import { type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerReply } from './timers-shape.ts';

const { does } = timerIntents;

const dayMs = 24 * 3_600_000;
/** The sun shifts by up to four minutes a day, so only its next times are used. */
const maxDaysOff = 1;

interface SunDueOptions {
  due: Pick<TimerDue, 'dayIn'>;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
  /** From the connected Home Assistant. Null: unknown now. */
  sunTimes: ((signal: AbortSignal) => Promise<SunTimes | null>) | null;
}

/** When a time of the sun is due, or why that is unknown. */
export function createSunDue({ due, clock, timeZone, sunTimes }: SunDueOptions) {
  return async (ask: Ask, { sun, when }: Pick<TimerSaid, 'sun' | 'when'>): Promise<number | TimerReply> => {
    if (sunTimes === null) return 'no_sun';
    const next = sun && (await sunTimes(ask.signal))?.[sun.event];
    if (!sun || next === undefined || next === null) return 'no_sun_time';
    const now = ask.turn.createdAt;
    const day = due.dayIn(ask, when);
    const daysOff = day === null ? 0 : numberOf(day) - numberOf(clock(next, timeZone));
    if (Math.abs(daysOff) > maxDaysOff) return 'no_sun_time';
    const at = next + daysOff * dayMs + sun.offsetMs;
    if (at > now) return at;
    return day === null ? at + dayMs : 'past';
  };
}

interface TimerSunOptions {
  making: Pick<TimerMaking, 'make'>;
  reminding: Pick<TimerReminding, 'phraseOf'>;
  sunDue: ReturnType<typeof createSunDue>;
  textIn: ReturnType<typeof createReminderText>;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
}

/** Sets alarms and reminders relative to sunrise and sunset: "wake me half an hour before sunrise". */
export function createTimerSun(options: TimerSunOptions) {
  const { making, reminding, sunDue, textIn, reply, say } = options;

  const set = async (
    ask: Ask,
    said: TimerSaid,
    { kind, label, phrase }: { kind: 'alarm' | 'reminder'; label: string | null; phrase: TimePhrase },
  ): Promise<string> => {
    const at = await sunDue(ask, said);
    if (typeof at !== 'number') return reply(at, {}, ask.turn);
    const wanted = { kind, label, dueAt: at, durationMs: null, by: 'clock' } as const;
    const values = {
      ...phrase.values,
      name: say.newName(wanted),
      when: say.when(at, ask.turn.createdAt),
    };
    return making.make(ask, said, { wanted: [wanted], phrase: { key: phrase.key, values } });
  };

  const refusalOf = createReminderRefusal(reply);
  const remind = async (ask: Ask, spoken: TimerSaid): Promise<string | null> => {
    const found = await textIn(spoken, ask);
    const refusal = refusalOf(ask, found);
    if (refusal !== undefined) return refusal;
    // "At sunset to call Bob at five" has two times.
    if (found.left.length > 0) return reply('which_time', {}, ask.turn);
    const what: ReminderSubject = found.what;
    return set(ask, found.said, {
      kind: 'reminder',
      label: what?.text ?? null,
      phrase: reminding.phraseOf(what),
    });
  };

  return {
    wake_sun: does((ask, said) => set(ask, said, { kind: 'alarm', label: null, phrase: { key: 'wake' } })),
    alarm_sun: does((ask, said) =>
      set(ask, said, { kind: 'alarm', label: said.name, phrase: { key: 'alarm' } }),
    ),
    remind_sun: does(remind),
  };
}

type TimePhrase = Partial<Pick<ReturnType<TimerReminding['phraseOf']>, 'values'>> & {
  key: TimerReply;
};
