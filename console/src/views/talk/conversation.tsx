import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Exchange } from '../../live/exchanges.ts';
import { durationWords, viaWords } from '../../parts/words.ts';

/** What was said, the newest at the bottom. */
export function Conversation({ exchanges }: { exchanges: ReadonlySignal<readonly Exchange[]> }) {
  const end = useRef<HTMLDivElement>(null);
  const shown = exchanges.value;
  useLayoutEffect(() => {
    if (shown.length > 0) end.current?.scrollIntoView({ block: 'end' });
  }, [shown]);
  return (
    <section class="conversation" aria-label="Conversation">
      {shown.length === 0 && (
        <p class="empty">
          Ask for the time, set a timer, put milk on the shopping list,
          <br />
          or ask what you would like to know.
        </p>
      )}
      {shown.map((exchange) => (
        <OneExchange key={exchange.id} exchange={exchange} />
      ))}
      <div ref={end} class="end" />
    </section>
  );
}

function OneExchange({ exchange }: { exchange: Exchange }) {
  const { kind, heard, isPartial, reply, state, note, via } = exchange;
  const isWaiting = kind !== 'told' && reply === '' && (state === 'thinking' || state === 'speaking');
  return (
    <article class="exchange" data-state={state}>
      {kind !== 'told' && (
        <p class={isPartial ? 'said words partial' : 'said words'}>
          <span class="visually-hidden">You: </span>
          {heard || (state === 'listening' ? 'Listening …' : '…')}
        </p>
      )}
      <div class="answer">
        {isWaiting && (
          <p class="reply dots">
            <span class="visually-hidden">Hearth is thinking</span>
            <span />
            <span />
            <span />
          </p>
        )}
        {reply !== '' && (
          <p class="reply words">
            <span class="visually-hidden">Hearth: </span>
            {reply.trim()}
          </p>
        )}
        {note !== null && <p class={state === 'failed' ? 'small wrong' : 'small quiet'}>{note}</p>}
        {via !== null && <p class="small quiet">{tellTimes(exchange, via)}</p>}
      </div>
    </article>
  );
}

/** Who answered, and how long one waited for it. */
function tellTimes({ timings, kind }: Exchange, via: string): string {
  const ms = kind === 'spoken' ? timings?.first_audio_ms : timings?.total_ms;
  return ms === undefined ? viaWords(via) : `${viaWords(via)}, after ${durationWords(ms)}`;
}
