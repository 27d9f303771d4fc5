import { useEffect, useRef } from 'preact/hooks';
import { t } from '../language/translate.ts';
import { isFocusFree } from './kept-focus.ts';

interface UndoNoteProps {
  /** A sentence about the removed thing; '' shows nothing. */
  words: string;
  onUndo: () => void;
}

/** Says what was removed, and offers to undo it. Stays in the page, so that screen readers announce it. */
export function UndoNote({ words, onUndo }: UndoNoteProps) {
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Move the keyboard focus, because its element is gone.
    if (isFocusFree()) undo.current?.focus({ preventScroll: true });
  }, [words]);
  return (
    <div class={words === '' ? 'visually-hidden' : 'note row spread undo'} role="status">
      {words !== '' && (
        <>
          <p class="words">{words}</p>
          <button type="button" ref={undo} onClick={onUndo}>
            {t('Undo')}
          </button>
        </>
      )}
    </div>
  );
}
