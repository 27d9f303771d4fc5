import { withCapital } from '../../../language/capitals.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { Timer, TimerKind } from '../../../timers/timer.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimerChoice } from './timer-choice.ts';
import type { TimerDue } from './timer-due.ts';
import { type SaidTimer, timerMoment } from './timer-names.ts';
import { type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

const { tells } = timerIntents;

const nothing = { label: null, duration: null, time: null } as const;

/** The answer of the house to the same question. Null: it has none. */
export type AnswerFromHouse = (ask: Ask) => Promise<string | null>;

interface TimerQuestionsOptions {
  choice: TimerChoice;
  due: Pick<TimerDue, 'at'>;
  read: TimerWords;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  atHome: AnswerFromHouse | null;
}

export type TimerQuestions = ReturnType<typeof createTimerQuestions>;

/** Answers questions about timers, and changes nothing. */
export function createTimerQuestions(options: TimerQuestionsOptions) {
  const { choice, due, read, reply, say } = options;
  const { report, leftOf, whenOf, untilRing } = createTimerReports(options);
  const { list, listAll, listIn, plans } = createTimerLists(options);

  const left = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const all = await choice.active();
    const said = choice.saidAmong(all, slots, ask);
    const found = said ? choice.meant(all, said, ask) : all.filter(({ kind }) => kind === 'timer');
    const [first] = found;
    if (found.length > 1 && first) return report(found, first.kind, ask);
    if (first) return first.kind === 'timer' ? leftOf(first, ask) : untilRing(first, ask);
    // "How long on the moon" is not about timers.
    return said && slots.which && !isOfOthers(said) ? choice.none(said, ask, all) : null;
  };

  /** "How long is left on it": the timer just set or read out, or the only one. */
  const leftOfIt = async (ask: Ask): Promise<string | null> => {
    const all = await choice.active();
    const mentioned = await choice.mentioned(all, ask);
    const found = mentioned.length > 0 ? mentioned : all.filter(({ kind }) => kind === 'timer');
    const [only] = found;
    if (!only) return null;
    if (found.length > 1) return report(found, only.kind, ask);
    return only.kind === 'timer' ? leftOf(only, ask) : untilRing(only, ask);
  };

  /** "When does it end": only of what was just set or told, as other things end too. */
  const endOfIt = async (ask: Ask): Promise<string | null> =>
    (await choice.mentioned(await choice.active(), ask)).length > 0 ? leftOfIt(ask) : null;

  /** "How long until 5 pm". */
  const until = (ask: Ask, { when: said, at }: TimerSaid): string | null => {
    const dueAt = due.at(ask, said, { purpose: 'alarm' });
    if (typeof dueAt !== 'number' || !at) return null;
    const { createdAt } = ask.turn;
    const values = { left: say.left({ dueAt }, createdAt), when: say.when(dueAt, createdAt) };
    return reply('until', values, ask.turn);
  };

  const when = async (ask: Ask, said: SaidTimer | null): Promise<string | null> => {
    if (!said) return null;
    const all = await choice.active();
    const found = choice.meant(all, said, ask);
    const [first] = found;
    if (!first) return isOfOthers(said) ? null : choice.none(said, ask, all);
    return found.length > 1 ? report(found, first.kind, ask) : whenOf(first, ask);
  };

  /** For one kind: "when will you wake me". */
  const whenKind = (kind: TimerKind) =>
    tells((ask: Ask, slots: TimerSaid) => when(ask, choice.saidOf(slots, kind)));

  const did = async (ask: Ask, slots: TimerSaid, named: SaidTimer | null): Promise<string | null> => {
    const words = slots.text ?? slots.at ?? [];
    const said = named && narrowed(named, words, { text: ask.turn.text, read });
    if (!named || !said) return null;
    const all = await choice.active();
    const found = choice.meant(all, said, ask);
    const standing = (timers: readonly Timer[]) => ({ timers: say.allStanding(timers, ask.turn.createdAt) });
    if (found.length > 0) return reply('did', standing(found), ask.turn);
    if (isOfOthers(said)) return null;
    const others = all.filter(({ kind }) => kind === named.kind);
    if (others.length > 0) return reply('did_other', standing(others), ask.turn);
    return reply('did_not', choice.missing(named, ask), ask.turn);
  };

  /** Whether a reminder contains something. Only its words count: "is milk on my reminders". */
  const didRemind = async (ask: Ask, { text }: TimerSaid): Promise<string | null> => {
    const label = text && read.names.labelIn(ask.turn.text, text);
    if (!label) return null;
    const all = (await choice.active()).filter(({ kind }) => kind === 'reminder');
    const found = read.names.withLabel(all, label);
    const standing = (timers: readonly Timer[]) => ({ timers: say.allStanding(timers, ask.turn.createdAt) });
    if (found.length > 0) return reply('did', standing(found), ask.turn);
    if (all.length > 0) return reply('did_other', standing(all), ask.turn);
    return reply('did_not', { noun: choice.noun('reminder'), nouns: choice.noun('reminder', 2) }, ask.turn);
  };

  return {
    left: tells(left),
    left_it: tells(leftOfIt),
    end_it: tells(endOfIt),
    ...createTimeQuestions(options),
    plans: tells(plans),
    until: tells(until),
    list: tells(list('timer')),
    list_paused: tells(listIn('paused')),
    list_ringing: tells(listIn('ringing')),
    list_all: tells(listAll),
    list_reminders: tells(list('reminder')),
    when: tells(async (ask, slots) => when(ask, choice.saidAmong(await choice.active(), slots, ask))),
    when_wake: whenKind('alarm'),
    when_remind: whenKind('reminder'),
    did: tells(async (ask, slots) => did(ask, slots, choice.saidAmong(await choice.active(), slots, ask))),
    did_remind: tells(didRemind),
    did_wake: tells((ask, slots) => did(ask, slots, choice.saidOf(slots, 'alarm'))),
  };
}

