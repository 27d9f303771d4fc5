import { withCapital } from '../../language/capitals.ts';
import { joined } from '../../language/phrase.ts';
import { type Routine, type RoutineStep, stepsOf } from '../../settings/routine.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { ended } from '../core/part.ts';
import { firstAnswer, type Question, type Responder } from '../core/responder.ts';
import { createRoutineStep, type StepOutcome } from './routine-step.ts';
import type { SayRoutine } from './routines-shape.ts';

/**
 * A house may take ten seconds and a turn a minute. A step must not start so late that the turn's deadline
 * would cut it off.
 */
const routineLimits: RoutineLimits = { stepMs: 10_000, allMs: 40_000 };

export interface RoutineLimits {
  stepMs: number;
  /** Time after which no further step starts. */
  allMs: number;
}

interface RunOptions {
  /** The responders for steps, in order; none is a routine. */
  responders: readonly Responder[];
  pendingQuestions: Pick<HouseholdQuestions, 'last' | 'note'>;
  /** Whether a step may let someone in. */
  opensUp: (question: Question) => Promise<boolean>;
  /** Waits for the names of the house. Returns why they are unknown; null: they are known. */
  awaitNames: (question: Question) => Promise<string | null>;
  reply: SayRoutine;
  and: string;
  limits?: RoutineLimits;
}

/**
 * Runs the steps of a routine in order and reports each. It names a failed step and runs the rest anyway.
 * Steps that need a yes come last.
 */
export function createRunRoutine(options: RunOptions) {
  const { responders, pendingQuestions, opensUp, awaitNames, reply, and, limits = routineLimits } = options;
  const outcomeOf = createRoutineStep({
    responders,
    pendingQuestions,
    opensUp,
    reply,
    stepMs: limits.stepMs,
  });
  const whatOf = (steps: readonly RoutineStep[]) =>
    withCapital(
      joined(
        steps.map(({ text }) => text.replace(/[.!?]+$/, '')),
        { between: and, last: and },
      ),
    );

  /** Asks one question under this turn's id, so that the next turn may answer it. */
  const askLast = async (question: Question, opening: RoutineStep[], others: RoutineStep[]) => {
    const { turn } = question;
    const texts: string[] = [];
    const alone = opening.length > 0 ? null : (others.shift() ?? null);
    texts.push(...others.map((step) => reply('needs_yes', { what: whatOf([step]) }, turn)));
    if (alone) {
      const whole = { ...question, exchanges: [], turn: { ...turn, text: alone.text } };
      texts.push((await firstAnswer(responders, whole, () => undefined))?.text ?? '');
    }
    if (opening.length === 0) return texts;
    const what = whatOf(opening);
    if (turn.conversation === null) return [...texts, reply('cannot_ask', { what }, turn)];
    await pendingQuestions.note(turn, { kind: 'routine.open', texts: opening.map(({ text }) => text) });
    return [...texts, reply('shall_open', { what }, turn)];
  };

  return async (routine: Routine, question: Question): Promise<string> => {
    const { turn, signal } = question;
    const said: string[] = [];
    const tell = (text: string): void => {
      if (text === '') return;
      question.say(said.length === 0 ? ended(text) : ` ${ended(text)}`);
      said.push(ended(text));
    };
    const steps = stepsOf(routine);
    const waiting: Record<NonNullable<StepOutcome['waitsFor']>, RoutineStep[]> = {
      opening: [],
      question: [],
    };
    const isOnlySaid = steps.every(({ kind }) => kind === 'say');
    // Right after a start, a step may name a scene whose name has not been read yet.
    const namesUnknown = isOnlySaid ? null : await awaitNames(question);
    const startedAt = performance.now();
    for (const [at, step] of steps.entries()) {
      signal.throwIfAborted();
      if (performance.now() - startedAt > limits.allMs) {
        tell(reply('no_time', { what: whatOf(steps.slice(at)) }, turn));
        break;
      }
      const { text, waitsFor } =
        step.kind === 'say'
          ? { text: step.text }
          : await outcomeOf(step, { whole: question, id: String(at + 1), namesUnknown });
      if (waitsFor) waiting[waitsFor].push(step);
      else tell(text);
    }
    for (const text of await askLast(question, waiting.opening, waiting.question)) tell(text);
    return said.join(' ');
  };
}
