import { signal } from '@preact/signals';
import type { RunningTimer, ServerEvent } from '../../../api/src/listen/events/listen-events.ts';

/**
 * A timer in the time of this device's clock. The clock may be wrong, so the server sends the remaining time.
 */
export interface ShownTimer {
  id: string;
  kind: RunningTimer['kind'];
  name: string | null;
  endsAtMs: number;
  /** A recurrence rule; null: it rings once. */
  repeats: string | null;
  /** Null: it is running. */
  pausedMs: number | null;
}

/** The timers that run and will ring here. */
export function createTimers() {
  const running = signal<readonly ShownTimer[]>([]);
  const without = (id: string) => running.value.filter((timer) => timer.id !== id);

  return {
    running,
    handle(event: ServerEvent): void {
      if (event.type === 'timer.started' || event.type === 'timer.changed') {
        running.value = [...without(event.timer.id), shown(event.timer)];
      }
      if (event.type === 'timer.finished' || event.type === 'timer.stopped') {
        running.value = without(event.timer.id);
      }
    },
    reset(timers: readonly RunningTimer[]): void {
      running.value = timers.map(shown);
    },
  };
}

function shown({ id, kind, name, remaining_ms, paused, repeats }: RunningTimer): ShownTimer {
  const endsAtMs = Date.now() + remaining_ms;
  return { id, kind, name, endsAtMs, repeats: repeats ?? null, pausedMs: paused ? remaining_ms : null };
}
