import { randomUUID } from 'node:crypto';
import type { Pipeline } from '../../settings/pipeline.ts';
import { type Routine, type RoutineStep, stepsOf } from '../../settings/routine.ts';
import type { RoutineFault, RoutinesToCheck } from '../../settings/routine-fault.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { standAlone } from '../core/part.ts';
import type { DryRunOutcome, DryRunResponder, Question } from '../core/responder.ts';
import type { SkillResponder } from '../core/skill-responder.ts';
import type { RoutineSentences } from './routine-sentences.ts';

interface CheckOptions {
  skills: Pick<SkillResponder, 'name' | 'respond' | 'dryRun' | 'understood' | 'accepts' | 'meaning'>;
  /** The house's reader of sentences; null if none is connected. */
  home: {
    sentences: { covers(text: string): Promise<boolean>; asks(text: string): Promise<boolean> };
  } | null;
  /** Says which connection is missing. */
  notConnected: DryRunResponder;
  /** The responders for a step, in the order in which they are asked: these two and those of the house. */
  responders: readonly DryRunResponder[];
  pendingQuestions: Pick<HouseholdQuestions, 'last'>;
  /** Whether a yes alone answers a question of this kind. */
  takesYes: (kind: string) => boolean;
  sentences: Pick<RoutineSentences, 'plain'>;
  settings: () => Pipeline;
  now: () => number;
}

type Fault = Pick<RoutineFault, 'kind' | 'text'>;

/** The built-in answer is only a greeting, so a routine may replace it. */
const isGreeting = (found: { skill: string; intent: string }): boolean =>
  found.skill === 'talk' && found.intent === 'goodbye';

/** Finds faults in routines before they are saved. Null: no fault. It runs and stores nothing. */
export function createRoutineCheck(options: CheckOptions) {
  const { skills, home, sentences } = options;
  const checkStep = createStepCheck(options);

  const checkSentence = async (sentence: string): Promise<Fault | null> => {
    const found = skills.understood(sentence);
    const isKnown = (found && !isGreeting(found)) || (await home?.sentences.covers(sentence));
    return isKnown ? { kind: 'sentence_known', text: '' } : null;
  };

  const checkSentences = async (routine: Routine): Promise<RoutineFault | null> => {
    for (const [place, sentence] of routine.sentences.entries()) {
      const fault = await checkSentence(sentence);
      if (fault) return { param: `sentences.${place}`, ...fault };
    }
    return null;
  };

  const checkSteps = async (routine: Routine, starts: ReadonlySet<string>, signal: AbortSignal) => {
    for (const [place, step] of stepsOf(routine).entries()) {
      signal.throwIfAborted();
      if (step.kind === 'say') continue;
      const isStart = starts.has(sentences.plain(step.text));
      const fault: Fault | null = isStart
        ? { kind: 'starts_routine', text: '' }
        : await checkStep(step, signal);
      if (fault) return { param: `steps.${place}.${step.kind}`, ...fault };
    }
    return null;
  };

  return async (
    { routines, changed }: RoutinesToCheck,
    signal: AbortSignal,
  ): Promise<RoutineFault | null> => {
    const double = findDouble(routines, sentences.plain);
    if (double) return double;
    const starts = new Set(routines.flatMap((each) => each.sentences.map(sentences.plain)));
    for (const at of changed) {
      const routine = routines[at];
      if (!routine) continue;
      const fault = (await checkSentences(routine)) ?? (await checkSteps(routine, starts, signal));
      if (fault) return { ...fault, param: `routines.${at}.${fault.param}` };
    }
    return null;
  };
}

/** Two routines with the same name, or a sentence that starts two. */
function findDouble(routines: readonly Routine[], plain: (text: string) => string): RoutineFault | null {
  const [names, sentences] = [new Set<string>(), new Set<string>()];
  for (const [at, routine] of routines.entries()) {
    const name = plain(routine.name);
    if (name === '' || names.has(name)) return { param: `routines.${at}.name`, kind: 'name_taken', text: '' };
    names.add(name);
    for (const [place, each] of routine.sentences.entries()) {
      const sentence = plain(each);
      const param = `routines.${at}.sentences.${place}`;
      if (sentence === '' || sentences.has(sentence)) return { param, kind: 'sentence_taken', text: '' };
      sentences.add(sentence);
    }
  }
  return null;
}

function createStepCheck(options: CheckOptions) {
  const { skills, home, notConnected, responders, pendingQuestions, takesYes, settings, now } = options;

  /** Checks a step that asks back: it is a question, or a command without a target. */
  const checkAsked = async (by: DryRunResponder, said: string): Promise<Fault | null> => {
    const onlyTells =
      by === skills ? skills.meaning(said)?.effect === 'none' : await home?.sentences.asks(said);
    return onlyTells ? null : { kind: 'acts', text: '' };
  };

  /** Checks a command that has no effect now: it may have one at another time. */
  const checkIdle = async (
    by: DryRunResponder,
    said: string,
    { text, asks }: CheckedStep,
  ): Promise<Fault | null> => {
    if (asks !== null) return takesYes(asks) ? null : { kind: 'asks_back', text };
    if (by === skills) return skills.accepts(said).isWhole ? null : { kind: 'asks_back', text };
    return (await home?.sentences.covers(said)) ? null : { kind: 'refused', text };
  };

  const judge = async (by: DryRunResponder, { kind, text: said }: RoutineStep, predicted: CheckedStep) => {
    if (by === notConnected) return { kind: 'refused' as const, text: predicted.text };
    if (predicted.acts) return kind === 'ask' ? { kind: 'acts' as const, text: '' } : null;
    return kind === 'ask' ? checkAsked(by, said) : checkIdle(by, said, predicted);
  };

  return async (step: RoutineStep, signal: AbortSignal): Promise<Fault | null> => {
    const found = skills.understood(step.text);
    if (found && standAlone.has(found.skill)) return { kind: 'no_request', text: '' };
    const question = questionOf(step.text, { settings: settings(), now: now(), signal });
    for (const by of responders) {
      const predicted = await by.dryRun(question);
      if (!predicted) continue;
      const { id, createdAt } = question.turn;
      const asks = await pendingQuestions.last([{ user: '', assistant: '', turn: id }], createdAt);
      return judge(by, step, { ...predicted, asks: asks?.kind ?? null });
    }
    return { kind: 'not_understood', text: '' };
  };
}

interface CheckedStep extends DryRunOutcome {
  /** The kind of the question at its end. */
  asks: string | null;
}

/** A question as if spoken in no particular room, by a person who can answer. */
function questionOf(
  text: string,
  { settings, now, signal }: { settings: Pipeline; now: number; signal: AbortSignal },
): Question {
  const id = `routine-${randomUUID()}`;
  const turn: Question['turn'] = {
    id,
    source: 'ask',
    text,
    isSure: true,
    conversation: id,
    room: null,
    createdAt: now,
    deadlineAt: now + 60_000,
    replyTo: '',
    streams: false,
    speaks: false,
    isTentative: false,
    revision: 0,
  };
  return {
    turn,
    message: text,
    settings,
    exchanges: [],
    say: () => undefined,
    signal,
    untilConfirmed: async () => undefined,
    beginActing: async () => undefined,
  };
}