/** Answers questions about the time that has passed or is left, in words that name no timer. */
function createTimeQuestions(options: TimerQuestionsOptions) {
  const { choice } = options;
  const { report, passedOf, untilRing } = createTimerReports(options);

  /** "How long has the timer been running". Null: it has no length. */
  const passed = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const all = await choice.active();
    const said = choice.saidAmong(all, slots, ask);
    const found = said ? choice.meant(all, said, ask) : await choice.mentioned(all, ask);
    const [only] = found;
    if (!only) return said && choice.none(said, ask, all);
    return found.length > 1 || only.kind !== 'timer' ? report(found, only.kind, ask) : passedOf(only, ask);
  };

  /** "How long can I still sleep": until the next alarm. Null: none is set. */
  const sleepLeft = async (ask: Ask): Promise<string | null> => {
    const [next] = choice.meant(await choice.active(), { ...nothing, kind: 'alarm', isSoonest: true }, ask);
    return next ? untilRing(next, ask) : null;
  };

  /** "When do I have to call Bob": a reminder of that. Null: there is none. */
  const whenToDo = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const found = choice.meant(await choice.active(), choice.saidOf(slots, 'reminder'), ask);
    return found.length > 0 ? report(found, 'reminder', ask) : null;
  };

  return { passed: tells(passed), sleep_left: tells(sleepLeft), when_to_do: tells(whenToDo) };
}

/** Lists the existing timers. */
function createTimerLists(options: TimerQuestionsOptions) {
  const { choice, reply, say, atHome } = options;
  const { report } = createTimerReports(options);

  /** Timers, alarms, reminders and commands together. */
  const listAll = async ({ turn }: Ask): Promise<string> => {
    const all = await choice.active();
    if (all.length === 0) return reply('nothing_coming', {}, turn);
    return reply('coming', { timers: say.allStanding(all, turn.createdAt) }, turn);
  };

  /** "What is running" may also mean alarms. */
  const noneOf = (
    ask: Ask,
    { all, said, kind }: { all: readonly Timer[]; said: SaidTimer | null; kind: TimerKind },
  ): string | Promise<string> => {
    if (said === null && kind === 'timer') return listAll(ask);
    return choice.none({ label: null, ...said, kind }, ask, all);
  };

  const fromHouse = async (ask: Ask): Promise<string | null> => (await atHome?.(ask)) ?? null;

  const list =
    (usual: TimerKind) =>
    async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
      const all = await choice.active();
      const named = choice.saidAmong(all, slots, ask);
      const said = ofKind(named, slots, usual);
      // "What is running" does not say that it is about timers.
      const elsewhere = said ? null : await fromHouse(ask);
      const kind = said?.kind ?? usual;
      const found = choice.meant(all, { ...nothing, ...said, kind }, ask);
      if (found.length > 0) return [report(found, kind, ask), elsewhere ?? ''].join(' ').trim();
      if (said && isOfOthers(said)) return null;
      return elsewhere ?? noneOf(ask, { all, said, kind });
    };

  /** "Which timers are paused" */
  const listIn =
    (state: Timer['state']) =>
    async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
      const all = await choice.active();
      const named = choice.saidAmong(all, slots, ask);
      if (!named || isOfOthers(named)) return null;
      const said = { ...named, state };
      const found = choice.meant(all, said, ask);
      return found.length > 0 ? report(found, said.kind, ask) : choice.none(said, ask, all);
    };

  /** "Do I have anything to do tomorrow": reminders, and what the house knows. Null: no reminder. */
  const plans = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const found = choice.meant(await choice.active(), choice.saidOf(slots, 'reminder'), ask);
    if (found.length === 0) return null;
    const elsewhere = (await atHome?.(ask)) ?? '';
    return [report(found, 'reminder', ask), elsewhere].join(' ').trim();
  };

  return { list, listAll, listIn, plans };
}

