import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { components } from '../../../api/src/http/contract-types.ts';
import type { House } from '../house.ts';
import type { Timer } from '../live/ringing.ts';
import { sentenceOf } from '../server/call.ts';

type Change = components['schemas']['TimerChange'];

export interface TimerActions {
  /** The reason why the last change failed, or ''. */
  trouble: Signal<string>;
  cancel: (id: string) => void;
  /** Returns whether the change was accepted. */
  change: (id: string, change: Change) => Promise<boolean>;
}

/** Changes timers by hand, and keeps the reason when that fails. */
export function useTimerActions(house: House): TimerActions {
  const trouble = useSignal('');
  return useMemo(() => {
    const send = async (id: string, method: 'DELETE' | 'PATCH', body?: Change): Promise<boolean> => {
      try {
        await house.caller.call(`/admin/timers/${encodeURIComponent(id)}`, { method, body });
        trouble.value = '';
      } catch (error) {
        trouble.value = sentenceOf(error);
      }
      await house.timers.ask();
      return trouble.value === '';
    };
    return {
      trouble,
      cancel: (id) => void send(id, 'DELETE'),
      change: (id, change) => {
        const { name: client } = house.keeper.device.value;
        return send(id, 'PATCH', { ...change, client });
      },
    };
  }, [house]);
}

interface TimerButtonsProps {
  timer: Pick<Timer, 'id' | 'kind' | 'label' | 'state' | 'repeats'>;
  actions: TimerActions;
}

/** Buttons that add a minute to a timer, pause it or cancel it. */
export function TimerButtons({ timer, actions }: TimerButtonsProps) {
  const { id, kind, label, state, repeats } = timer;
  const name = <span class="visually-hidden"> {label ?? kind}</span>;
  const isPaused = state === 'paused';
  const canPause = kind === 'timer' && (isPaused || state === 'running');
  const canBeLonger = repeats === null && ['running', 'paused', 'ringing'].includes(state);
  return (
    <span class="row">
      {canBeLonger && (
        <button type="button" onClick={() => void actions.change(id, { more_seconds: 60 })}>
          + 1 min{name}
        </button>
      )}
      {canPause && (
        <button type="button" onClick={() => void actions.change(id, { paused: !isPaused })}>
          {isPaused ? 'Resume' : 'Pause'}
          {name}
        </button>
      )}
      <button type="button" onClick={() => actions.cancel(id)}>
        Cancel{name}
      </button>
    </span>
  );
}
