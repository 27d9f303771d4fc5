import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Talk } from '../../live/talk.ts';
import { Icon } from '../../parts/icon.tsx';
import { clockWords } from '../../parts/words.ts';

/** Timers that run, and those that are over. */
export function Timers({ talk }: { talk: Talk }) {
  const { running, ringing } = talk.timers;
  const now = useNow(running.value.length > 0);
  return (
    <>
      {ringing.value.map(({ id, name }) => (
        <div key={id} class="note row spread" role="alert">
          <p class="words">{name === null ? 'A timer is over.' : `The timer “${name}” is over.`}</p>
          <button type="button" onClick={() => talk.quieten(id)}>
            All right
          </button>
        </div>
      ))}
      {running.value.length > 0 && (
        <ul class="row" aria-label="Timers">
          {running.value.map(({ id, name, endsAtMs }) => (
            <li key={id} class="timer-chip">
              <Icon name="timer" />
              {name !== null && <span>{name}</span>}
              <span role="timer">{clockWords(endsAtMs - now)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The time, every second while it is shown. */
export function useNow(isShown: boolean): number {
  const now = useSignal(Date.now());
  useEffect(() => {
    if (!isShown) return undefined;
    now.value = Date.now();
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1_000);
    return () => clearInterval(timer);
  }, [isShown]);
  return now.value;
}
