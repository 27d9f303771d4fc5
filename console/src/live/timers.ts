import { signal } from '@preact/signals';
import type { RunningTimer, ServerEvent } from '../../../api/src/listen/listen-events.ts';

/** A timer by this device's own clock, which may be wrong: the server tells how long it still runs. */
export interface ShownTimer {
  id: string;
  name: string | null;
  durationMs: number;
  endsAtMs: number;
}

const mostRinging = 5;

/** The timers that run, and those that ring here; the server sends what is to be heard of it. */
export function createTimers() {
  const running = signal<readonly ShownTimer[]>([]);
  const ringing = signal<readonly ShownTimer[]>([]);
  const without = (id: string) => running.value.filter((timer) => timer.id !== id);

  const stop = (id: string): void => {
    running.value = without(id);
    ringing.value = ringing.value.filter((timer) => timer.id !== id);
  };
  const ring = (timer: RunningTimer): void => {
    stop(timer.id);
    ringing.value = [...ringing.value, shown(timer)].slice(-mostRinging);
  };

  return {
    running,
    ringing,
    handle(event: ServerEvent): void {
      if (event.type === 'timer.started' || event.type === 'timer.changed') {
        running.value = [...without(event.timer.id), shown(event.timer)];
      }
      if (event.type === 'timer.finished') ring(event.timer);
      if (event.type === 'timer.stopped') stop(event.timer.id);
    },
    reset(timers: readonly RunningTimer[]): void {
      running.value = timers.map(shown);
    },
    stop,
  };
}

function shown({ id, name, duration_ms, remaining_ms }: RunningTimer): ShownTimer {
  return { id, name, durationMs: duration_ms, endsAtMs: Date.now() + remaining_ms };
}
