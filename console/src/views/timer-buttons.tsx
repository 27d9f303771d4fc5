import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { components } from '../../../api/src/http/contract-types.ts';
import type { House } from '../house.ts';
import { t } from '../language/translate.ts';
import type { Timer } from '../live/ringing.ts';
import { UndoNote } from '../parts/undo-note.tsx';
import { kindWords } from '../parts/words.ts';
import { sentenceOf } from '../server/call.ts';
import { bodyOf } from '../server/shapes.ts';

type Change = components['schemas']['TimerChange'];
type Answer = Partial<components['schemas']['OneTimer']>;

/** How long the page offers to undo a cancellation. "Undo that" still does afterwards. */
const offeredMs = 30_000;

export interface TimerActions {
  /** The reason why the last change failed, or ''. */
  trouble: Signal<string>;
  /** The timer cancelled last, until the next action. */
  gone: ReadonlySignal<Timer | null>;
  cancel: (id: string) => Promise<void>;
  /** Brings back the timer cancelled last. */
  restore: () => Promise<void>;
  /** Offers no longer to bring it back. */
  forget: () => void;
  /** Returns whether the change was accepted. */
  change: (id: string, change: Change) => Promise<boolean>;
}

/** Changes timers by hand, and keeps the reason when that fails. */
export function useTimerActions(house: House): TimerActions {
  const trouble = useSignal('');
  const gone = useSignal<Timer | null>(null);
  return useMemo(() => {
    const deviceName = (): string => house.keeper.device.value.name;
    /** Null: it failed. */
    const send = async (path: string, method: 'DELETE' | 'PATCH' | 'POST', body?: Change) => {
      let answer: Answer | null = null;
      try {
        answer = bodyOf<Answer>((await house.caller.call(`/admin/timers/${path}`, { method, body })).body);
        trouble.value = '';
      } catch (error) {
        trouble.value = sentenceOf(error);
      }
      gone.value = null;
      await house.timers.ask();
      return answer;
    };
    const inConversation = (path: string) => `${path}?client=${encodeURIComponent(deviceName())}`;
    return {
      trouble,
      gone,
      async cancel(id) {
        const answer = await send(inConversation(encodeURIComponent(id)), 'DELETE');
        const timer = answer?.timer;
        // One that rang stays away.
        if (timer?.state === 'running' || timer?.state === 'paused') gone.value = timer;
      },
      async restore() {
        const id = gone.value?.id;
        if (id !== undefined) await send(inConversation(`${encodeURIComponent(id)}/restore`), 'POST');
      },
      forget: () => (gone.value = null),
      async change(id, change) {
        const answer = await send(encodeURIComponent(id), 'PATCH', { ...change, client: deviceName() });
        return answer !== null;
      },
    };
  }, [house]);
}

/** Says which timer was cancelled, and offers to undo it. */
export function CancelledTimer({ actions }: { actions: TimerActions }) {
  const { value: timer } = actions.gone;
  useEffect(() => {
    const wait = timer && setTimeout(actions.forget, offeredMs);
    return () => clearTimeout(wait ?? undefined);
  }, [timer, actions]);
  return (
    <UndoNote words={timer ? cancelled[timer.kind](timer.label) : ''} onUndo={() => void actions.restore()} />
  );
}

const cancelled: Readonly<Record<Timer['kind'], (label: string | null) => string>> = {
  timer: (label) =>
    label === null ? t('The timer was cancelled.') : t('The timer {label} was cancelled.', { label }),
  alarm: (label) =>
    label === null ? t('The alarm was cancelled.') : t('The alarm {label} was cancelled.', { label }),
  reminder: (label) =>
    label === null ? t('The reminder was cancelled.') : t('The reminder {label} was cancelled.', { label }),
  command: (label) =>
    label === null ? t('The command was cancelled.') : t('The command {label} was cancelled.', { label }),
};

interface TimerButtonsProps {
  timer: Pick<Timer, 'id' | 'kind' | 'label' | 'state' | 'repeats'>;
  actions: TimerActions;
}

/** Buttons that add a minute to a timer, pause it or cancel it. */
export function TimerButtons({ timer, actions }: TimerButtonsProps) {
  const { id, kind, label, state, repeats } = timer;
  const name = <span class="visually-hidden"> {label ?? kindWords(kind)}</span>;
  const isPaused = state === 'paused';
  const canPause = kind === 'timer' && (isPaused || state === 'running');
  const canBeLonger = repeats === null && ['running', 'paused', 'ringing'].includes(state);
  return (
    <span class="row">
      {canBeLonger && (
        <button type="button" onClick={() => void actions.change(id, { more_seconds: 60 })}>
          {t('+ 1 min')}
          {name}
        </button>
      )}
      {canPause && (
        <button type="button" onClick={() => void actions.change(id, { paused: !isPaused })}>
          {isPaused ? t('Resume') : t('Pause')}
          {name}
        </button>
      )}
      <button type="button" onClick={() => void actions.cancel(id)}>
        {t('Cancel')}
        {name}
      </button>
    </span>
  );
}
