import { turnOfAction } from '../../actions/action-store.ts';
import { createClock } from '../../language/calendar/time-zones.ts';
import type { Grammar } from '../../language/grammar/grammar.ts';
import type { LanguageFiles } from '../../language/language.ts';
import { fill } from '../../language/phrase.ts';
import type { Timer } from '../../timers/timer.ts';
import { dryRun, withDryRun } from '../core/dry-run.ts';
import type { HouseholdActions } from '../core/household-actions.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { ended } from '../core/part.ts';
import { type DryRunResponder, plainAnswer, type Question, type Responder } from '../core/responder.ts';
import type { Ask, Skill } from '../core/skill.ts';
import { loadSkill, type SayReply } from '../core/skill-language.ts';
import type { HomeResult } from '../home/home-result.ts';
import type { PlannedCommand, PlannedHouse } from '../home/planned-house.ts';
import { countsBy, createTimerDue } from '../skills/timers/timer-due.ts';
import type { TimerTalk } from '../skills/timers/timer-skill.ts';
import type { SaidWhen } from '../skills/timers/timer-slots.ts';
import type { Planned } from './later-asks.ts';
import { createLaterWords, type LaterWords, laterShape, type SentenceWithTime } from './later-words.ts';

interface LaterOptions {
  files: LanguageFiles;
  pendingQuestions: HouseholdQuestions;
  actions: HouseholdActions;
  grammar: Grammar;
  timeZone: string;
  house: PlannedHouse;
  talk: () => TimerTalk;
}

/** The house's name in answers. */
const name = 'home';

interface LaterCommands {
  /** Schedules commands to the house, and cancels them. */
  responder: DryRunResponder;
  /**
   * "Cancel that", right after scheduling. It comes before the skills, which would take it for a polite
   * phrase.
   */
  cancelling: Responder;
  skill: Skill;
}

/**
 * Commands to the house for later: "turn off the lights in ten minutes". Each gets a dry run first, so an
 * impossible one is refused at once. A timer stores the words and the house reads them again when due,
 * because entities and rooms may have changed.
 */
export function createLaterCommands(options: LaterOptions): LaterCommands {
  const { files, actions, grammar, house, talk } = options;
  const { reply, sentencesOf, help, words: data } = loadSkill(files, 'later', laterShape);
  const clock = createClock();
  let words: LaterWords | undefined;
  /** Created on first use, because the skills are created later. */
  const reader = (): LaterWords => {
    const { durations, moments, readRepeat, readSun } = talk().read;
    words ??= createLaterWords({ grammar, durations, moments, readRepeat, readSun, sentencesOf });
    return words;
  };

  const refusalOf = createDryRun({ house, reply });
  const { set, plan, planTimed, planSun } = createPlanning({ ...options, reader, clock, reply, refusalOf });

  /** "Mute" names nothing: its opposite names what it changed. "Unmute" might hit another target. */
  const oppositesOf = (commands: readonly PlannedCommand[]) =>
    commands.flatMap(({ intent, target }) => {
      const phrase = data.opposites[intent];
      if (phrase === undefined) return [];
      return (things: readonly string[]) =>
        (target === '' ? things : [target]).map((each) => fill(phrase, { target: each }));
    });

  /** Runs a command now, and its opposite later. Null: no command, or no opposite exists. */
  const doFor = async (question: Question): Promise<string | null> => {
    const { turn } = question;
    const lasting = turn.isSure ? reader().lasting(turn.text) : null;
    const commands = lasting && (await house.commandsIn(lasting.text, question));
    if (!lasting || !commands) return null;
    const opposites = oppositesOf(commands);
    if (opposites.length < commands.length) return null;
    const named = opposites.flatMap((each) => each([]));
    const opens = await Promise.all(named.map((each) => house.opensUp(each, question)));
    if (opens.includes(true)) return null;
    const result = await house.runSaid(lasting.text, { ...question, asksNothing: true });
    if (!result?.ok) return result?.text ?? null;
    const texts = opposites.flatMap((each) => each(namesIn(result)));
    const dueAt = turn.createdAt + lasting.length.ms;
    const refusal = await set(question, { texts, dueAt, by: 'length' }, false);
    const when = talk().say.after(lasting.length.ms);
    const done = ended(result.text);
    return refusal === null
      ? reply('for_a_while', { done, what: what(texts), when }, turn)
      : `${done} ${refusal}`;
  };

  const { cancelSaid, cancelThat } = createTakingBack({ talk, reader, actions, reply });

  /** Refuses a repeated command. Null: the sentence is none. */
  const refuseRecurring = async (question: Question): Promise<string | null> => {
    const text = reader().recurring(question.turn.text);
    const commands = text === null ? null : await house.commandsIn(text, question);
    return commands && reply('recurring', {}, question.turn);
  };

  const planSaid = async (question: Question): Promise<string | null> => {
    if (!question.turn.isSure) return null;
    const { text } = question.turn;
    const timed = reader().timed(text);
    return timed && (await isTimed(timed, question)) ? planTimed(question, timed) : null;
  };

  /**
   * "Set the heating to seven" has no time: the house can run it now. It cannot set a coffee machine to
   * three, but turn it on.
   */
  const isTimed = async (timed: SentenceWithTime, question: Question): Promise<boolean> => {
    const { text } = question.turn;
    const kind = await house.kindOf(text, question);
    if (kind !== 'command') return kind === null;
    const [whole, rest] = await Promise.all([text, timed.text].map((each) => refusalOf(each, question)));
    return whole !== null && rest === null;
  };

  return {
    responder: responderOf(refuseRecurring, planSun, planSaid, doFor, cancelSaid),
    cancelling: responderOf(cancelThat),
    skill: {
      name: 'later',
      help,
      sentences: {},
      intents: {},
      onYes: {
        async 'later.open'({ texts, dueAt, by }, ask) {
          if (dueAt <= ask.turn.createdAt) return reply('past', {}, ask.turn);
          return plan(ask, { texts, dueAt, by }, talk().say.when(dueAt, ask.turn.createdAt), true);
        },
      },
    },
  };
}

