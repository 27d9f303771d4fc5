import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import type { ShownTimer } from '../../live/timers.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { Icon } from '../../parts/icon.tsx';
import { NotifyButton } from '../../parts/notify-button.tsx';
import { onEscape } from '../../parts/on-escape.ts';
import { whenWords } from '../../parts/timer-words.ts';
import { kindWords } from '../../parts/words.ts';
import { hashOf } from '../../route.ts';
import { CancelledTimer, type TimerActions, TimerButtons, useTimerActions } from '../timer-buttons.tsx';

/** Maximum number of timers shown here. The Home view shows all. */
const maxShown = 3;
/** Media queries for windows with less room: one timer in a low window, two in a narrow one. */
const whereHidden: Readonly<Record<number, string>> = { 2: 'small only-low', 3: 'small only-narrow' };

/** The running and paused timers that will ring here. A press shows the buttons, and Escape hides them. */
export function Timers({ house }: { house: House }) {
  const { running } = house.talk.timers;
  const row = useRef<HTMLDivElement>(null);
  const openId = useSignal<string | null>(null);
  const isKnown = house.talk.live.value.kind === 'open';
  useEffect(() => {
    if (isKnown) keepHeight(row.current?.offsetHeight ?? 0);
  }, [isKnown, running.value.length]);
  const all = running.value.toSorted((one, other) => one.endsAtMs - other.endsAtMs);
  const open = all.find(({ id }) => id === openId.value);
  const close = (): void => {
    row.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
    openId.value = null;
  };
  const actions = useTimerActions(house);
  if (!isKnown && all.length === 0) return <Place />;
  return (
    <div class="talk-timers-area">
      {all.length > 0 && (
        <div class="talk-timers" ref={row}>
          <ul class="row" aria-label={t('Timers')}>
            {all.slice(0, maxShown).map((timer) => (
              <li key={timer.id}>
                <Chip
                  house={house}
                  timer={timer}
                  isOpen={timer === open}
                  onPress={() => (openId.value = timer === open ? null : timer.id)}
                  onClose={close}
                />
              </li>
            ))}
          </ul>
          {all.length > 1 && (
            <a class={whereHidden[all.length] ?? 'small'} href={hashOf('home')}>
              {t('All timers')}
            </a>
          )}
          <NotifyButton notifier={house.notifier} />
        </div>
      )}
      {open && <Panel actions={actions} timer={open} onClose={close} />}
      <CancelledTimer actions={actions} />
      <ErrorText text={actions.trouble} />
    </div>
  );
}

interface ChipProps {
  house: House;
  timer: ShownTimer;
  isOpen: boolean;
  onPress: () => void;
  onClose: () => void;
}

function Chip({ house, timer, isOpen, onPress, onClose }: ChipProps) {
  const { kind, name, endsAtMs, pausedMs, repeats } = timer;
  const now = useNow(true);
  return (
    <button
      class="timer-chip"
      type="button"
      aria-expanded={isOpen}
      onClick={onPress}
      onKeyDown={onEscape(onClose)}
    >
      <Icon name={kind === 'timer' ? 'timer' : 'bell'} />
      {name === null ? (
        <span class="visually-hidden">{kindWords(kind)}</span>
      ) : (
        <span class="chip-name" title={name}>
          {name}
        </span>
      )}
      <span role="timer">
        {whenWords({ dueAtMs: endsAtMs, pausedMs, repeats }, now, house.timeZone.value)}
      </span>
      {pausedMs !== null && <span class="quiet small">{t('paused')}</span>}
    </button>
  );
}

interface PanelProps extends Pick<ChipProps, 'timer' | 'onClose'> {
  actions: TimerActions;
}

function Panel({ actions, timer, onClose }: PanelProps) {
  const { id, kind, name: label, pausedMs, repeats } = timer;
  const state = pausedMs === null ? 'running' : 'paused';
  return (
    <fieldset class="chip-panel row" aria-label={label ?? kindWords(kind)} onKeyDown={onEscape(onClose)}>
      <TimerButtons timer={{ id, kind, label, state, repeats }} actions={actions} />
    </fieldset>
  );
}

/** Reserves the space of the previous timers, so that the layout does not jump. */
const heightKey = 'hearth-timers-height';
const keepHeight = (px: number): void => localStorage.setItem(heightKey, String(px));
const keptHeight = (): number | null => {
  const text = localStorage.getItem(heightKey);
  return text === null ? null : Number(text) || 0;
};

function Place() {
  const px = keptHeight();
  if (px === null) return <span class="loading" hidden />;
  return px === 0 ? null : <div class="talk-timers" style={{ height: `${px}px` }} />;
}

/** The current time, updated every second while it is shown. */
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
