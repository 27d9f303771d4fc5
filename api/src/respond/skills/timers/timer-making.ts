import type { MomentPurpose } from '../../../language/calendar/moment.ts';
import type { PhraseValues } from '../../../language/phrase.ts';
import type { NewTimer, Timer } from '../../../timers/timer.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimerActions } from './timer-actions.ts';
import type { OpenTimer } from './timer-asks.ts';
import { countsBy, type MissingDuePart, type TimerDue } from './timer-due.ts';
import type { Hearable } from './timer-hearable.ts';
import { newTimer, type RequestedTimer } from './timer-plan.ts';
import type { TimerRooms } from './timer-rooms.ts';
import type { SaidWhen, TimerSaid } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

export interface TimerMakingOptions {
  actions: TimerActions;
  pendingQuestions: HouseholdQuestions;
  due: TimerDue;
  hearable: Hearable;
  read: TimerWords;
  reply: SayReply<TimerReply>;
  rooms: Pick<TimerRooms, 'lookUp'>;
  say: TimerTeller;
}

/** The reply when the timer is set. The room follows the first of the values `beforeRoom` in it. */
interface Phrase {
  key: TimerReply;
  values: PhraseValues;
}
const beforeRoom = ['when', 'duration', 'whens'] as const;

/** A request whose time may be missing. */
interface At {
  kind: 'alarm' | 'reminder';
  label: string | null;
  when: SaidWhen | null;
  purpose: MomentPurpose;
  /** The question if the time is missing, and the reply when the timer is set. */
  open: OpenTimer;
  phrase: { key: TimerReply; values?: PhraseValues };
}

const questions = {
  'timer.how_long': 'how_long',
  'timer.for_when': 'for_when',
  'timer.remind_when': 'when_remind',
} as const;

export type TimerMaking = ReturnType<typeof createTimerMaking>;

/** Sets the requested timers, or asks for the missing time or room. */
export function createTimerMaking(options: TimerMakingOptions) {
  const { actions, pendingQuestions, due, hearable, read, reply, rooms, say } = options;
  const set = async (
    ask: Ask,
    timers: readonly NewTimer[],
    confirm: (made: readonly Timer[]) => string,
  ): Promise<string> => {
    const [only] = timers;
    const made =
      timers.length === 1 && only ? await actions.set(ask, only) : await actions.setAll(ask, timers);
    if (!('refusal' in made)) return hearable(ask, confirm('id' in made ? [made] : made));
    return timers.length === 1 ? made.refusal : reply('none_of_them', { text: made.refusal }, ask.turn);
  };

  /** In a room that the house lacks, nothing would ring. */
  const askRoom = async (ask: Ask, room: string, timers: readonly NewTimer[]): Promise<string> => {
    if (ask.turn.conversation !== null)
      await pendingQuestions.note(ask.turn, { kind: 'timer.which_room', timers: [...timers] });
    return reply('no_room', { room }, ask.turn);
  };
  const setIn = async (
    ask: Ask,
    { room, timers }: { room: string; timers: readonly NewTimer[] },
    confirm: (made: readonly Timer[]) => string,
  ): Promise<string> => {
    const { isThere, rings } = await rooms.lookUp(room);
    if (!isThere) return askRoom(ask, room, timers);
    const inRoom = timers.map((timer) => ({ ...timer, room: room.toLowerCase() }));
    const text = await set(ask, inRoom, confirm);
    return rings ? text : reply('rings_elsewhere', { text, room: say.room(room) }, ask.turn);
  };

  /** Sets all or none, in the named room or where the person is. */
  const make = async (
    ask: Ask,
    { room }: Pick<TimerSaid, 'room'>,
    { wanted, phrase }: { wanted: readonly RequestedTimer[]; phrase: Phrase | readonly Phrase[] },
  ): Promise<string> => {
    const { turn } = ask;
    const { isRoom } = read.names;
    const timers = wanted.map((each) => newTimer(each, { turn, isRoom }));
    const told = [phrase].flat().map(({ key, values }) => reply(key, valuesIn(room, values), turn));
    const confirm = () => told.join(' ');
    return room === null ? set(ask, timers, confirm) : setIn(ask, { room, timers }, confirm);
  };
  /** The values of a reply, with the room in which the timer rings. */
  const valuesIn = (room: string | null, values: PhraseValues): PhraseValues => {
    const place = beforeRoom.find((each) => values[each] !== undefined);
    if (room === null || !place) return values;
    return { ...values, [place]: say.inRoom(String(values[place]), room, place !== 'when') };
  };

  /**
   * Asks for the time. Without a conversation, no turn can answer, so the person has to repeat the request.
   */
  const askBack = async (
    { turn }: Ask,
    question: OpenTimer,
    asks: TimerReply = questions[question.kind],
    values: PhraseValues = {},
  ): Promise<string> => {
    if (turn.conversation === null) return reply('all_at_once', {}, turn);
    await pendingQuestions.note(turn, question);
    return reply(asks, values, turn);
  };
  /** Keeps the spoken time of day and period for the answer. */
  const askDay = (ask: Ask, open: OpenTimer, when: SaidWhen | null): Promise<string> => {
    const { time = null, part = null } = when?.moment ?? {};
    const period = due.periodIn(ask, when);
    const kept = { timeSaid: { time, part }, ...(period && { period }) };
    return askBack(ask, open.kind === 'timer.how_long' ? open : { ...open, ...kept }, 'which_day');
  };

  /** Keeps the spoken day for the answer, including "night". */
  const askTime = (
    ask: Ask,
    open: OpenTimer,
    { when, asks }: { when: SaidWhen | null; asks?: TimerReply },
  ): Promise<string> => {
    const daySaid = due.dayIn(ask, when);
    if (open.kind === 'timer.how_long' || daySaid === null) return askBack(ask, open, asks);
    const part = when?.moment?.isBeforeSleep ? { timeSaid: { time: null, part: 'night' as const } } : {};
    return askBack(ask, { ...open, daySaid, ...part }, asks);
  };

  /** The open part of the time, or why no such time exists. */
  const askMore = async (
    ask: Ask,
    open: OpenTimer,
    { lacks, refusal, when }: { lacks: MissingDuePart; refusal: string; when: SaidWhen | null },
  ): Promise<string> => {
    if (lacks === 'day') return askDay(ask, open, when);
    if (lacks === 'time') return askTime(ask, open, { when, asks: 'which_time' });
    if (lacks === null) return refusal;
    return askBack(ask, { ...open, unit: lacks }, `in_${lacks}`);
  };

  return {
    make,
    askBack,
    /** The requested room. */
    answerRoom: (ask: Ask, room: string, timers: readonly NewTimer[]): Promise<string> =>
      setIn(ask, { room, timers }, (made) =>
        reply(
          'set_in_room',
          { timers: say.allStanding(made, ask.turn.createdAt), room: say.room(room) },
          ask.turn,
        ),
      ),
    async makeAt(
      ask: Ask,
      said: TimerSaid,
      { kind, label, when, purpose, open, phrase }: At,
    ): Promise<string> {
      const dueAt = due.at(ask, when, { purpose });
      if (dueAt === null) return askTime(ask, open, { when });
      if (typeof dueAt !== 'number') return askMore(ask, open, { when, ...dueAt });
      const wanted: RequestedTimer = { kind, label, dueAt, durationMs: null, by: countsBy(when) };
      const values = { ...phrase.values, name: say.newName(wanted), when: due.whenWords(ask, when, dueAt) };
      return make(ask, said, { wanted: [wanted], phrase: { key: phrase.key, values } });
    },
  };
}
