import type { TimerStore } from '../../../timers/timer-store.ts';
import type { Ask } from '../../core/skill.ts';
import { placeOf } from './timer-actions.ts';
import type { TimerOpenQuestion } from './timer-open-question.ts';
import type { TimerReminding } from './timer-reminding.ts';
import type { TimerSetting } from './timer-setting.ts';
import { type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerStepsOptions } from './timer-steps.ts';

const { does, tells } = timerIntents;

/** How long a "snooze" without a time lasts. */
const snoozeMs = 5 * 60_000;

interface TimerSilencingOptions
  extends Pick<TimerStepsOptions, 'actions' | 'choice' | 'due' | 'reply' | 'say'> {
  setting: Pick<TimerSetting, 'wake'>;
  reminding: Pick<TimerReminding, 'remindOf' | 'askWhen'>;
  timers: Pick<TimerStore, 'ringing'>;
  open: Pick<TimerOpenQuestion, 'askAgain'>;
  /** "Give me one more minute", of a timer that still runs. Null: none was just set or told. */
  moreOfIt: (ask: Ask, slots: TimerSaid) => Promise<string | null>;
}

/** Silences the timers that ring in the speaker's room, permanently or for a while. */
export function createTimerSilencing(options: TimerSilencingOptions) {
  const { actions, choice, due, setting, reminding, timers, open, moreOfIt, reply, say } = options;

  const quiet = async (ask: Ask): Promise<string | null> =>
    (await actions.acknowledge(ask)) ? reply('quiet', {}, ask.turn) : null;

  /** "Remind me again in an hour", when nothing rings: means the reminder that was just set or told. */
  const remindAgain = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const mentioned = await choice.mentioned(await choice.active(), ask);
    const [only, ...others] = mentioned.filter(({ kind, label }) => kind === 'reminder' && label !== null);
    const text = others.length === 0 ? only?.label : null;
    if (!text) return reply('remind_of_what', {}, ask.turn);
    return reminding.remindOf(ask, slots, { when: slots.when, what: { manner: 'of', text } });
  };

  const snooze = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const [timer] = await timers.ringing(placeOf(ask));
    if (!timer && slots.again) return remindAgain(ask, slots);
    if (!timer) return slots.wake && setting.wake(ask, slots);
    const now = ask.turn.createdAt;
    const dueAt = due.at(ask, slots.when, { purpose: 'alarm' }) ?? now + (slots.putOff?.ms ?? snoozeMs);
    if (typeof dueAt !== 'number') return dueAt.refusal;
    const changed = await actions.change(ask, timer, { dueAt });
    if ('refusal' in changed) return changed.refusal;
    return reply('snoozed', { left: say.left(changed, now) }, ask.turn);
  };

  /** "Snooze the alarm" may answer an open question for a time. Otherwise it means the ringing alarm. */
  const snoozeNamed = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const done = (await snooze(ask, slots)) ?? (await open.askAgain(ask));
    return done ?? reply('not_ringing', {}, ask.turn);
  };

  return {
    intents: {
      // This only silences the ringing, so it needs neither certain words nor a confirmed turn.
      quiet: tells(quiet),
      // "Mute the alarm" does not cancel a future alarm.
      silence: tells(async (ask) => (await quiet(ask)) ?? reply('not_ringing', {}, ask.turn)),
      snooze_named: does(snoozeNamed),
      snooze: does(
        async (ask, slots) =>
          (await snooze(ask, slots)) ?? (await moreOfIt(ask, slots)) ?? open.askAgain(ask),
      ),
      // Of an alarm that rings, this is a snooze.
      pause_for: does(
        async (ask, slots) => (await snooze(ask, slots)) ?? reply('no_pause_for', {}, ask.turn),
      ),
      // A ringing timer rings again later. Without one, this sets a reminder.
      remind_later: does(async (ask, slots) => (await snooze(ask, slots)) ?? reminding.askWhen(ask, slots)),
    },
    quiet,
  };
}