/** Reports how long timers will run, and when they ring. */
function createTimerReports({ choice, reply, say }: Pick<TimerQuestionsOptions, 'choice' | 'reply' | 'say'>) {
  const report = (found: readonly Timer[], kind: TimerKind, { turn }: Ask): string => {
    const timers = say.allListed(found, turn.createdAt);
    const nouns = choice.noun(kind, found.length);
    if (found.length === 1) return withCapital(reply('one', { noun: nouns, timers }, turn));
    return reply('several', { count: say.number(found.length), nouns, timers }, turn);
  };

  const leftOf = (timer: Timer, { turn }: Ask): string => {
    if (timer.state === 'ringing') return reply('rings_now', { timer: withCapital(say.called(timer)) }, turn);
    if (timer.state === 'paused') {
      const values = { timer: withCapital(say.called(timer)), left: say.left(timer, turn.createdAt) };
      return reply('paused', values, turn);
    }
    const left = withCapital(say.left(timer, turn.createdAt));
    return reply('left', { left, timer: say.called(timer) }, turn);
  };

  /** How long it has been running, and how long is left. */
  const passedOf = (timer: Timer, ask: Ask): string => {
    const { durationMs, state, dueAt } = timer;
    const passedMs = (durationMs ?? 0) - (dueAt - ask.turn.createdAt);
    if (durationMs === null || state !== 'running' || passedMs < 1_000) return leftOf(timer, ask);
    return reply('running_for', { passed: say.passed(passedMs), left: leftOf(timer, ask) }, ask.turn);
  };

  const whenOf = (timer: Timer, ask: Ask): string => {
    const { createdAt } = ask.turn;
    if (timer.kind === 'timer' || timer.state === 'ringing') return leftOf(timer, ask);
    const key = timer.kind === 'alarm' ? 'when_alarm' : 'when_reminder';
    return reply(key, { when: say.dueNext(timer, createdAt) }, ask.turn);
  };

  /** When it rings, and in how long. */
  const untilRing = (timer: Timer, ask: Ask): string => {
    const when = whenOf(timer, ask);
    if (timer.state !== 'running') return when;
    return reply('in_length', { told: when, left: say.left(timer, ask.turn.createdAt) }, ask.turn);
  };

  return { report, leftOf, passedOf, whenOf, untilRing };
}

/** "What will you remind Anna of" names no timer, so the sentence gives its kind. */
function ofKind(named: SaidTimer | null, { which }: TimerSaid, kind: TimerKind): SaidTimer | null {
  return named && !which ? { ...named, kind } : named;
}

/** Burglar alarms and fire alarms are not ours. */
function isOfOthers({ kind, label }: SaidTimer): boolean {
  return kind === 'alarm' && label !== null;
}

/** Narrows by the suffix: "for ten minutes", "for tomorrow", "for the eggs". Null: the suffix is unclear. */
function narrowed(
  said: SaidTimer,
  words: readonly Word[],
  { text, read }: { text: string; read: TimerWords },
): SaidTimer | null {
  if (words.length === 0) return said;
  const duration = read.durations.read(words, 0);
  if (duration?.end === words.length) return { ...said, duration: duration.value };
  const moment = read.moments.readBare(words, 0);
  if (moment?.end === words.length) {
    const due = timerMoment(moment.value);
    return (
      due && { ...said, ...due, time: due.time ?? said.time, date: due.date ?? said.date, period: due.period }
    );
  }
  const label = read.names.labelIn(text, words);
  return label === null ? null : { ...said, label };
}
