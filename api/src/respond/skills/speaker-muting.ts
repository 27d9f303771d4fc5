import { createClock } from '../../language/calendar/time-zones.ts';
import type { Duration } from '../../language/durations/duration-reader.ts';
import { maxMuteMs } from '../../speakers/speaker.ts';
import type { Ask } from '../core/skill.ts';
import type { SayReply } from '../core/skill-language.ts';
import type { Slot } from '../core/slot.ts';
import type { SpeakerReply } from './speaker-shape.ts';
import { createTimerDue } from './timers/timer-due.ts';
import type { TimerTalk } from './timers/timer-skill.ts';
import type { SaidWhen } from './timers/timer-slots.ts';

/** The spoken end of a mute. Without either field, it lasts until someone ends it. */
export interface MuteSaid {
  lasting: Duration | null;
  until: SaidWhen | null;
}

interface MuteLengthOptions {
  reply: SayReply<SpeakerReply>;
  talk: TimerTalk;
  timeZone: string;
}

/** "until seven", "until tomorrow morning" */
export function untilSlot({ read }: Pick<TimerTalk, 'read'>): Slot<SaidWhen> {
  return {
    read: (said) => {
      const moment = read.moments.readBare(said, 0)?.value ?? null;
      return { moment, duration: null, after: moment?.after ?? null };
    },
  };
}

/** The length of a mute and its confirmation, or a sentence that gives the reason for a refusal. */
export function createMuteLength({ reply, talk, timeZone }: MuteLengthOptions) {
  const due = createTimerDue({ reply: talk.reply, say: talk.say, clock: createClock(), timeZone });

  const untilTime = (ask: Ask, said: SaidWhen): { ms: number; text: string } | string => {
    const endsAt = due.at(ask, said, { purpose: 'alarm' });
    if (endsAt === null) return talk.reply('not_understood', {}, ask.turn);
    if (typeof endsAt !== 'number') return endsAt.refusal;
    const until = talk.say.when(endsAt, ask.turn.createdAt);
    return { ms: endsAt - ask.turn.createdAt, text: reply('muted_until', { until }, ask.turn) };
  };

  const lengthSaid = (
    ask: Ask,
    { lasting, until }: MuteSaid,
  ): { ms: number | null; text: string } | string => {
    if (until) return untilTime(ask, until);
    if (!lasting) return { ms: null, text: reply('muted', {}, ask.turn) };
    const duration = talk.say.duration(lasting.ms);
    return { ms: lasting.ms, text: reply('muted_for', { duration }, ask.turn) };
  };

  return (ask: Ask, said: MuteSaid) => {
    const length = lengthSaid(ask, said);
    const isTooLong = typeof length !== 'string' && (length.ms ?? 0) > maxMuteMs;
    return isTooLong ? reply('mute_too_long', {}, ask.turn) : length;
  };
}
