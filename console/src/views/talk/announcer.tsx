import type { ReadonlySignal } from '@preact/signals';
import { type Exchange, isOver } from '../../live/exchanges.ts';

/**
 * Text for screen readers: only final transcripts and complete answers, because changing words would disturb.
 */
export function Announcer({ exchanges }: { exchanges: ReadonlySignal<readonly Exchange[]> }) {
  const last = exchanges.value.findLast(({ kind }) => kind !== 'earlier');
  return (
    <div class="visually-hidden" aria-live="polite">
      <p>{last && !last.isPartial && last.question !== '' ? `You: ${last.question}` : ''}</p>
      <p>{last && isOver(last) ? `Hearth: ${last.reply || last.note || ''}` : ''}</p>
    </div>
  );
}
