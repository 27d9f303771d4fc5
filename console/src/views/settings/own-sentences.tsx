import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { type Changes, useChanges } from '../../parts/change.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { RestartNote } from '../../parts/restart-note.tsx';
import { sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';
import type { SentenceEditing } from '../../settings/desk.ts';

type SentenceFile = components['schemas']['OwnSentenceFile'];
type Sentences = components['schemas']['OwnSentences'];

const path = '/admin/own-sentences';
const intervalMs = 10_000;
/** Long, because the server loads all sentences before it saves a file. */
const sentencesMs = 130_000;

const pathOf = (file: string, part = '') => `${path}${part}?file=${encodeURIComponent(file)}`;

/** Edits the household's own sentences, in the same files that people can write by hand. */
export function OwnSentencesCard({ house }: { house: House }) {
  const poll = useResource<Sentences>(house, path, intervalMs);
  const changes = useChanges(house, poll);
  if (poll.state.value.isMissing) return null;
  return (
    <section class="card stack" aria-labelledby="own-sentences">
      <h2 id="own-sentences">{t('Own sentences')}</h2>
      <p class="quiet">
        {t(
          'Words and sentences of your home that Hearth does not know. Write only your additions, in a file with the name and the form of one of Hearth’s own files.',
        )}
      </p>
      <Loaded state={poll.state.value} what={t('own sentences')}>
        {(shown) => <Files house={house} shown={shown} changes={changes} />}
      </Loaded>
    </section>
  );
}

interface FilesProps {
  house: House;
  shown: Partial<Sentences>;
  changes: Changes;
}

function Files({ house, shown, changes }: FilesProps) {
  const { files = [], possible = [], restart_needed = false } = shown;
  const { sentences: editing } = house.settings;
  const said = useSignal('');
  const isBusy = useSignal(false);
  const edit = ({ file, text }: SentenceFile): void => {
    [said.value, changes.trouble.value] = ['', ''];
    editing.value = { file, first: text, text };
  };
  const change = async (where: string, how: { method: string; body?: SentenceFile }, done: string) => {
    if (isBusy.value) return;
    [said.value, isBusy.value] = [t('Hearth reads all its sentences …'), true];
    const isMade = await changes.change(where, { ...how, withinMs: sentencesMs });
    [said.value, isBusy.value] = [isMade ? done : '', false];
    if (isMade) editing.value = null;
  };
  if (possible.length === 0) return <p class="quiet">{t('No language of this home takes own sentences.')}</p>;
  return (
    <>
      {restart_needed && (
        <RestartNote house={house}>
          {t('Hearth uses the changed sentences only after a restart.')}
        </RestartNote>
      )}
      {files.length === 0 && <p class="quiet">{t('There are no own sentences yet.')}</p>}
      <ul class="items">
        {files.map(({ file, text }) => (
          <li key={file} class="row">
            <span class="mono words">{file}</span>
            <span class="row">
              <button type="button" onClick={() => edit({ file, text })}>
                {t('Edit')}
                <span class="visually-hidden"> {file}</span>
              </button>
              <ConfirmButton
                sure={t('Delete it?')}
                disabled={isBusy.value}
                onConfirm={() =>
                  void change(pathOf(file), { method: 'DELETE' }, t('{name} is deleted.', { name: file }))
                }
              >
                {t('Delete')}
                <span class="visually-hidden"> {file}</span>
              </ConfirmButton>
            </span>
          </li>
        ))}
      </ul>
      {editing.value === null ? (
        <AddFile
          possible={possible.filter((name) => !files.some(({ file }) => file === name))}
          onAdd={(file) => edit({ file, text: '' })}
        />
      ) : (
        <SentenceEditor
          key={editing.value.file}
          house={house}
          draft={editing.value}
          isBusy={isBusy.value}
          trouble={changes.trouble.value}
          onText={(text) => {
            if (editing.value) editing.value = { ...editing.value, text };
          }}
          onSave={({ file, text }) =>
            void change(path, { method: 'PUT', body: { file, text } }, t('{name} is saved.', { name: file }))
          }
          onLeave={() => {
            [editing.value, changes.trouble.value] = [null, ''];
          }}
        />
      )}
      {editing.value === null && <ErrorText text={changes.trouble} />}
      <p role="status" class={said.value === '' ? 'visually-hidden' : 'quiet words'}>
        {said}
      </p>
    </>
  );
}

interface AddFileProps {
  possible: readonly string[];
  onAdd: (file: string) => void;
}

function AddFile({ possible, onAdd }: AddFileProps) {
  const id = useId();
  const chosen = useSignal('');
  const file = possible.includes(chosen.value) ? chosen.value : possible[0];
  if (file === undefined) return null;
  return (
    <div class="stack">
      <label for={id}>{t('Add to one of Hearth’s files')}</label>
      <div class="row">
        <select
          id={id}
          class="short-text"
          value={file}
          onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
        >
          {possible.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button type="button" onClick={() => onAdd(file)}>
          {t('Write additions')}
        </button>
      </div>
    </div>
  );
}

interface SentenceEditorProps {
  house: House;
  draft: SentenceEditing;
  isBusy: boolean;
  /** Why the server refused the last change; '': it did not. */
  trouble: string;
  onText: (text: string) => void;
  onSave: (draft: SentenceEditing) => void;
  onLeave: () => void;
}

function SentenceEditor({ house, draft, isBusy, trouble, onText, onSave, onLeave }: SentenceEditorProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSave(draft);
      }}
    >
      <label for={id}>{t('Your additions to {file}', { file: draft.file })}</label>
      <textarea
        ref={field}
        id={id}
        class="mono"
        rows={8}
        maxLength={200_000}
        spellcheck={false}
        autocapitalize="off"
        placeholder={'sentences:\n  put:\n    - pop {items} on {list}'}
        value={draft.text}
        aria-invalid={trouble !== ''}
        aria-describedby={`${id}-why`}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <ErrorText id={`${id}-why`} text={trouble} />
      <div class="row">
        <button type="submit" class="primary" disabled={isBusy || draft.text.trim() === ''}>
          {t('Check and save')}
        </button>
        <button type="button" onClick={onLeave}>
          {t('Cancel')}
        </button>
      </div>
      <Shipped house={house} file={draft.file} />
    </form>
  );
}

/** Hearth's own file, which shows the names that additions may use. */
function Shipped({ house, file }: { house: House; file: string }) {
  const text = useSignal<string | null>(null);
  const trouble = useSignal('');
  const load = async (): Promise<void> => {
    if (text.value !== null) return;
    try {
      const { body } = await house.caller.call(pathOf(file, '/shipped'));
      [text.value, trouble.value] = [bodyOf<SentenceFile>(body).text ?? '', ''];
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
  };
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && void load()}>
      <summary>{t('Hearth’s own {file}', { file })}</summary>
      <ErrorText text={trouble} />
      {text.value !== null && (
        <textarea
          class="mono"
          rows={12}
          readOnly
          spellcheck={false}
          aria-label={t('Hearth’s own {file}', { file })}
          value={text.value}
        />
      )}
    </details>
  );
}
