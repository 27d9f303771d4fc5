import type { CommunityWords } from '../../language/community/community-words.ts';
import { keyOf } from '../../lists/list-item.ts';
import { type Place, remainingMs, type Timer, timerFault } from '../../timers/timer.ts';
import type { TimerAction } from '../../timers/timer-action.ts';
import type { NewTime } from '../../timers/timer-records.ts';
import type { TimerStore } from '../../timers/timer-store.ts';
import type { ActionKind } from '../core/household-actions.ts';
import { type Ask, intentsOf } from '../core/skill.ts';
import { beginTimerAction } from '../skills/timers/timer-actions.ts';
import { createHearable } from '../skills/timers/timer-hearable.ts';
import { changedTime } from '../skills/timers/timer-plan.ts';
import type { BoundIntents, CommunitySaid } from './community-skill.ts';

const { does, tells } = intentsOf<CommunitySaid>();

interface CommunityTimersOptions {
  words: CommunityWords;
  timers: TimerStore;
  /** Whether any device rings for a timer set at a place. */
  canRing: (place: Place) => Promise<boolean>;
}

const hourMs = 3_600_000;
/** Maximum letters of an ending or an attached article. */
const maxAffix = 3;

/** A duration in ms; null: none was said. */
function lengthOf(hours: number | null, minutes: number | null, seconds: number | null): number | null {
  if (hours === null && minutes === null && seconds === null) return null;
  return (hours ?? 0) * hourMs + (minutes ?? 0) * 60_000 + (seconds ?? 0) * 1_000;
}

/** The timers that the words refer to. The community's sentences do not tell a name from a room. */
export function timersMeantBy(said: CommunitySaid, timers: readonly Timer[]): readonly Timer[] {
  const name = said.name ?? said.area;
  const length = lengthOf(said.start_hours, said.start_minutes, said.start_seconds);
  if (length !== null) return timers.filter(({ durationMs }) => durationMs === length);
  if (name === null) return timers;
  const key = keyOf(name);
  const called = timers.filter(({ label }) => label !== null && keyOf(label) === key);
  return called.length > 0 ? called : timers.filter(({ room }) => room !== null && isRoom(key, room));
}

/** A sentence may strip letters of a room's name as an ending or an article: "køkk" in "køkken". */
function isRoom(key: string, room: string): boolean {
  const known = keyOf(room);
  const isPart = known.startsWith(key) || known.endsWith(key);
  return known === key || (isPart && key.length >= 3 && known.length - key.length <= maxAffix);
}

/** Narrows several timers to the ringing ones, or to the only one in the speaker's room. */
function nearest({ turn }: Ask, found: readonly Timer[]): readonly Timer[] {
  const ringing = found.filter(({ state }) => state === 'ringing');
  if (ringing.length > 0) return ringing;
  const here = found.filter(({ room }) => room !== null && room === turn.room);
  return here.length === 1 ? here : found;
}

/** Undoes timer actions: when a person continues with another request, and for the page. */
export function communityTimerActions({ words, timers }: Omit<CommunityTimersOptions, 'canRing'>) {
  const kind: ActionKind<TimerAction> = {
    tell: () => words.own.done,
    async undo(found, { turn, beginActing }) {
      await beginActing();
      const { conversation, createdAt: now } = turn;
      return (await timers.undo(found, { conversation, now })).length === 0 ? null : words.own.done;
    },
  };
  return {
    'timer.set': kind,
    'timer.change': kind,
    'timer.pause': kind,
    'timer.resume': kind,
    'timer.cancel': kind,
  };
}

