import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { House } from '../../house.ts';
import { Icon } from '../../parts/icon.tsx';
import { NotifyButton } from '../../parts/notify-button.tsx';
import { clockWords } from '../../parts/words.ts';
import { hashOf } from '../../route.ts';

/** The next ones; all of them are in Home. In a low window there is room for one. */
const maxShown = 3;

/** The timers that run or are paused and will ring here. */
export function Timers({ house }: { house: House }) {
  const { running } = house.talk.timers;
  const now = useNow(running.value.length > 0);
  const row = useRef<HTMLDivElement>(null);
  const isKnown = house.talk.live.value.kind === 'open';
  useEffect(() => {
    if (isKnown) keepHeight(row.current?.offsetHeight ?? 0);
  }, [isKnown, running.value.length]);
  const all = running.value.toSorted((one, other) => one.endsAtMs - other.endsAtMs);
  if (all.length === 0) return isKnown ? null : <Place />;
  return (
    <div class="talk-timers" ref={row}>
      <ul class="row" aria-label="Timers">
        {all.slice(0, maxShown).map(({ id, name, endsAtMs, pausedMs }) => (
          <li key={id} class="timer-chip">
            <Icon name="timer" />
            {name !== null && <span>{name}</span>}
            <span role="timer">{clockWords(pausedMs ?? endsAtMs - now)}</span>
            {pausedMs !== null && <span class="quiet small">paused</span>}
          </li>
        ))}
      </ul>
      {all.length > 1 && (
        <a class={all.length > maxShown ? 'small' : 'small only-low'} href={hashOf('home')}>
          All timers
        </a>
      )}
      <NotifyButton notifier={house.notifier} />
    </div>
  );
}

/** Until the timers are known: as much room as they had, so that nothing jumps when they come. */
const heightKey = 'hearth-timers-height';
const keepHeight = (px: number): void => localStorage.setItem(heightKey, String(px));
const keptHeight = (): number => Number(localStorage.getItem(heightKey) ?? 0) || 0;

function Place() {
  const px = keptHeight();
  return px === 0 ? null : <div class="talk-timers" style={{ height: `${px}px` }} />;
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