interface PlanningOptions extends Pick<LaterOptions, 'pendingQuestions' | 'house' | 'talk' | 'timeZone'> {
  reader: () => LaterWords;
  clock: ReturnType<typeof createClock>;
  reply: SayReply<keyof (typeof laterShape)['replies']>;
  refusalOf: ReturnType<typeof createDryRun>;
}

/** Schedules commands for a time of day, for the end of a duration or for a time of the sun. */
function createPlanning(options: PlanningOptions) {
  const { pendingQuestions, house, talk, timeZone, reader, clock, reply, refusalOf } = options;

  /** Schedules it. Returns the reason for a refusal, or null. */
  const set = async (ask: Ask, { texts, dueAt, by }: Planned, mayOpen: boolean): Promise<string | null> => {
    const { room, conversation, createdAt, language } = ask.turn;
    const made = await talk().actions.set(ask, {
      kind: 'command',
      label: what(texts),
      ...{ room, client: conversation, setAt: createdAt, dueAt, durationMs: null, by },
      command: { texts: [...texts], mayOpen, language },
    });
    return 'refusal' in made ? made.refusal : null;
  };

  const plan = async (ask: Ask, planned: Planned, when: string, mayOpen: boolean): Promise<string> =>
    (await set(ask, planned, mayOpen)) ?? reply('planned', { what: what(planned.texts), when }, ask.turn);

  /** Schedules commands that would work now, and asks first if they may let somebody in. */
  const planAt = async (
    question: Question,
    { when, ...planned }: Planned & { when: string },
  ): Promise<string> => {
    const { turn } = question;
    const { texts } = planned;
    for (const each of texts) {
      const refusal = await refusalOf(each, question);
      if (refusal !== null) return refusal;
    }
    const opens = await Promise.all(texts.map((each) => house.opensUp(each, question)));
    if (!opens.includes(true)) return plan(question, planned, when, false);
    if (turn.conversation === null) return reply('cannot_ask', {}, turn);
    await pendingQuestions.note(turn, { kind: 'later.open', ...planned });
    return reply('shall_open', { what: what(texts), when }, turn);
  };

  const planTimed = async (
    question: Question,
    { text, moment }: SentenceWithTime,
  ): Promise<string | null> => {
    const commands = await house.commandsIn(text, question);
    if (!commands) return null;
    const { say, reply: timerReply } = talk();
    const due = createTimerDue({ reply: timerReply, say, clock, timeZone });
    const said: SaidWhen = { moment, duration: null, after: moment.after };
    const dueAt = due.at(question, said, { purpose: 'alarm' });
    // "Tonight" is not an exact time, so the house reports what it can do.
    if (dueAt === null || typeof dueAt !== 'number') return dueAt?.refusal ?? null;
    const at = { dueAt, by: countsBy(said), when: due.whenWords(question, said, dueAt) };
    return await planAt(question, { texts: textsOf(commands), ...at });
  };

  /** "Close the blinds at sunset." */
  const planSun = async (question: Question): Promise<string | null> => {
    const { turn } = question;
    const said = turn.isSure ? reader().atSun(turn.text) : null;
    const commands = said && (await house.commandsIn(said.text, question));
    if (!said || !commands) return null;
    const { sun, moment } = said;
    const when = moment && { moment, duration: null, after: null };
    const dueAt = await talk().sunDue(question, { sun, when });
    if (typeof dueAt !== 'number') return dueAt;
    const texts = textsOf(commands);
    return await planAt(question, {
      texts,
      dueAt,
      by: 'clock',
      when: talk().say.when(dueAt, turn.createdAt),
    });
  };

  return { set, plan, planTimed, planSun };
}

