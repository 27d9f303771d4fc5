import { type StoredAction, turnOfAction } from '../../actions/action-store.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { LanguageFiles } from '../../language/language.ts';
import { type Action, type HouseholdActions, tellOf, undoAction } from '../core/household-actions.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill, noWords } from '../core/skill-language.ts';

const shape = {
  replies: {
    nothing: [],
    left: [],
    stopped: [],
    did_nothing: [],
    keeps_nothing: [],
    taken_back: ['what'],
    nothing_today: [],
    today: ['what'],
    today_last: ['what'],
    twice: ['what'],
    times: ['what', 'count'],
  },
  words: noWords,
} as const;

/** Listeners cannot remember more. */
const maxShown = 5;

interface UndoOptions {
  files: LanguageFiles;
  timeZone: string;
  actions: HouseholdActions;
  pendingQuestions: Pick<HouseholdQuestions, 'last'>;
  /** Silences ringing timers in the speaker's room and says so; null if none rings. */
  quiet(ask: Ask): Promise<string | null>;
  /** Cancels the timers that the conversation has just set or changed; null if there are none. */
  cancelTimers(ask: Ask): Promise<string | null>;
  /** Cancels the timer that the last sentence asked about; null if there was none. */
  cancelTold(ask: Ask): Promise<string | null>;
  /** The skills whose actions can be undone. */
  skills: readonly Skill[];
}

/** Undoes or reports the last action, from the record that every action leaves. */
export function createUndoSkill(options: UndoOptions): Skill {
  const { files, timeZone, actions, pendingQuestions, quiet, cancelTimers, cancelTold, skills } = options;
  const { reply, ...language } = loadSkill(files, 'undo', shape);
  const { tells } = intentsOf();
  const days = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' });
  const dayAt = (ms: number): string => days.format(ms);

  /** The last action first: a later part may depend on an earlier one. */
  const undo = async (ask: Ask) => {
    const { turn } = ask;
    if (turn.conversation === null) return reply('keeps_nothing', {}, turn);
    const all = await actions.latest(turn);
    // If this turn's job runs twice, its own undone actions count as open.
    const isOpen = ({ action }: (typeof all)[number]) =>
      action.undoneBy === undefined || action.undoneBy === turn.id;
    const newest = all.find(isOpen);
    const together = all.filter((found) => newest && isOpen(found) && isSameTurn(found, newest));
    const reports: string[] = [];
    for (const found of together) reports.push((await undoAction(skills, found, ask)) ?? '');
    return reports.filter((text) => text !== '').join(' ') || reply('nothing', {}, turn);
  };

  /** The action that the last answer of this conversation reported, if it stands. */
  const justDone = async ({ turn, exchanges }: Ask) => {
    const [newest] = await actions.latest(turn);
    const isLast = newest?.action.undoneAt === undefined;
    return newest && isLast && turnOfAction(newest.action) === exchanges.at(-1)?.turn ? newest.action : null;
  };

  /**
   * "Cancel that" stops a ringing timer, closes a pending question, or undoes the last action. Otherwise it
   * means "never mind".
   */
  const cancel = async (ask: Ask) => {
    const quieted = await quiet(ask);
    if (quieted !== null) return quieted;
    const isAsked = (await pendingQuestions.last(ask.exchanges, ask.turn.createdAt)) !== null;
    if (isAsked) return reply('left', {}, ask.turn);
    if ((await justDone(ask)) === null) return (await cancelTold(ask)) ?? reply('left', {}, ask.turn);
    return (await cancelTimers(ask)) ?? undo(ask);
  };

  /**
   * "Stop it" stops a ringing timer, or undoes the latest action. Null: the house stops a device that it just
   * moved.
   */
  const stopIt = async (ask: Ask) => {
    const quieted = await quiet(ask);
    if (quieted !== null) return quieted;
    const done = await justDone(ask);
    if (done === null) return reply('stopped', {}, ask.turn);
    if (mayMove(done)) return null;
    return (await cancelTimers(ask)) ?? undo(ask);
  };

  /** The sentences of actions, in order. A repeated one comes once, where it was last, with its count. */
  const told = (done: readonly StoredAction<Action>[], turn: Ask['turn']): string[] => {
    const counts = new Map<string, number>();
    for (const { action } of done) {
      const what = tellOf(skills, action, turn);
      if (what === undefined) continue;
      const count = (counts.get(what) ?? 0) + 1;
      counts.delete(what);
      counts.set(what, count);
    }
    return [...counts].map(([sentence, count]) => {
      if (count === 1) return sentence;
      const what = sentence.replace(/\.$/, '');
      return count === 2 ? reply('twice', { what }, turn) : reply('times', { what, count: `${count}` }, turn);
    });
  };

  const last = async ({ turn }: Ask) => {
    if (turn.conversation === null) return reply('keeps_nothing', {}, turn);
    const found = await actions.latest(turn);
    const [newest] = found.toSorted((one, other) => touchedAt(other.action) - touchedAt(one.action));
    if (!newest) return reply('did_nothing', {}, turn);
    const together = found.filter((each) => isSameTurn(each, newest)).toReversed();
    const what = told(together, turn).join(' ');
    if (what === '') return reply('did_nothing', {}, turn);
    return newest.action.undoneAt === undefined ? what : reply('taken_back', { what }, turn);
  };

  /** The newest few actions of today in this conversation, in order. */
  const today = async ({ turn }: Ask) => {
    if (turn.conversation === null) return reply('keeps_nothing', {}, turn);
    const day = dayAt(turn.createdAt);
    const done = (await actions.latest(turn)).filter(
      ({ action }) => action.undoneAt === undefined && dayAt(action.at) === day,
    );
    const sentences = told(done.toReversed(), turn);
    if (sentences.length === 0) return reply('nothing_today', {}, turn);
    const what = sentences.slice(-maxShown).join(' ');
    return reply(sentences.length > maxShown ? 'today_last' : 'today', { what }, turn);
  };

  return defineSkill({
    name: 'undo',
    ...language,
    slots: {},
    intents: {
      undo: { effect: 'final', answer: undo },
      // "Put it back", later on, may mean anything.
      put_back: { effect: 'final', answer: async (ask) => ((await justDone(ask)) ? undo(ask) : null) },
      cancel: { effect: 'undoable', isWithdrawal: true, answer: cancel },
      stop_it: { effect: 'undoable', answer: stopIt },
      last: tells(last),
      today: tells(today),
    },
  });
}

const unclear: ReadonlySet<string> = new Set(['home.same', 'home.command', 'home.partly']);

/** Whether a device may still be moving: every action except a reversible switch. */
function mayMove(action: Action): boolean {
  if (action.kind !== 'home.switch') return unclear.has(action.kind);
  return action.changed.some(({ id }) => domainOf(id) === 'cover');
}

/** One sentence may ask for several things. */
function isSameTurn({ action: one }: StoredAction, { action: other }: StoredAction): boolean {
  return turnOfAction(one) === turnOfAction(other);
}

function touchedAt({ at, undoneAt }: { at: number; undoneAt?: number | undefined }): number {
  return undoneAt ?? at;
}
