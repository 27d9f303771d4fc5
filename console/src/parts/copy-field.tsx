import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { t } from '../language/translate.ts';

interface CopyFieldProps {
  id: string;
  value: string;
}

/** A text to copy by a button or by hand. A label elsewhere refers to its id. */
export function CopyField({ id, value }: CopyFieldProps) {
  const isCopied = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    field.current?.select();
    // Browsers offer the clipboard only to secure pages. Elsewhere the person copies the selected text.
    await navigator.clipboard?.writeText(value);
    isCopied.value = navigator.clipboard !== undefined;
  };
  return (
    <div class="row copied">
      <input
        id={id}
        ref={field}
        class="mono"
        readOnly
        value={value}
        spellcheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" onClick={() => void copy().catch(() => undefined)}>
        {isCopied.value ? t('Copied') : t('Copy')}
      </button>
    </div>
  );
}
