import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../language/translate.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import {
  changeStep,
  moveStep,
  partOfParam,
  type Routine,
  type RoutineDraft,
  routineOf,
  type StepDraft,
  type Wrong,
  withoutStep,
  withStep,
} from '../../settings/routines.ts';

const maxSteps = 20;

interface EditorProps {
  draft: RoutineDraft;
  /** Its index among the routines. */
  at: number;
  /** The person has just opened it, so it takes the focus. */
  isOpening: boolean;
  wrong: Wrong | null;
  onDraft: (draft: RoutineDraft) => void;
  onKeep: (routine: Routine) => Promise<void>;
  onLeave: () => void;
}

/** Edits one routine. Shows each error beside the part that it is about. */
export function RoutineEditor(props: EditorProps) {
  const { draft, at, isOpening, wrong, onDraft, onKeep, onLeave } = props;
  const id = useId();
  const isBusy = useSignal(false);
  const moved = useSignal('');
  const name = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isOpening) name.current?.focus();
  }, []);
  const part = partOfParam(wrong?.param ?? null, at);
  const isAt = (place: 'name' | 'sentences') => part === place;
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault();
    isBusy.value = true;
    await onKeep(routineOf(draft));
    isBusy.value = false;
  };
  const change = (next: RoutineDraft, said = ''): void => {
    moved.value = said;
    onDraft(next);
  };
  const { steps } = draft;

  return (
    <form class="stack routine" noValidate onSubmit={(event) => void keep(event)}>
      <label>
        {t('Name')}
        <input
          ref={name}
          type="text"
          maxLength={60}
          autocomplete="off"
          value={draft.name}
          aria-invalid={isAt('name')}
          aria-describedby={isAt('name') ? `${id}-why` : undefined}
          onInput={({ currentTarget }) => change({ ...draft, name: currentTarget.value })}
        />
      </label>
      {isAt('name') && <Why id={`${id}-why`} why={wrong?.why} />}
      <label>
        {t('Sentences that start it, one on each line')}
        <textarea
          rows={3}
          value={draft.sentences}
          aria-invalid={isAt('sentences')}
          aria-describedby={isAt('sentences') ? `${id}-why` : undefined}
          onInput={({ currentTarget }) => change({ ...draft, sentences: currentTarget.value })}
        />
      </label>
      {isAt('sentences') && <Why id={`${id}-why`} why={wrong?.why} />}
      <fieldset>
        <legend>{t('Steps')}</legend>
        <ol class="routine-steps">
          {steps.map((step, place) => (
            <Step
              key={step.id}
              {...{ step, place, draft, change }}
              why={isStep(part, place) ? (wrong?.why ?? null) : null}
            />
          ))}
        </ol>
      </fieldset>
      <p role="status" class="visually-hidden">
        {moved}
      </p>
      {wrong && part === null && <Why id={`${id}-why`} why={wrong.why} />}
      <div class="row">
        <button type="button" disabled={steps.length >= maxSteps} onClick={() => change(withStep(draft))}>
          {t('Add a step')}
        </button>
        <button type="submit" class="primary" disabled={isBusy.value}>
          {t('Save the routine')}
        </button>
        <button type="button" onClick={onLeave}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}

function isStep(part: ReturnType<typeof partOfParam>, place: number): boolean {
  return typeof part === 'object' && part?.step === place;
}

function Why({ id, why }: { id: string; why: string | undefined }) {
  return <ErrorText text={why ?? ''} id={id} />;
}

interface StepProps {
  step: StepDraft;
  place: number;
  draft: RoutineDraft;
  /** Its error; null: it has none. */
  why: string | null;
  change: (draft: RoutineDraft, said?: string) => void;
}

function Step({ step, place, draft, why, change }: StepProps) {
  const id = useId();
  const number = place + 1;
  const buttons = useRef<HTMLDivElement>(null);
  const move = (by: -1 | 1) => () => {
    change(
      moveStep(draft, step.id, by),
      t('Step {number} is now step {next}.', { number, next: number + by }),
    );
    // The row moves, which would lose its focus.
    setTimeout(() => {
      const [up, down] = buttons.current?.querySelectorAll('button') ?? [];
      const wanted = by === -1 ? up : down;
      (wanted?.disabled ? (by === -1 ? down : up) : wanted)?.focus();
    });
  };
  return (
    <li class="routine-step">
      <select
        aria-label={t('Kind of step {number}', { number })}
        value={step.kind}
        onChange={({ currentTarget: { value } }) =>
          change(
            changeStep(draft, step.id, {
              kind: value === 'say' ? 'say' : value === 'ask' ? 'ask' : 'command',
            }),
          )
        }
      >
        <option value="command">{t('command: do this')}</option>
        <option value="ask">{t('ask: tell the answer')}</option>
        <option value="say">{t('say: these words')}</option>
      </select>
      <input
        type="text"
        maxLength={300}
        autocomplete="off"
        aria-label={t('Words of step {number}', { number })}
        aria-invalid={why !== null}
        aria-describedby={why === null ? undefined : `${id}-why`}
        value={step.text}
        onInput={({ currentTarget }) => change(changeStep(draft, step.id, { text: currentTarget.value }))}
      />
      <div class="row" ref={buttons}>
        <button
          type="button"
          disabled={place === 0}
          aria-label={t('Move step {number} up', { number })}
          onClick={move(-1)}
        >
          ↑
        </button>
        <button
          type="button"
          disabled={place === draft.steps.length - 1}
          aria-label={t('Move step {number} down', { number })}
          onClick={move(1)}
        >
          ↓
        </button>
        <button
          type="button"
          disabled={draft.steps.length === 1}
          aria-label={t('Remove step {number}', { number })}
          onClick={() => change(withoutStep(draft, step.id), t('Step {number} is removed.', { number }))}
        >
          ✕
        </button>
      </div>
      {why !== null && <Why id={`${id}-why`} why={why} />}
    </li>
  );
}
