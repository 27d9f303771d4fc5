import type { components } from '../../../api/src/http/contract-types.ts';
import { pageLanguage, t } from '../language/translate.ts';

export type Routine = components['schemas']['Routine'];
type StepKind = 'say' | 'ask' | 'command';

export interface StepDraft {
  /** Identifies the step when it moves. */
  id: number;
  kind: StepKind;
  text: string;
}

/** A routine in the editor. */
export interface RoutineDraft {
  name: string;
  /** One on each line. */
  sentences: string;
  steps: readonly StepDraft[];
}

/** Routines that the page suggests. A suggestion becomes active when someone saves it. */
export const suggestions = (): readonly Routine[] => [
  {
    name: t('Good night'),
    sentences: [t('good night'), t('bedtime')],
    steps: [
      { command: t('turn off all lights') },
      { ask: t('what alarms are set for tomorrow') },
      ...askCalendar('what is on my calendar tomorrow'),
      { say: t('Sleep well.') },
    ],
  },
  {
    name: t('Good morning'),
    sentences: [t('good morning')],
    steps: [
      { say: t('Good morning.') },
      { ask: t('what is the weather today') },
      ...askCalendar('what is on my calendar today'),
      { ask: t('what are my reminders for today') },
    ],
  },
];

/** Only English has sentences about calendars. */
const askCalendar = (ask: string): Routine['steps'] => (pageLanguage() === 'en' ? [{ ask }] : []);

const emptyStep = (id: number): StepDraft => ({ id, kind: 'command', text: '' });

export const emptyDraft: RoutineDraft = { name: '', sentences: '', steps: [emptyStep(1)] };

export function draftOf({ name, sentences, steps }: Routine): RoutineDraft {
  return {
    name,
    sentences: sentences.join('\n'),
    steps: steps.map((step, at) => ({ id: at + 1, ...partsOf(step) })),
  };
}

/** Why a routine cannot be saved, and the part with the error. */
export interface Wrong {
  param: string | null;
  why: string;
}

/** The first part that is empty. `at` is the routine's index. Null: it is complete. */
export function missingIn(routine: Routine, at: number): Wrong | null {
  const { name, sentences, steps } = routine;
  if (name === '') return { param: `routines.${at}.name`, why: t('Enter a name.') };
  if (sentences.length === 0)
    return { param: `routines.${at}.sentences`, why: t('Enter at least one sentence.') };
  const empty = steps.findIndex((step) => partsOf(step).text === '');
  return empty < 0
    ? null
    : { param: `routines.${at}.steps.${empty}`, why: t('Enter the words of this step.') };
}

export function routineOf({ name, sentences, steps }: RoutineDraft): Routine {
  return {
    name: name.trim(),
    sentences: sentences
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    steps: steps.map(({ kind, text }) => stepOf(kind, text.trim())),
  };
}

/** The kind and the words of a step, from the server's record. */
export function partsOf({ say, ask, command }: Routine['steps'][number]): { kind: StepKind; text: string } {
  if (say !== undefined) return { kind: 'say', text: say };
  return ask !== undefined ? { kind: 'ask', text: ask } : { kind: 'command', text: command ?? '' };
}

function stepOf(kind: StepKind, text: string): Routine['steps'][number] {
  if (kind === 'say') return { say: text };
  return kind === 'ask' ? { ask: text } : { command: text };
}

export function withStep(draft: RoutineDraft): RoutineDraft {
  const id = Math.max(0, ...draft.steps.map((step) => step.id)) + 1;
  return { ...draft, steps: [...draft.steps, emptyStep(id)] };
}

export function withoutStep(draft: RoutineDraft, id: number): RoutineDraft {
  return { ...draft, steps: draft.steps.filter((step) => step.id !== id) };
}

export function changeStep(draft: RoutineDraft, id: number, change: Partial<StepDraft>): RoutineDraft {
  return { ...draft, steps: draft.steps.map((step) => (step.id === id ? { ...step, ...change } : step)) };
}

/** Moves a step up (-1) or down (1), if it can go there. */
export function moveStep(draft: RoutineDraft, id: number, by: -1 | 1): RoutineDraft {
  const from = draft.steps.findIndex((step) => step.id === id);
  const [step, other] = [draft.steps[from], draft.steps[from + by]];
  if (!step || !other) return draft;
  return {
    ...draft,
    steps: draft.steps.map((each, at) => (at === from ? other : at === from + by ? step : each)),
  };
}

/** The part of the routine with the error: `routines.2.steps.0.command` is the first step of the third. */
export function partOfParam(
  param: string | null,
  routine: number,
): 'name' | 'sentences' | { step: number } | null {
  const [, at, part, place] = /^routines\.(\d+)\.?(name|sentences|steps)?\.?(\d+)?/.exec(param ?? '') ?? [];
  if (at === undefined || Number(at) !== routine) return null;
  if (part === 'steps') return { step: Number(place ?? 0) };
  return part === 'name' || part === 'sentences' ? part : null;
}
