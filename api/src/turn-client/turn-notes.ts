import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Timings, Turn } from '../turn/turn.ts';
import type { TurnEnd, TurnLog } from '../turn/turn-log.ts';
import type { followTurn } from './follow-turn.ts';

/** The end of a live turn arrives soon after playback. The log entry waits no longer than this. */
const endWithinMs = 5_000;

/** Playback of a live turn's answer. Times are from `performance.now()`. */
export interface Played {
  speechEndAt: number;
  /** When it was certain that the person had finished. */
  certainAt: number;
  /** Null: there was no sound. */
  firstSoundAt: number | null;
  overAt: number;
  status: 'completed' | 'cancelled' | 'failed';
  /** Why it was not completed. */
  reason: string | null;
}

export interface TurnNotesOptions {
  log: TurnLog;
  logger?: Logger | undefined;
  /** Whether the household wants the words of turns in its log. */
  logsWords?: (() => boolean) | undefined;
}

type Followed = ReturnType<typeof followTurn>;
type Ending = Pick<TurnEnd, 'via' | 'outcome' | 'timings'> & { marks?: Record<string, number> };

/**
 * Logs the outcome of a turn in the background. A live turn is over after playback. Speculative work that was
 * dropped was not a turn and is not logged.
 */
export function createTurnNotes({ log, logger, logsWords = () => false }: TurnNotesOptions) {
  const write = async (turn: Turn, followed: Followed, ending: Ending): Promise<void> => {
    await setImmediate(); // The caller gets the answer first.
    const { id, source, room, createdAt, revision } = turn;
    const { via, outcome, timings, marks = {} } = ending;
    const level = outcome === 'done' || outcome === 'turn_cancelled' ? 'info' : 'warn';
    const said = logsWords() ? { said: await wordsOf(turn, followed) } : {};
    logger?.[level](
      { turn: id, source, room, via, outcome, timings: roundedTimes(timings), ...said },
      'the turn is over',
    );
    const end = {
      id,
      source,
      room,
      createdAt,
      revision,
      via,
      outcome,
      timings,
      marks,
      spans: [...followed.spans()],
      ranOn: [...followed.ranOn()],
    };
    await log.note(end);
  };
  const endOf = (followed: Followed): Promise<Ending> =>
    followed.spoken.then(
      async (timings) => ({ via: (await followed.reply).via, outcome: 'done', timings }),
      (error: unknown) => ({ via: null, outcome: codeOf(error), timings: followed.timings() }),
    );

  return {
    /** Follows a turn from its beginning. For a live turn, call the returned function after playback. */
    watch(turn: Turn, followed: Followed): (played: Played) => void {
      const end = endOf(followed);
      if (!turn.isTentative) {
        end.then((ending) => write(turn, followed, ending)).catch(() => undefined);
        return () => undefined;
      }
      return (played) => {
        const late = { via: null, outcome: 'turn_cancelled', timings: followed.timings() };
        withinTime(end, late)
          .then((ending) => write(turn, followed, playedEnding(ending, played, followed.begunAt)))
          .catch(() => undefined);
      };
    },
  };
}

async function withinTime(end: Promise<Ending>, otherwise: Ending): Promise<Ending> {
  return Promise.race([
    end,
    new Promise<Ending>((resolve) => setTimeout(resolve, endWithinMs, otherwise).unref()),
  ]);
}

/** The outcome of a live turn as the person perceived it: times count from the end of speech. */
function playedEnding(ending: Ending, played: Played, begunAt: number): Ending {
  const { speechEndAt, certainAt, firstSoundAt, overAt, status, reason } = played;
  const since = (at: number) => Math.round((at - begunAt) * 10) / 10;
  const outcomes = {
    completed: ending.outcome,
    cancelled: 'turn_cancelled',
    failed: reason ?? ending.outcome,
  };
  return {
    ...ending,
    outcome: outcomes[status],
    timings: {
      ...ending.timings,
      ...(firstSoundAt !== null && { 'first-audio': firstSoundAt - speechEndAt }),
    },
    marks: {
      end_of_speech: since(speechEndAt),
      certain_end: since(certainAt),
      ...(firstSoundAt !== null && { first_sound: since(firstSoundAt) }),
      over: since(overAt),
    },
  };
}

async function wordsOf({ text }: Turn, { reply, transcript }: Followed) {
  return {
    heard: text ?? transcript(),
    reply: await reply.then(({ text: words }) => words).catch(() => null),
  };
}

function roundedTimes(timings: Timings): Record<string, number> {
  return Object.fromEntries(Object.entries(timings).map(([part, ms]) => [part, Math.round(ms)]));
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'internal';
}
