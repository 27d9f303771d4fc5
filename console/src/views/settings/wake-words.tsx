import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { useChanges } from '../../parts/change.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';

type Words = components['schemas']['WakeWordFiles'];
type Word = Words['words'][number];
type NewWord = components['schemas']['NewWakeWord'];

const path = '/admin/wake-words';
const intervalMs = 10_000;
/** The server's size limit. */
const maxModelBytes = 1_000_000;

/** Lists the wake word models of Hearth and of the household. */
export function WakeWordModels({ house }: { house: House }) {
  const poll = useResource<Words>(house, path, intervalMs);
  const { trouble, change } = useChanges(house, poll);
  const said = useSignal('');
  if (poll.state.value.isMissing) return null;
  const make = async (where: string, how: { method: string; body?: object }, done: string) => {
    said.value = '';
    const isMade = await change(where, how);
    if (isMade) said.value = done;
    // The setting offers only installed wake words.
    if (isMade) await house.settings.form.load();
    return isMade;
  };
  const { words: known = [] } = poll.state.value.value ?? {};
  const used = known.filter((each) => each.is_used).map(({ word }) => word);
  const use = ({ word, phrase, is_used: isUsed }: Word) => {
    const body = { wake_words: isUsed ? used.filter((each) => each !== word) : [...used, word] };
    const done = isUsed
      ? t('Hearth no longer listens for “{phrase}”.', { phrase })
      : t('Hearth listens for “{phrase}”.', { phrase });
    void make('/admin/pipeline', { method: 'PATCH', body }, done);
  };
  return (
    <section class="card stack" aria-labelledby="wake-words">
      <h2 id="wake-words">{t('Wake words')}</h2>
      <p class="quiet">
        {t(
          'The words that wake a satellite, and this page in the mode “By wake word”. Add one of microWakeWord, as for Home Assistant.',
        )}
      </p>
      <Loaded state={poll.state.value} what={t('wake words')}>
        {({ words = [], refused = [] }) => (
          <>
            {words.length === 0 && <p class="quiet">{t('There is no wake word model yet.')}</p>}
            <ul class="items">
              {words.map((word) => (
                <WakeWordRow
                  key={word.word}
                  word={word}
                  onUse={word.is_used && used.length === 1 ? null : () => use(word)}
                  onDelete={() =>
                    void make(
                      `${path}/${encodeURIComponent(word.word)}`,
                      { method: 'DELETE' },
                      t('“{phrase}” is deleted.', { phrase: word.phrase }),
                    )
                  }
                />
              ))}
            </ul>
            {refused.map(({ file, reason }) => (
              <p key={file} class="wrong small">
                {t('{file} cannot be used: {reason}.', { file, reason })}
              </p>
            ))}
          </>
        )}
      </Loaded>
      <AddWakeWord
        onTrouble={(why) => {
          [trouble.value, said.value] = [why, ''];
        }}
        onAdd={(body) =>
          make(path, { method: 'POST', body }, t('The wake word is added. Press “Use it” to listen for it.'))
        }
      />
      <ErrorText text={trouble} />
      <p role="status" class={said.value === '' ? 'visually-hidden' : 'quiet'}>
        {said}
      </p>
    </section>
  );
}

interface WakeWordRowProps {
  word: Word;
  /** Starts or stops using it. Null: it is the only one in use. */
  onUse: (() => void) | null;
  onDelete: () => void;
}

function WakeWordRow({ word, onUse, onDelete }: WakeWordRowProps) {
  const { phrase, is_own, is_used, size_bytes } = word;
  const facts = [
    t('{size} kB', { size: Math.round(size_bytes / 1_000) }),
    is_own && t('added by you'),
    is_used && t('in use'),
  ];
  return (
    <li class="row">
      <span class="words">
        {phrase} <span class="quiet small">{facts.filter(Boolean).join(', ')}</span>
      </span>
      <span class="row">
        {onUse && (
          <button type="button" onClick={onUse}>
            {is_used ? t('Stop using it') : t('Use it')}
            <span class="visually-hidden">: {phrase}</span>
          </button>
        )}
        {is_own && (
          <ConfirmButton sure={t('Delete it?')} onConfirm={onDelete}>
            {t('Delete')}
            <span class="visually-hidden"> {phrase}</span>
          </ConfirmButton>
        )}
      </span>
    </li>
  );
}

interface AddWakeWordProps {
  onTrouble: (why: string) => void;
  onAdd: (word: NewWord) => Promise<boolean>;
}

/** Phones do not know these file types, so the field accepts any file. */
function AddWakeWord({ onTrouble, onAdd }: AddWakeWordProps) {
  const field = useRef<HTMLInputElement>(null);
  const isBusy = useSignal(false);
  const add = async (): Promise<void> => {
    const files = [...(field.current?.files ?? [])];
    const manifest = files.find(({ name }) => name.endsWith('.json'));
    const model = files.find(({ name }) => name.endsWith('.tflite'));
    if (!manifest || !model) return onTrouble(t('Choose both files of the wake word: .json and .tflite.'));
    if (model.size > maxModelBytes)
      return onTrouble(t('This model is larger than 1 MB, so it is no wake word.'));
    isBusy.value = true;
    const isMade = await onAdd({ manifest: await manifest.text(), model: await base64Of(model) });
    if (isMade && field.current) field.current.value = '';
    isBusy.value = false;
  };
  return (
    <div class="stack file-form">
      <label>
        {t('The two files of a wake word, .json and .tflite')}
        <input ref={field} type="file" multiple disabled={isBusy.value} />
      </label>
      <div>
        <button type="button" disabled={isBusy.value} onClick={() => void add()}>
          {t('Add the wake word')}
        </button>
      </div>
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
