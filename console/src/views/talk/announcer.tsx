import type { ReadonlySignal } from '@preact/signals';
import { type Exchange, isOver } from '../../live/exchanges.ts';

/**
 * Screen readers read this: the final transcript, and the complete answer. Changing words would only be
 * noise.
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
