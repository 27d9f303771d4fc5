import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../../language/translate.ts';
import type { Exchange } from '../../live/exchanges.ts';
import type { Talk } from '../../live/talk.ts';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { durationWords, viaWords } from '../../parts/words.ts';
import { Examples } from './examples.tsx';
import { useNewest } from './newest.ts';

interface ConversationProps {
  talk: Talk;
  /** The first steps are open, so hide the examples. */
  isBeginning: boolean;
  /** Shown above the first words. It scrolls with them. */
  children: ComponentChildren;
}

/** Shows the conversation with the newest words at the bottom. Only this part of the view scrolls. */
export function Conversation({ talk, isBeginning, children }: ConversationProps) {
  const shown = talk.exchanges.value;
  const { area, isReading, onScroll, show } = useNewest(shown);
  return (
    <div class="talk-middle">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="talk-scroll" ref={area} tabIndex={0} aria-label={t('Conversation')} onScroll={onScroll}>
        {children}
        {shown.length === 0 && !isBeginning && talk.isRecalled.value && <Examples talk={talk} />}
        <div class="conversation">
          {shown.map((exchange) => (
            <OneExchange
              key={exchange.id}
              exchange={exchange}
              onStop={talk.stop}
              onUndo={undoOf(talk, exchange)}
              onAnnounceAnyway={() => void talk.announceAnyway(exchange)}
            />
          ))}
        </div>
      </section>
      {isReading.value && (
        <button class="newest small" type="button" onClick={show}>
          {t('Newest')}
        </button>
      )}
    </div>
  );
}

/** Undoes the actions of this exchange. Null: there is nothing to undo. */
function undoOf(talk: Talk, { turn }: Exchange): (() => void) | null {
  // Several requests in one sentence have separate ids, which begin with the id of the turn.
  if (turn === null || talk.undoable.value?.split('.')[0] !== turn) return null;
  return () => {
    if (!talk.isTyping.value) void talk.undo();
  };
}

/** Times after which the page explains the wait, and offers to end it. */
const patienceMs = { explain: 5_000, offer: 15_000 } as const;

/** Shows that an answer is pending. */
function Waiting({ onStop }: { onStop: () => void }) {
  const waited = useSignal<'short' | 'long' | 'too long'>('short');
  useEffect(() => {
    const timers = [
      setTimeout(() => (waited.value = 'long'), patienceMs.explain),
      setTimeout(() => (waited.value = 'too long'), patienceMs.offer),
    ];
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <>
      <p class="reply dots">
        <span class="visually-hidden">{t('Hearth is thinking')}</span>
        <span />
        <span />
        <span />
      </p>
      <div class="row small quiet" role="status">
        {waited.value === 'long' && t('Still thinking …')}
        {waited.value === 'too long' && (
          <>
            {t('This takes longer than usual.')}
            <button type="button" onClick={onStop}>
              {t('Stop waiting')}
            </button>
          </>
        )}
      </div>
    </>
  );
}

interface OneExchangeProps {
  exchange: Exchange;
  onStop: () => void;
  onUndo: (() => void) | null;
  onAnnounceAnyway: () => void;
}

function OneExchange({ exchange, onStop, onUndo, onAnnounceAnyway }: OneExchangeProps) {
  const { minuteWords } = useHouseholdTimes();
  const { kind, question, isPartial, reply, state, note, via, atMs, isForQuietHours = false } = exchange;
  const isWaiting = kind !== 'told' && reply === '' && (state === 'thinking' || state === 'speaking');
  return (
    <article class="exchange" data-state={state}>
      {kind !== 'told' && (
        <p class={isPartial ? 'said words partial' : 'said words'}>
          <span class="visually-hidden">{t('You:')} </span>
          {question || (state === 'listening' ? t('Listening …') : '…')}
        </p>
      )}
      <div class="answer">
        {isWaiting && <Waiting onStop={onStop} />}
        {reply !== '' && (
          <div class="answered">
            <p class="reply words">
              <span class="visually-hidden">{t('Hearth:')} </span>
              {reply.trim()}
            </p>
            {onUndo !== null && (
              <button type="button" onClick={onUndo}>
                {t('Undo|answer')}
                <span class="visually-hidden"> {question}</span>
              </button>
            )}
          </div>
        )}
        {note !== null && <p class={state === 'failed' ? 'small wrong' : 'small quiet'}>{note}</p>}
        {isForQuietHours && (
          <button type="button" onClick={onAnnounceAnyway}>
            {t('Announce anyway')}
            <span class="visually-hidden"> {question}</span>
          </button>
        )}
        {via !== null && (
          <details>
            <summary class="small">{t('Details')}</summary>
            <p class="small quiet">{tellTimes(exchange, via)}</p>
          </details>
        )}
        {kind === 'earlier' && <p class="small quiet">{minuteWords(atMs)}</p>}
      </div>
    </article>
  );
}

/** The responder, and how long the answer took. */
function tellTimes({ timings, kind }: Exchange, via: string): string {
  const ms = kind === 'spoken' ? timings?.first_audio_ms : timings?.total_ms;
  if (ms === undefined) return viaWords(via);
  return t('{via}, after {took}', { via: viaWords(via), took: durationWords(ms) });
}
