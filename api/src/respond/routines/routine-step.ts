import { AppError } from '../../errors.ts';
import { withCapital } from '../../language/capitals.ts';
import type { RoutineStep } from '../../settings/routine.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { partOf } from '../core/part.ts';
import { firstAnswer, type Question, type Responder } from '../core/responder.ts';
import type { SayRoutine } from './routines-shape.ts';
import { createStepLimit } from './step-limit.ts';

interface StepOptions {
  responders: readonly Responder[];
  pendingQuestions: Pick<HouseholdQuestions, 'last'>;
  /** Whether a step may let someone in. */
  opensUp: (question: Question) => Promise<boolean>;
  reply: SayRoutine;
  stepMs: number;
}

/** The outcome of a step. */
export interface StepOutcome {
  text: string;
  /** It runs only after a yes. */
  waitsFor?: 'opening' | 'question';
}

/** The turn of a step, its number in it, and the reason why the names of the house are unknown. */
interface StepPlace {
  whole: Question;
  id: string;
  namesUnknown: string | null;
}

class OnlyAsks extends Error {}

/** Runs one step. Throws only when the turn is over, or on a bug. */
export function createRoutineStep({ responders, pendingQuestions, opensUp, reply, stepMs }: StepOptions) {
  const isAsked = async ({ id, createdAt }: Question['turn']): Promise<boolean> =>
    (await pendingQuestions.last([{ user: '', assistant: '', turn: id }], createdAt)) !== null;

  const carryOut = async (question: Question, kind: RoutineStep['kind']) => {
    if (kind === 'command' && (await opensUp(question))) return 'opening';
    const answer = await firstAnswer(responders, question, () => undefined);
    return answer && { text: answer.text, isQuestion: await isAsked(question.turn) };
  };

  return async (
    { kind, text: said }: RoutineStep,
    { whole, id, namesUnknown }: StepPlace,
  ): Promise<StepOutcome> => {
    const what = withCapital(said.replace(/[.!?]+$/, ''));
    const step = beginStep(kind, whole, stepMs);
    try {
      const done = await untilLate(
        carryOut({ ...partOf(whole, said, id), ...step.part }, kind),
        step.part.signal,
      );
      if (done === 'opening') return { text: '', waitsFor: 'opening' };
      if (!done && namesUnknown !== null)
        return { text: reply('not_done', { what, why: namesUnknown }, whole.turn) };
      if (!done) return { text: reply('not_understood', { what }, whole.turn) };
      if (done.isQuestion) return { text: done.text, waitsFor: 'question' };
      const isTold = step.hasActed() || kind === 'ask';
      return { text: isTold ? done.text : reply('not_done', { what, why: done.text }, whole.turn) };
    } catch (error) {
      return { text: reply(step.failure(error), { what }, whole.turn) };
    } finally {
      step.end();
    }
  };
}

/** The permissions and the time limit of a step. */
function beginStep(kind: RoutineStep['kind'], whole: Question, maxMs: number) {
  const limit = createStepLimit(maxMs);
  let [acted, isOver] = [false, false];
  const beginActing = async (): Promise<void> => {
    if (kind === 'ask') throw new OnlyAsks();
    limit.stop();
    isOver = true;
    await whole.beginActing();
    [acted, isOver] = [true, false];
    limit.start();
  };
  return {
    part: { beginActing, signal: AbortSignal.any([whole.signal, limit.signal]) },
    hasActed: () => acted,
    end: limit.stop,
    /** The reply to a failure. Rethrows a failure that must not be spoken. */
    failure(error: unknown): 'not_a_question' | 'slow' | 'slow_unsure' | 'failed' {
      if (whole.signal.aborted || isOver) throw error;
      if (error instanceof OnlyAsks) return 'not_a_question';
      if (limit.signal.aborted) return acted ? 'slow_unsure' : 'slow';
      if (error instanceof AppError) return 'failed';
      throw error;
    },
  };
}

/** Stops waiting for work that ignores its signal. */
async function untilLate<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>();
  const onAbort = (): void => late.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    late.promise.catch(() => undefined);
    work.catch(() => undefined);
  }
}
