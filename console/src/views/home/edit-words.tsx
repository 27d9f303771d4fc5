import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../language/translate.ts';
import { onEscape } from '../../parts/on-escape.ts';

interface EditWordsProps {
  label: string;
  first: string;
  /** Maximum length in characters. */
  maxLength: number;
  /** Returns whether the server accepted the words. */
  onKeep: (text: string) => Promise<boolean>;
  onClose: () => void;
}

/** Edits a few words in place. Escape restores them. */
export function EditWords({ label, first, maxLength, onKeep, onClose }: EditWordsProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? '';
    if (text === '' || text === first || (await onKeep(text))) onClose();
  };
  return (
    <form class="typing" onSubmit={(event) => void submit(event)} onKeyDown={onEscape(onClose)}>
      <input ref={field} aria-label={label} defaultValue={first} maxLength={maxLength} autocomplete="off" />
      <button class="wide" type="submit">
        {t('Save')}
      </button>
      <button class="wide" type="button" onClick={onClose}>
        {t('Cancel')}
      </button>
    </form>
  );
}