/** The community's intents about timers. */
export function createCommunityTimers({ words, timers, canRing }: CommunityTimersOptions): BoundIntents {
  const { own } = words;
  const hearable = createHearable({ canRing, warned: (text) => `${text} ${own.nothing_rings}` });
  const all = async () => (await timers.all()).filter(({ kind }) => kind === 'timer');
  const left = (timer: Timer, now: number): string => {
    const said = words.sayDuration(remainingMs(timer, now));
    return timer.label === null ? said : `${timer.label}: ${said}`;
  };
  const ended = (text: string) => (/[.!?。।]$/u.test(text) ? text : `${text}.`);
  const responseText = (intent: string, response: string, more: string | null = null): string => {
    const text = words.response(intent, response) ?? own.done;
    return more === null ? ended(text) : `${ended(text)} ${ended(more)}`;
  };

  /** Applies a change to the one matching timer, or says why it cannot. */
  const withOne = async (
    ask: Ask,
    said: CommunitySaid,
    act: (timer: Timer) => Promise<string>,
  ): Promise<string> => {
    const [only, ...others] = nearest(ask, timersMeantBy(said, await all()));
    if (only === undefined) return words.error('timer_not_found');
    return others.length > 0 ? words.error('multiple_timers_matched') : act(only);
  };
  const moved = async (ask: Ask, timer: Timer, to: NewTime): Promise<Timer | null> =>
    timers.change(await beginTimerAction(ask, 'timer.change'), timer, to);
  const step = (intent: string, sign: 1 | -1) => (response: string) =>
    does((ask: Ask, said: CommunitySaid) =>
      withOne(ask, said, async (timer) => {
        const now = ask.turn.createdAt;
        const ms = lengthOf(said.hours, said.minutes, said.seconds);
        if (ms === null) return own.cannot;
        const to = changedTime(timer, { how: 'more', ms: sign * ms }, now);
        if (timerFault({ ...timer, ...to }, now) !== null) return own.cannot;
        const changed = await moved(ask, timer, to);
        return changed ? responseText(intent, response, left(changed, now)) : words.error('timer_not_found');
      }),
    );
  const held = ({ state }: Timer, kind: 'timer.pause' | 'timer.resume', rest: number): NewTime | null => {
    if (kind === 'timer.pause') return state === 'running' ? { leftMs: Math.max(1_000, rest) } : null;
    return state === 'paused' ? { by: 'length' } : null;
  };
  const hold = (intent: string, kind: 'timer.pause' | 'timer.resume') => (response: string) =>
    does((ask: Ask, said: CommunitySaid) =>
      withOne(ask, said, async (timer) => {
        const now = ask.turn.createdAt;
        const rest = remainingMs(timer, now);
        const to = held(timer, kind, rest);
        if (to === null) return own.cannot;
        const at = kind === 'timer.resume' ? { dueAt: now + rest } : {};
        const changed = await timers.change(await beginTimerAction(ask, kind), timer, { ...to, ...at });
        return changed ? responseText(intent, response, left(changed, now)) : words.error('timer_not_found');
      }),
    );

  return {
    HassStartTimer: (response) =>
      does(async (ask, said) => {
        const { createdAt: now, conversation: client, room } = ask.turn;
        const ms = lengthOf(said.hours, said.minutes, said.seconds) ?? 0;
        const label = said.name;
        const wanted = { kind: 'timer', label, dueAt: now + ms, durationMs: ms, by: 'length' } as const;
        if (timerFault(wanted, now) !== null) return own.cannot;
        const made = await timers.set(await beginTimerAction(ask, 'timer.set'), {
          ...wanted,
          room,
          client,
          setAt: now,
        });
        if (made === 'full') return own.cannot;
        const slots = { ...words.slotsOf(ms), ...(label !== null && { name: label }) };
        const text = words.response('HassStartTimer', response, slots) ?? own.done;
        const told = /\p{Nd}/u.test(text) ? ended(text) : `${ended(text)} ${ended(left(made, now))}`;
        return hearable(ask, told);
      }),
    HassCancelTimer: (response) =>
      does((ask, said) =>
        withOne(ask, said, async ({ id }) => {
          const cancelled = await timers.cancel(await beginTimerAction(ask, 'timer.cancel'), [id]);
          return cancelled.length > 0
            ? responseText('HassCancelTimer', response)
            : words.error('timer_not_found');
        }),
      ),
    HassCancelAllTimers: (response) =>
      does(async (ask, said) => {
        const ids = timersMeantBy(said, await all()).map(({ id }) => id);
        const cancelled =
          ids.length > 0 ? await timers.cancel(await beginTimerAction(ask, 'timer.cancel'), ids) : [];
        const slots = { canceled: cancelled.length, area: said.area ?? '' };
        const text = words.response('HassCancelAllTimers', response, slots);
        return cancelled.length === 0 ? words.error('timer_not_found') : ended(text ?? own.done);
      }),
    HassIncreaseTimer: step('HassIncreaseTimer', 1),
    HassDecreaseTimer: step('HassDecreaseTimer', -1),
    HassPauseTimer: hold('HassPauseTimer', 'timer.pause'),
    HassUnpauseTimer: hold('HassUnpauseTimer', 'timer.resume'),
    HassTimerStatus: () =>
      tells(async (ask, said) => {
        const found = timersMeantBy(said, await all());
        if (found.length === 0) return words.error('timer_not_found');
        return ended(words.sayList(found.map((timer) => left(timer, ask.turn.createdAt))));
      }),
  };
}
