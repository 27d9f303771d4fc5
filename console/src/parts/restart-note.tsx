import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { House } from '../house.ts';
import { t } from '../language/translate.ts';
import { sentenceOf } from '../server/call.ts';
import { bodyOf } from '../server/shapes.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { ErrorText } from './error-text.tsx';

interface RestartNoteProps {
  house: House;
  /** The reason, as a sentence. */
  children: ComponentChildren;
}

/** Offers the restart that a change needs. */
export function RestartNote({ house, children }: RestartNoteProps) {
  const said = useSignal('');
  const trouble = useSignal('');
  const restart = async (): Promise<void> => {
    try {
      const { body } = await house.caller.call('/admin/restart', { body: { what: 'all' } });
      [said.value, trouble.value] = [bodyOf<{ message: string }>(body).message ?? '', ''];
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
  };
  return (
    <div class="note stack">
      <p>
        {children} {t('A restart takes about a minute. Running questions are answered first.')}
      </p>
      <div>
        <ConfirmButton sure={t('Restart now?')} onConfirm={() => void restart()}>
          {t('Restart Hearth')}
        </ConfirmButton>
      </div>
      <ErrorText text={trouble} />
      <p role="status" class={said.value === '' ? 'visually-hidden' : 'words'}>
        {said}
      </p>
    </div>
  );
}
