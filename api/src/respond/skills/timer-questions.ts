import type { Timer, TimerKind } from '../../timers/timer.ts';
import type { Ask } from './skill.ts';
import type { SayReply } from './skill-language.ts';
import type { TimerChoice } from './timer-choice.ts';
import type { SaidTimer } from './timer-names.ts';
import { atStart, type TimerTeller } from './timer-telling.ts';
import type { TimerReply } from './timers-shape.ts';

interface TimerQuestionsOptions {
  choice: TimerChoice;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
}

/** What people ask about timers. Nothing is done, whatever is asked. */
export function createTimerQuestions({ choice, reply, say }: TimerQuestionsOptions) {
  const told = (found: readonly Timer[], kind: TimerKind, { turn }: Ask): string => {
    const timers = say.allStanding(found, turn.createdAt);
    const nouns = choice.noun(kind, found.length);
    if (found.length === 1) return reply('one', { noun: nouns, timers }, turn);
    return reply('several', { count: say.number(found.length), nouns, timers }, turn);
  };

  const leftOf = (timer: Timer, { turn }: Ask): string => {
    if (timer.state === 'ringing') return reply('rings_now', { timer: atStart(say.called(timer)) }, turn);
    const left = atStart(say.left(timer, turn.createdAt));
    return reply('left', { left, timer: say.called(timer) }, turn);
  };

  const left = async (ask: Ask): Promise<string | null> => {
    const said = choice.saidIn(ask);
    const all = await choice.active();
    const found = said ? choice.matching(all, said) : all.filter(({ kind }) => kind === 'timer');
    const [first] = found;
    if (found.length > 1 && first) return told(found, first.kind, ask);
    if (first) return first.kind === 'timer' ? leftOf(first, ask) : whenOf(first, ask);
    // "How long on the moon" is not said of timers.
    return said && ask.words('which').length > 0 ? choice.none(said, ask) : null;
  };

  const whenOf = (timer: Timer, ask: Ask): string => {
    const { createdAt } = ask.turn;
    if (timer.kind === 'timer' || timer.state === 'ringing') return leftOf(timer, ask);
    const key = timer.kind === 'alarm' ? 'when_alarm' : 'when_reminder';
    return reply(key, { when: say.when(timer.dueAt, createdAt) }, ask.turn);
  };

  const when = async (ask: Ask, said: SaidTimer | null): Promise<string | null> => {
    if (!said) return null;
    const found = choice.matching(await choice.active(), said);
    const [first] = found;
    if (!first) return choice.none(said, ask);
    return found.length > 1 ? told(found, first.kind, ask) : whenOf(first, ask);
  };

  /** Of a kind: "when will you wake me". */
  const whenKind = (kind: TimerKind) => (ask: Ask) =>
    when(ask, { label: null, duration: null, time: null, ...choice.saidIn(ask), kind });

  const list = async (ask: Ask, usual: TimerKind): Promise<string | null> => {
    const said = choice.saidIn(ask);
    const all = await choice.active();
    const kind = said?.kind ?? usual;
    const found = said ? choice.matching(all, said) : all.filter((timer) => timer.kind === kind);
    return found.length === 0 ? choice.none({ label: null, ...said, kind }, ask) : told(found, kind, ask);
  };

  const did = async (ask: Ask, said: SaidTimer | null): Promise<string | null> => {
    if (!said) return null;
    const found = choice.matching(await choice.active(), said);
    // There are burglar alarms and fire alarms, which are not ours.
    if (found.length === 0 && said.kind === 'alarm' && said.label !== null) return null;
    if (found.length === 0) return reply('did_not', { noun: choice.described(said) }, ask.turn);
    return reply('did', { timers: say.allStanding(found, ask.turn.createdAt) }, ask.turn);
  };

  return {
    left,
    list: (ask: Ask) => list(ask, 'timer'),
    list_reminders: (ask: Ask) => list(ask, 'reminder'),
    when: (ask: Ask) => when(ask, choice.saidIn(ask)),
    when_wake: whenKind('alarm'),
    when_remind: whenKind('reminder'),
    did: (ask: Ask) => did(ask, choice.saidIn(ask)),
    did_wake: (ask: Ask) => did(ask, { kind: 'alarm', label: null, duration: null, time: null }),
  };
}
