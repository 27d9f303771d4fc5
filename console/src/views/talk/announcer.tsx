import type { ReadonlySignal } from '@preact/signals';
import { t } from '../../language/translate.ts';
import { type Exchange, isOver } from '../../live/exchanges.ts';

/**
 * Text for screen readers: only final transcripts and complete answers, because changing words would disturb.
 */
export function Announcer({ exchanges }: { exchanges: ReadonlySignal<readonly Exchange[]> }) {
  const last = exchanges.value.findLast(({ kind }) => kind !== 'earlier');
  return (
    <div class="visually-hidden" aria-live="polite">
      <p>
        {last && !last.isPartial && last.question !== '' ? t('You: {words}', { words: last.question }) : ''}
      </p>
      <p>{last && isOver(last) ? t('Hearth: {words}', { words: last.reply || last.note || '' }) : ''}</p>
    </div>
  );
}
