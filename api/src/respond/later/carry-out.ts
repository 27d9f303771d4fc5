import { withCapital } from '../../language/capitals.ts';
import type { Logger } from '../../log.ts';
import type { Timer } from '../../timers/timer.ts';
import type { TimerStore } from '../../timers/timer-store.ts';
import type { TextTurn } from '../core/responder.ts';
import type { SayReply } from '../core/skill-language.ts';
import type { HomeAsk } from '../home/home-result.ts';
import type { PlannedHouse } from '../home/planned-house.ts';
import type { laterShape } from './later-words.ts';

/** A command this late is no longer wanted. */
const maxLateMs = 10 * 60_000;
const maxDoingMs = 60_000;

interface CarryOutOptions {
  reply: SayReply<keyof (typeof laterShape)['replies']>;
  /** Null: no house is connected any more. */
  house: Pick<PlannedHouse, 'kindOf' | 'run' | 'opensUp'> | null;
  timers: Pick<TimerStore, 'begin' | 'end' | 'fail'>;
  log: Pick<Logger, 'info'>;
  /** Unix time in ms. */
  now: () => number;
  /** The time as the timer counts it. */
  nowOf: (timer: Timer) => number;
}

/** Why a command failed; null: it succeeded. */
type Fault = string | null;

/**
 * Runs due commands to the house. A worker first records that it has begun, so a command never runs twice. If
 * that worker dies, or the command fails, it rings as a reminder that says so.
 */
export function createCarryOut(options: CarryOutOptions) {
  const { reply, house, timers, log, now, nowOf } = options;

  const one = async (at: NonNullable<typeof house>, ask: HomeAsk, mayOpen: boolean): Promise<Fault> => {
    const { turn } = ask;
    if ((await at.kindOf(turn.text, ask)) !== 'command') return reply('not_understood', {}, turn);
    // Checks again: the name may now belong to another entity.
    if (!mayOpen && (await at.opensUp(turn.text, ask))) return reply('not_agreed', {}, turn);
    const result = await at.run(turn.text, ask);
    if (!result) return reply('not_understood', {}, turn);
    return result.ok ? null : result.text;
  };

  const all = async (timer: Timer): Promise<Fault> => {
    if (nowOf(timer) - timer.dueAt > maxLateMs) return reply('too_late');
    if (!house || !timer.command) return reply('no_house');
    const { texts, mayOpen } = timer.command;
    const signal = AbortSignal.timeout(maxDoingMs);
    const faults: string[] = [];
    for (const [at, text] of texts.entries()) {
      const turn = turnOf(timer, { text, part: at + 1, now: now() });
      const fault = await one(
        house,
        { turn, signal, beginActing: async () => undefined, asksNothing: true },
        mayOpen,
      );
      if (fault !== null) faults.push(fault);
    }
    return faults.length === 0 ? null : faults.join(' ');
  };

  /** Without the final full stop, which the reminder adds. */
  const failureText = (timer: Timer, why: string): string =>
    reply('failed', { what: withCapital(timer.label ?? ''), why: why.replace(/[.!?]$/, '') });

  return {
    async carryOut(timer: Timer): Promise<void> {
      const begun = await timers.begin(timer);
      if (!begun) return;
      const fault = await all(begun).catch(() => reply('unknown_end'));
      log.info({ timer: timer.id, isDone: fault === null }, 'ran a planned command');
      await (fault === null ? timers.end(begun) : timers.fail(begun, failureText(begun, fault)));
    },
    /** The worker that began it has died, because it began too long ago. */
    async lose(timer: Timer): Promise<void> {
      await timers.fail(timer, failureText(timer, reply('unknown_end')));
    },
  };
}

/** Builds the turn that runs it, as if the person repeated the command now in the same place. */
function turnOf(
  { id, room, client }: Timer,
  { text, part, now }: { text: string; part: number; now: number },
): TextTurn {
  return {
    id: `${id}/${part}`,
    source: 'ask',
    text,
    isSure: true,
    conversation: client,
    room,
    createdAt: now,
    deadlineAt: now + maxDoingMs,
    replyTo: '',
    streams: false,
    speaks: false,
    isTentative: false,
    revision: 0,
  };
}
