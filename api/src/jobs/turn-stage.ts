import { UnrecoverableError } from 'bullmq';
import { rejectionOf } from '../abort.ts';
import { AppError, toAppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import type { Turn } from '../turn/turn.ts';
import type { Stage, TurnStore } from '../turn/turn-store.ts';
import type { StageSignals } from './answer-turn.ts';
import { turnPayload } from './queues.ts';
import type { RunningWork, Work } from './running-work.ts';

interface TurnStageOptions {
  workerId: string;
  turns: TurnStore;
  stages: Record<Stage, (turn: Turn, signals: StageSignals) => Promise<void>>;
  running: RunningWork;
  log: Logger;
  clock?: HouseholdClock;
}

/** Runs a stage of a turn, unless the turn is over. A failure is logged and told to the caller here, and nowhere else. */
export function createTurnStage(options: TurnStageOptions) {
  const { workerId, turns, stages, running, log, clock = machineClock } = options;
  const certain = (work: Work) => async () => {
    if (!(await turns.isCertain(work.turnId))) await Promise.race([work.confirmed, rejectionOf(work.signal)]);
    work.signal.throwIfAborted();
    if (!(await turns.mayAct(work.turnId))) throw new AppError('turn_cancelled');
  };

  const isBegun = async (turn: Turn, stage: Stage): Promise<boolean> => {
    // The worker that transcribed it died before it could hand the turn on.
    const isTranscribed = stage === 'transcribe' && turn.text !== null;
    return isTranscribed || (await turns.begin(turn, stage, workerId));
  };

  return async (stage: Stage, data: unknown): Promise<void> => {
    const turn = await turns.read(turnPayload.parse(data).turnId);
    if (!turn) return;

    // Noted before the stage begins: the caller may hang up in that very moment.
    const work = running.begin({ turnId: turn.id, deadlineAt: turn.deadlineAt });
    const begunAt = performance.now();
    try {
      if (!(await isBegun(turn, stage))) return;
      log.debug({ turn: turn.id, stage, sinceAsked: Math.round(clock.now() - turn.createdAt) }, 'begun');
      await stages[stage](turn, { signal: work.signal, certain: certain(work) });
      log.info({ turn: turn.id, stage, ms: Math.round(performance.now() - begunAt) }, 'done');
    } catch (thrown) {
      const error = toAppError(work.signal.aborted ? work.signal.reason : thrown);
      log[levelOf(error, turn)]({ turn: turn.id, stage, code: error.code, err: error.cause }, 'not answered');
      await turns.fail(turn, error);
      throw new UnrecoverableError(error.code);
    } finally {
      work.end();
    }
  };
}

/** A caller who hung up is no trouble, and a person who went on speaking is not even news. */
function levelOf({ code }: AppError, { isTentative }: Turn): 'debug' | 'info' | 'warn' | 'error' {
  if (code === 'turn_cancelled') return isTentative ? 'debug' : 'info';
  return code === 'internal' ? 'error' : 'warn';
}
