import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Timings, Turn } from '../turn/turn.ts';
import type { TurnEnd, TurnLog } from '../turn/turn-log.ts';
import type { followTurn } from './follow-turn.ts';

/** The chain knows the end of a live turn soon after it has been played. The note waits no longer than this. */
const endWithinMs = 5_000;

/** How the answer of a live turn was heard. Times by `performance.now()`. */
export interface Played {
  speechEndAt: number;
  /** When it was certain that the person had finished. */
  certainAt: number;
  /** Null: there was nothing to hear. */
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
 * Notes how a turn ended, once it is over for everybody. Nobody waits for the note. A live turn is over when it has been heard. Work that was
 * begun while the person still spoke, and then dropped, was no turn and is not noted.
 */
export function createTurnNotes({ log, logger, logsWords = () => false }: TurnNotesOptions) {
  const write = async (turn: Turn, followed: Followed, ending: Ending): Promise<void> => {
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
    };
    await log.note(end);
  };
  const endOf = (followed: Followed): Promise<Ending> =>
    followed.spoken.then(
      async (timings) => ({ via: (await followed.reply).via, outcome: 'done', timings }),
      (error: unknown) => ({ via: null, outcome: codeOf(error), timings: followed.timings() }),
    );

  return {
    /** Watches a turn from its beginning. For a live turn, call the returned function when it has been heard. */
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

/** The end of a live turn as the person noticed it: times count from the end of speech. */
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
