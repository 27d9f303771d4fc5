import type { Timer } from '../../../timers/timer.ts';
import type { TimerStore } from '../../../timers/timer-store.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import { placeOf, type TimerActions } from './timer-actions.ts';
import type { TimerChoice } from './timer-choice.ts';
import type { SaidTimer } from './timer-names.ts';
import type { TimerSkipping } from './timer-skipping.ts';
import { type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerSteps } from './timer-steps.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

const { asksBack, does } = timerIntents;

const anyTimer: SaidTimer = { kind: 'timer', label: null, duration: null, time: null };

/** The kinds that people set; a command for later is cancelled elsewhere. */
const ownKinds = ['timer', 'alarm', 'reminder'] as const;

/** Maximum words after "cancel the timer for", and after "cancel the reminder to": it may be of anything. */
const maxNameWords = 3;
const maxSubjectWords = 12;

interface TimerCancellingOptions {
  actions: TimerActions;
  choice: TimerChoice;
  steps: Pick<TimerSteps, 'cancelOne' | 'takeSeveral'>;
  timers: TimerStore;
  read: TimerWords;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  pendingQuestions: Pick<HouseholdQuestions, 'note'>;
  skipping: TimerSkipping;
}

/** Cancels existing timers. */
export function createTimerCancelling(options: TimerCancellingOptions) {
  const { actions, choice, timers, read, reply, skipping } = options;
  const { cancelOne, takeSeveral } = options.steps;
  const cancelSeveral = (ask: Ask, found: readonly Timer[]) => takeSeveral(ask, found, 'cancel');
  const noneOf = createMissing(options);

  /** Whether "cancel" means a ringing timer, which it silences. People call anything that rings an alarm. */
  const silences = async (ask: Ask, said: SaidTimer): Promise<boolean> => {
    const ringing = await timers.ringing(placeOf(ask));
    if (ringing.length === 0) return false;
    const isMeant = isAny(said);
    const running = choice.meant(await choice.active(), said, ask).some(({ state }) => state === 'running');
    const fits = choice.meant(ringing, said, ask).length > 0;
    return fits || (isMeant && !running);
  };

  const cancel = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const said = choice.saidAmong(await choice.active(), slots, ask);
    // "Can you cancel timers?" is a question about abilities.
    if (!said || (slots.any && said.several === 'any' && isAny(said))) return null;
    if ((await silences(ask, said)) && (await actions.acknowledge(ask))) return reply('quiet', {}, ask.turn);
    return cancelSaid(ask, slots, said);
  };

  const cancelSaid = async (ask: Ask, slots: TimerSaid, said: SaidTimer): Promise<string | null> => {
    const all = await choice.active();
    const found = doneOf(slots.dish, choice.meant(all, said, ask));
    if (found === null) return null;
    if (slots.other) return cancelListed(ask, listedIn(slots, said));
    if (isPartly(said, found)) return cancelPartly(ask, found, said);
    if (found.length > 0) return said.several ? cancelSeveral(ask, found) : cancelOne(ask, found);
    return noneOf(ask, slots, said, all);
  };

  /** "Cancel tomorrow's alarm": of a repeating one, only that occurrence. */
  const cancelOn = async (ask: Ask, found: readonly Timer[], said: SaidTimer): Promise<string | null> => {
    const [only] = found;
    const isOneTime = said.date && only?.repeats && found.length === 1;
    return isOneTime ? skipping.skip(ask, only, said) : cancelOne(ask, found);
  };

  /** A repetition can skip a single occurrence, but not those of a whole week. */
  const cancelPartly = async (ask: Ask, found: readonly Timer[], said: SaidTimer): Promise<string | null> =>
    said.date ? cancelOn(ask, found, said) : reply('one_day', {}, ask.turn);

  /** "All timers and alarms": the existing ones. "The pasta timer and the egg timer": both, or neither. */
  const cancelListed = async (ask: Ask, listed: readonly SaidTimer[]): Promise<string | null> => {
    const all = await choice.active();
    const found = listed.map((said) => ({ said, timers: choice.meant(all, said, ask) }));
    if (found.some(({ said, timers }) => !said.several && timers.length !== 1)) return null;
    const timers = [...new Set(found.flatMap((each) => each.timers))];
    if (!listed.some(({ several }) => several)) return actions.cancel(ask, timers);
    return timers.length > 0 ? cancelSeveral(ask, timers) : choice.none(listed[0] ?? anyTimer, ask, all);
  };

  /**
   * "The eggs are done, cancel the timer": the eggs' timer, or an unnamed one. Null: all have other names.
   */
  const doneOf = (dish: string | null, found: readonly Timer[]): readonly Timer[] | null => {
    if (dish === null) return found;
    const named = read.names.withLabel(found, dish);
    const meant = named.length > 0 ? named : found.filter(({ label }) => label === null);
    return meant.length > 0 ? meant : null;
  };

  const cancelKind = (kind: Timer['kind']) => async (ask: Ask, slots: TimerSaid) => {
    const said = choice.saidOf(slots, kind);
    const all = await choice.active();
    const found = choice.meant(all, said, ask);
    return found.length > 0 ? cancelOn(ask, found, said) : choice.none(said, ask, all);
  };

  /** "Skip tomorrow's alarm": skips an occurrence of a repeating one, and cancels any other. */
  const skip = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const all = await choice.active();
    const said = choice.saidAmong(all, slots, ask);
    if (!said || said.kind === 'timer') return null;
    const found = choice.meant(all, { ...said, isSoonest: said.isSoonest || !said.date }, ask);
    const [only] = found;
    if (!only) return choice.none(said, ask, all);
    return found.length === 1 && only.repeats ? skipping.skip(ask, only, said) : cancelOne(ask, found);
  };

  const cancelAll = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const all = await choice.active();
    const said = choice.saidAmong(all, slots, ask) ?? anyTimer;
    const found = choice.meant(all, said, ask);
    if (isPartly(said, found)) return cancelPartly(ask, found, said);
    return found.length > 0 ? cancelSeveral(ask, found) : noneOf(ask, slots, said, all);
  };

  return {
    cancel: does(cancel),
    ...createCancellingMentioned(options),
    skip: does(skip),
    ...createDaySkipping(options, cancelOne),
    cancel_all: does(cancelAll),
    cancel_everything: asksBack(createCancelEverything(options)),
    no_wake: does(cancelKind('alarm')),
    no_remind: does(cancelKind('reminder')),
  };
}

