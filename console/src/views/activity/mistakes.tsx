import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import { saveFile } from '../../backup/download.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import type { Changes } from '../../parts/change.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { sentenceOf } from '../../server/call.ts';
import type { Poll } from '../../server/poll.ts';
import { bodyOf } from '../../server/shapes.ts';

type All = components['schemas']['Mistakes'];
type Mistake = All['mistakes'][number];

interface MistakesProps {
  house: House;
  mistakes: Poll<Partial<All>>;
  change: Changes['change'];
}

/** Lists the questions that people reported as misunderstood. They can be exported, taught or deleted. */
export function Mistakes({ house, mistakes: { state }, change }: MistakesProps) {
  const status = useSignal('');
  const all = state.value.value?.mistakes ?? [];
  const remove = (turn: string | null) =>
    change(`/admin/mistakes${turn === null ? '' : `?turn=${encodeURIComponent(turn)}`}`, {
      method: 'DELETE',
    });
  if (state.value.isMissing || (all.length === 0 && status.value === '')) return null;
  return (
    <section class="card stack" aria-labelledby="mistakes">
      <h2 id="mistakes">{t('Misunderstood')}</h2>
      <p class="quiet">
        {t(
          'These sentences stay in your home. You can teach Hearth what you meant, or export them as a file.',
        )}
      </p>
      <p role="status">{status}</p>
      <ul class="said-list">
        {all.map((mistake) => (
          <li key={mistake.turn}>
            <p class="words asked">{mistake.user}</p>
            <p class="words">{mistake.assistant}</p>
            <Teach
              mistake={mistake}
              onTeach={async (sentence, command) => {
                await teach(house, sentence, command);
                status.value = t('Taught: “{sentence}”. It is now one of the routines in the settings.', {
                  sentence,
                });
                await remove(mistake.turn);
              }}
            />
            <div>
              <ConfirmButton
                class="plain small"
                sure={t('Delete it?')}
                onConfirm={() => void remove(mistake.turn)}
              >
                {t('Delete')}
                <span class="visually-hidden"> {mistake.user}</span>
              </ConfirmButton>
            </div>
          </li>
        ))}
      </ul>
      {all.length > 0 && (
        <div class="row">
          <button type="button" onClick={() => exportAll(all)}>
            {t('Export as a file')}
          </button>
          <ConfirmButton sure={t('Delete all?')} onConfirm={() => void remove(null)}>
            {t('Delete all')}
          </ConfirmButton>
        </div>
      )}
    </section>
  );
}

interface TeachProps {
  mistake: Mistake;
  /** Rejects with the reason why the sentence was not taught. */
  onTeach: (sentence: string, command: string) => Promise<void>;
}

function Teach({ mistake: { user, understood }, onTeach }: TeachProps) {
  const isBusy = useSignal(false);
  const trouble = useSignal('');
  const sentence = useRef<HTMLInputElement>(null);
  const command = useRef<HTMLInputElement>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    [isBusy.value, trouble.value] = [true, ''];
    try {
      await onTeach(sentence.current?.value.trim() ?? '', command.current?.value.trim() ?? '');
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    isBusy.value = false;
  };
  return (
    <details>
      <summary class="small">
        {t('Teach what you meant')}
        <span class="visually-hidden"> {t('by {question}|Teach what you meant', { question: user })}</span>
      </summary>
      <form class="new-token" onSubmit={(event) => void submit(event)}>
        <label>
          {t('When I say')}
          <input
            ref={sentence}
            maxLength={60}
            autocomplete="off"
            required
            defaultValue={(understood?.heard ?? user).replace(/[.!?]+$/, '')}
          />
        </label>
        <label>
          {t('Do this')}
          <input
            ref={command}
            maxLength={300}
            autocomplete="off"
            required
            placeholder={t('set a timer for ten minutes')}
          />
        </label>
        <button type="submit" disabled={isBusy.value}>
          {t('Teach it')}
        </button>
      </form>
      <ErrorText text={trouble} />
    </details>
  );
}

/** A taught sentence becomes a routine. */
async function teach(house: House, sentence: string, command: string): Promise<void> {
  const { body, headers } = await house.caller.call('/admin/pipeline');
  const { values } = bodyOf<components['schemas']['PipelineState']>(body);
  const routine = { name: sentence, sentences: [sentence], steps: [{ command }] };
  const etag = headers.get('etag');
  await house.caller.call('/admin/pipeline', {
    method: 'PATCH',
    body: { routines: [...(values?.routines ?? []), routine] },
    headers: etag === null ? {} : { 'if-match': etag },
  });
}

function exportAll(mistakes: readonly Mistake[]): void {
  const file = new Blob([JSON.stringify({ mistakes }, null, 2)], { type: 'application/json' });
  saveFile(file, 'hearth-misunderstood.json');
}