interface DryRunOptions {
  house: Pick<PlannedHouse, 'run'>;
  reply: SayReply<keyof (typeof laterShape)['replies']>;
}

function createDryRun({ house, reply }: DryRunOptions) {
  /** The reason why a command would fail even now. Null: it would work. */
  return async (text: string, question: Question): Promise<string | null> => {
    const respond = async (asking: Question) => {
      const result = await house.run(text, { ...asking, asksNothing: true });
      return plainAnswer(result?.text ?? reply('not_understood', {}, asking.turn));
    };
    const predicted = await dryRun(respond, question);
    return predicted?.acts ? null : (predicted?.text ?? null);
  };
}

interface TakingBackOptions extends Pick<DryRunOptions, 'reply'> {
  talk: () => TimerTalk;
  reader: () => LaterWords;
  actions: HouseholdActions;
}

/** Cancels scheduled commands. */
function createTakingBack({ talk, reader, actions, reply }: TakingBackOptions) {
  const pending = async (): Promise<Timer[]> =>
    (await talk().choice.active()).filter(({ kind, state }) => kind === 'command' && state === 'running');

  /** "Don't turn off the lights", with or without its time. Null: no such command is scheduled. */
  const cancelSaid = async (question: Question): Promise<string | null> => {
    const { unwanted, timed, atSun, plain } = reader();
    const text = unwanted(question.turn.text);
    if (text === null) return null;
    const meant = new Set([text, (timed(text) ?? atSun(text))?.text ?? text].map(plain));
    const all = await pending();
    const same = all.filter((timer) => meant.has(plain(toldBy(timer))));
    if (same.length > 0) return talk().actions.cancel(question, same);
    const about = all.filter((timer) => isAbout(plain(toldBy(timer)), plain(text)));
    if (about.length === 1) return talk().actions.cancel(question, about);
    const commands = about.map(toldBy).join(', ');
    return about.length === 0 ? null : reply('which_command', { commands }, question.turn);
  };

  const cancelThat = async (question: Question): Promise<string | null> => {
    const { turn } = question;
    if (turn.conversation === null || !reader().isNotThat(turn.text)) return null;
    const [last] = await actions.latest(turn);
    // After another sentence, "that" refers to something else.
    if (!last || turnOfAction(last.action) !== question.exchanges.at(-1)?.turn) return null;
    const ids = 'timers' in last.action ? last.action.timers.map(({ id }) => id) : [];
    const found = (await pending()).filter(({ id }) => ids.includes(id));
    return found.length === 0 ? null : talk().actions.cancel(question, found);
  };

  return { cancelSaid, cancelThat };
}

const toldBy = ({ command }: Timer) => what(command?.texts ?? []);

const minWord = 3;
/** "The light" is about "turn off the office lights". */
function isAbout(command: string, words: string): boolean {
  const known = command.split(' ');
  const isAlike = (one: string, other: string) =>
    one === other ||
    (Math.min(one.length, other.length) >= minWord && (one.startsWith(other) || other.startsWith(one)));
  return words.split(' ').every((word) => known.some((each) => isAlike(each, word)));
}

/** A sentence that commands several things is planned once. */
const textsOf = (commands: readonly PlannedCommand[]) => [...new Set(commands.map(({ text }) => text))];

/** The names of the things that a command changed. */
const namesIn = ({ about = [] }: HomeResult) => about.map(({ name: thing }) => thing);

function what(texts: readonly string[]): string {
  return texts.join(', ');
}

function responderOf(...ways: ((question: Question) => Promise<string | null>)[]): DryRunResponder {
  return withDryRun({
    name,
    async respond(question) {
      for (const way of ways) {
        const text = await way(question);
        if (text === null) continue;
        question.say(text);
        return plainAnswer(text);
      }
      return null;
    },
  });
}