/** Skips one day of a timer that repeats, without its name. */
function createDaySkipping(
  { choice, skipping }: Pick<TimerCancellingOptions, 'choice' | 'skipping'>,
  cancelOne: TimerSteps['cancelOne'],
) {
  /** Those that were just set or told, or else all, of which some repeat on the named day. */
  const repeatingOn = async (ask: Ask, said: SaidTimer) => {
    const all = await choice.active();
    const fits = (timer: Timer) =>
      timer.repeats !== undefined && choice.meant([timer], { ...said, kind: timer.kind }, ask).length > 0;
    return { mentioned: (await choice.mentioned(all, ask)).filter(fits), all: all.filter(fits) };
  };

  /** "Skip Monday": of what was just set or told, or of the only one that repeats and rings then. */
  const skipDay = async (ask: Ask, { span, spanWords }: TimerSaid): Promise<string | null> => {
    if (!span?.date) return null;
    const said = { ...anyTimer, date: span.date };
    const { mentioned, all } = await repeatingOn(ask, said);
    const [only, ...others] = mentioned.length > 0 ? mentioned : all;
    if (only) return others.length === 0 ? skipping.skip(ask, only, said) : null;
    const active = await choice.active();
    const once = choice.meant(active, { ...said, kind: 'alarm' }, ask);
    if (once.length > 0) return cancelOne(ask, once);
    return choice.none({ kind: 'alarm', label: null, behind: spanWords ?? [] }, ask, active);
  };

  /** "Not on Monday": only of what was just set or told. The words may be about something else. */
  const notOnDay = async (ask: Ask, { span }: TimerSaid): Promise<string | null> => {
    if (!span?.date) return null;
    const said = { ...anyTimer, date: span.date };
    const [only, ...others] = (await repeatingOn(ask, said)).mentioned;
    return only && others.length === 0 ? skipping.skip(ask, only, said) : null;
  };

  return { skip_day: does(skipDay), not_on_day: does(notOnDay) };
}

