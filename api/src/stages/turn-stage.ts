import { UnrecoverableError } from 'bullmq';
import { rejectionOf } from '../abort.ts';
import type { History } from '../conversations/conversation-store.ts';
import { AppError, toAppError } from '../errors.ts';
import { turnPayload } from '../jobs/queues.ts';
import type { Logger } from '../log.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { releaseInBackground } from '../redis/release-in-background.ts';
import type { Turn } from '../turn/turn.ts';
import type { Stage, TurnStore } from '../turn/turn-store.ts';
import type { StageSignals } from './answer-turn.ts';
import type { RunningWork, Work } from './running-work.ts';

interface TurnStageOptions {
  workerId: string;
  turns: TurnStore;
  stages: Record<Stage, (turn: Turn, signals: StageSignals) => Promise<void>>;
  running: RunningWork;
  /** Reads the conversation of a turn while the turn is being taken. */
  readConversation: (name: string) => Promise<History>;
  log: Logger;
  clock?: HouseholdClock;
}

interface Begun {
  turn: Turn;
  work: Work;
  history: Promise<History> | undefined;
}

/** Runs a stage of a turn, unless the turn is over. Failures are logged and reported only here. */
export function createTurnStage(options: TurnStageOptions) {
  const { workerId, turns, stages, running, readConversation, log, clock = machineClock } = options;
  const untilConfirmed = async (work: Work) => {
    if (!(await turns.isConfirmed(work.turnId)))
      await Promise.race([work.confirmed, rejectionOf(work.signal)]);
    work.signal.throwIfAborted();
  };

  /**
   * Takes the turn if the stage is still to run. If Redis is unavailable, the next attempt of the job may
   * take it.
   */
  const take = async (turnId: string, stage: Stage): Promise<Turn | null> => {
    const taken = await turns.take(turnId, stage, workerId).catch(async (thrown) => {
      const error = toAppError(thrown);
      if (error.code !== 'redis_unavailable') await turns.fail({ id: turnId }, error);
      throw error.code === 'redis_unavailable' ? error : new UnrecoverableError(error.code);
    });
    const { turn, isBegun } = taken ?? {};
    if (!turn) return null;
    // The worker that transcribed the turn died before it added the next stage.
    const isTranscribed = stage === 'transcribe' && turn.text !== null;
    return isBegun || isTranscribed ? turn : null;
  };

  const run = async (stage: Stage, { turn, work, history }: Begun): Promise<void> => {
    const begunAt = performance.now();
    work.endsAt(turn.deadlineAt);
    let mayHaveActed = false;
    const beginActing = async (): Promise<void> => {
      await untilConfirmed(work);
      if (!(await turns.mayAct(work.turnId))) throw new AppError('turn_cancelled');
      mayHaveActed = true;
    };
    try {
      log.debug({ turn: turn.id, stage, sinceAsked: Math.round(clock.now() - turn.createdAt) }, 'begun');
      await stages[stage](turn, {
        signal: work.signal,
        untilConfirmed: () => untilConfirmed(work),
        beginActing,
        history,
      });
      log.info({ turn: turn.id, stage, ms: Math.round(performance.now() - begunAt) }, 'done');
    } catch (thrown) {
      const error = work.signal.aborted ? reasonOf(work.signal, mayHaveActed) : toAppError(thrown);
      log[levelOf(error, turn)]({ turn: turn.id, stage, code: error.code, err: error.cause }, 'not answered');
      // A stage never runs twice. The failure is reported once Redis accepts writes.
      await releaseInBackground(() => turns.fail(turn, error), turn.deadlineAt - clock.steady());
      throw new UnrecoverableError(error.code);
    }
  };

  /** A suspended worker may get a job that it already holds. */
  const held = new Set<string>();

  return async (stage: Stage, data: unknown): Promise<void> => {
    const { turnId, conversation } = turnPayload.parse(data);
    const name = `${stage} ${turnId}`;
    if (held.has(name)) return;
    held.add(name);
    // Registered before the stage begins, because the caller may disconnect at any moment.
    const work = running.begin(turnId);
    try {
      const taking = take(turnId, stage);
      // Sent together, because Redis answers in order on one connection.
      const history = conversation === undefined ? undefined : readConversation(conversation);
      history?.catch(() => undefined); // the reader of the history reports it
      const turn = await taking;
      if (turn) await run(stage, { turn, work, history });
    } finally {
      work.end();
      held.delete(name);
    }
  };
}

/** The failure of a stopped turn. If it may have acted, its progress is unknown. */
function reasonOf({ reason }: AbortSignal, mayHaveActed: boolean): AppError {
  const error = toAppError(reason);
  return mayHaveActed && error.code !== 'turn_cancelled' ? new AppError('outcome_unknown') : error;
}

/** Log level: a disconnected caller is no problem, and a person who continued speaking needs no info line. */
function levelOf({ code }: AppError, { isTentative }: Turn): 'debug' | 'info' | 'warn' | 'error' {
  if (code === 'turn_cancelled') return isTentative ? 'debug' : 'info';
  return code === 'internal' ? 'error' : 'warn';
}
