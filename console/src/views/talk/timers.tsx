import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { House } from '../../house.ts';
import { Icon } from '../../parts/icon.tsx';
import { NotifyButton } from '../../parts/notify-button.tsx';
import { clockWords } from '../../parts/words.ts';

/** The timers that run or are paused and will ring here. */
export function Timers({ house }: { house: House }) {
  const { running } = house.talk.timers;
  const now = useNow(running.value.length > 0);
  if (running.value.length === 0) return null;
  return (
    <div class="talk-timers">
      <ul class="row" aria-label="Timers">
        {running.value.map(({ id, name, endsAtMs, pausedMs }) => (
          <li key={id} class="timer-chip">
            <Icon name="timer" />
            {name !== null && <span>{name}</span>}
            <span role="timer">{clockWords(pausedMs ?? endsAtMs - now)}</span>
            {pausedMs !== null && <span class="quiet small">paused</span>}
          </li>
        ))}
      </ul>
      <NotifyButton notifier={house.notifier} />
    </div>
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
