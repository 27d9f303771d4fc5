import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { CallError, sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';
import {
  draftOf,
  emptyDraft,
  missingIn,
  partsOf,
  type Routine,
  type RoutineDraft,
  suggestions,
  type Wrong,
} from '../../settings/routines.ts';
import { RoutineEditor } from './routine-editor.tsx';

/** Long, because a routine may take longer than any other question. */
const tryMs = 70_000;

/** Lists, adds, edits, tries and deletes the routines of the household. */
export function Routines({ house }: { house: House }) {
  const { form, editing } = house.settings;
  const hasOpened = useRef(false);
  const wrong = useSignal<Wrong | null>(null);
  const said = useSignal('');
  const routines = form.state.value.values?.routines;
  if (!routines) return null;

  /** Saves all routines. If the server refuses one, it changes none. */
  const keep = async (changed: readonly Routine[], done: string): Promise<void> => {
    wrong.value = null;
    said.value = '';
    try {
      await house.caller.call('/admin/pipeline', {
        method: 'PATCH',
        body: { routines: changed },
        headers: form.etag.value === null ? {} : { 'if-match': form.etag.value },
      });
      editing.value = null;
      said.value = done;
    } catch (error) {
      const param = error instanceof CallError ? error.param : null;
      wrong.value = { param, why: sentenceOf(error) };
    }
    await form.load();
  };
  const edit = (at: number, draft: RoutineDraft): void => {
    hasOpened.current = true;
    [editing.value, wrong.value, said.value] = [{ at, first: draft, draft }, null, ''];
  };
  const editor = editing.value && (
    <RoutineEditor
      key={editing.value.at}
      draft={editing.value.draft}
      at={editing.value.at}
      isOpening={hasOpened.current}
      wrong={wrong.value}
      onDraft={(draft) => {
        if (editing.value) editing.value = { ...editing.value, draft };
      }}
      onKeep={async (routine) => {
        const at = editing.value?.at ?? 0;
        wrong.value = missingIn(routine, at);
        if (wrong.value === null)
          await keep(replaced(routines, at, routine), t('{name} is saved.', { name: routine.name }));
      }}
      onLeave={() => {
        [editing.value, wrong.value] = [null, null];
      }}
    />
  );
  const isNew = editing.value !== null && editing.value.at >= routines.length;

  return (
    <section class="card stack" aria-labelledby="routines">
      <h2 id="routines">{t('Routines')}</h2>
      <p class="quiet">{t('One sentence that does several things in order.')}</p>
      {routines.length === 0 && <p class="quiet">{t('There are no routines yet.')}</p>}
      <ul class="routines">
        {routines.map((routine, at) => (
          <li key={routine.name} class="stack">
            {editing.value?.at === at ? (
              editor
            ) : (
              <OneRoutine
                house={house}
                routine={routine}
                onEdit={() => edit(at, draftOf(routine))}
                onDelete={() =>
                  void keep(routines.toSpliced(at, 1), t('{name} is deleted.', { name: routine.name }))
                }
              />
            )}
          </li>
        ))}
      </ul>
      {isNew && editor}
      {editing.value === null && wrong.value && <ErrorText text={wrong.value.why} />}
      <p role="status" class={said.value === '' ? 'visually-hidden' : 'quiet'}>
        {said}
      </p>
      {editing.value === null && <Add routines={routines} onAdd={(draft) => edit(routines.length, draft)} />}
    </section>
  );
}

function replaced(routines: readonly Routine[], at: number, routine: Routine): Routine[] {
  return at >= routines.length ? [...routines, routine] : routines.with(at, routine);
}

interface AddProps {
  routines: readonly Routine[];
  onAdd: (draft: RoutineDraft) => void;
}

function Add({ routines, onAdd }: AddProps) {
  const names = new Set(routines.map(({ name }) => name.toLowerCase()));
  const fresh = suggestions().filter(({ name }) => !names.has(name.toLowerCase()));
  return (
    <div class="row">
      <button type="button" onClick={() => onAdd(emptyDraft)}>
        {t('Add a routine')}
      </button>
      {fresh.map((routine) => (
        <button key={routine.name} type="button" onClick={() => onAdd(draftOf(routine))}>
          {t('Add “{name}”', { name: routine.name })}
        </button>
      ))}
    </div>
  );
}

const kinds = {
  say: () => t('say|step'),
  ask: () => t('ask|step'),
  command: () => t('command|step'),
};

interface OneRoutineProps {
  house: House;
  routine: Routine;
  onEdit: () => void;
  onDelete: () => void;
}

function OneRoutine({ house, routine, onEdit, onDelete }: OneRoutineProps) {
  const { name, sentences, steps } = routine;
  const status = useSignal('');
  const isBusy = useSignal(false);
  const tryIt = async (): Promise<void> => {
    isBusy.value = true;
    status.value = '';
    const { name: client, room } = house.keeper.device.value;
    try {
      const question = { text: sentences[0], client, ...(room !== '' && { room }) };
      const { body } = await house.caller.call('/ask', { body: question, withinMs: tryMs });
      status.value = bodyOf<{ reply: string }>(body).reply ?? '';
    } catch (error) {
      status.value = sentenceOf(error);
    }
    isBusy.value = false;
  };
  return (
    <>
      <div class="row spread">
        <h3 class="words">{name}</h3>
        <div class="row">
          <button type="button" disabled={isBusy.value} onClick={() => void tryIt()}>
            {t('Try it')}
            <span class="visually-hidden"> {name}</span>
          </button>
          <button type="button" onClick={onEdit}>
            {t('Edit')}
            <span class="visually-hidden"> {name}</span>
          </button>
          <ConfirmButton sure={t('Delete it?')} onConfirm={onDelete}>
            {t('Delete')}
            <span class="visually-hidden"> {name}</span>
          </ConfirmButton>
        </div>
      </div>
      <p class="quiet small words">{sentences.map((words) => t('“{words}”', { words })).join(', ')}</p>
      <ol class="routine-steps">
        {steps.map((step, at) => {
          const { kind, text } = partsOf(step);
          return (
            <li key={at} class="words">
              <span class="tag">{kinds[kind]()}</span> {text}
            </li>
          );
        })}
      </ol>
      <p role="status" class={status.value === '' ? 'visually-hidden' : 'note words'}>
        {status}
      </p>
    </>
  );
}