/** Cancels timers that only the conversation tells: "it", "the pasta one", "both". */
function createCancellingMentioned({
  choice,
  steps: { cancelOne, takeSeveral },
}: Pick<TimerCancellingOptions, 'choice' | 'steps'>) {
  /** "Delete it": the timer just set or read out. */
  const cancelIt = async (ask: Ask): Promise<string | null> => {
    const found = await choice.mentioned(await choice.active(), ask);
    return found.length > 0 ? cancelOne(ask, found) : null;
  };

  /** "Cancel the pasta ONE", of any kind. Null: "one" may be something else. */
  const cancelNamed = async (ask: Ask, { name, time, duration }: TimerSaid): Promise<string | null> => {
    const all = await choice.active();
    const found = ownKinds.flatMap((kind) => choice.meant(all, { kind, label: name, time, duration }, ask));
    return found.length > 0 ? cancelOne(ask, found) : null;
  };

  /** "Cancel both", right after one of two was set or told. */
  const cancelBoth = async (ask: Ask): Promise<string | null> => {
    const all = await choice.active();
    const [last] = await choice.mentioned(all, ask);
    const found = all.filter(({ kind }) => kind === last?.kind);
    return found.length === 2 ? takeSeveral(ask, found, 'cancel') : null;
  };

  return { cancel_it: does(cancelIt), cancel_named: does(cancelNamed), cancel_both: does(cancelBoth) };
}

/** Says that a named timer is missing. Null: the words may not be a name. */
function createMissing({ choice, read }: Pick<TimerCancellingOptions, 'choice' | 'read'>) {
  /** Too many words, or these words, may be more than a name. */
  const isNoName = ({ nameWords }: TimerSaid): boolean => {
    const words = nameWords ?? [];
    return words.length > maxNameWords || !read.names.isName(words);
  };

  return (ask: Ask, slots: TimerSaid, said: SaidTimer, all: readonly Timer[]): string | null => {
    // "For Saturday and Sunday": several times are not a name.
    if (read.readSpan(slots.nameWords ?? [], 0)) return null;
    if (!isNoName(slots)) return choice.none(said, ask, all);
    const { nameWords } = slots;
    if (said.kind === 'timer' || !nameWords || nameWords.length > maxSubjectWords) return null;
    return choice.none({ kind: said.kind, label: null, behind: choice.withLead(nameWords, ask) }, ask, all);
  };
}

/** "Cancel everything", timers, alarms and reminders: always asks first. */
function createCancelEverything({
  pendingQuestions,
  choice,
  reply,
  say,
}: Pick<TimerCancellingOptions, 'pendingQuestions' | 'choice' | 'reply' | 'say'>) {
  return async ({ turn }: Ask): Promise<string> => {
    const all = await choice.active();
    if (all.length === 0) return reply('nothing_coming', {}, turn);
    await pendingQuestions.note(turn, { kind: 'timer.all', how: 'cancel', ids: all.map(({ id }) => id) });
    return reply('cancel_everything', { timers: say.allStanding(all, turn.createdAt) }, turn);
  };
}

/** "Timers, alarms and reminders". */
function listedIn({ other, third }: TimerSaid, said: SaidTimer): SaidTimer[] {
  return [said, other, third].filter((each) => each !== null);
}

/** "All alarms TOMORROW" does not include every occurrence of a repeating one. */
function isPartly({ date, period }: SaidTimer, found: readonly Timer[]): boolean {
  return (date ?? period) !== undefined && found.some(({ repeats }) => repeats);
}

/** The person named nothing that distinguishes it from others. */
function isAny({ label, duration, time, date, part, period }: SaidTimer): boolean {
  return label === null && duration === null && time === null && !date && !part && !period;
}
