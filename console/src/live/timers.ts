import { signal } from '@preact/signals';
import type { RunningTimer, ServerEvent } from '../../../api/src/listen/listen-events.ts';

/** A timer by this device's own clock, which may be wrong: the server tells how long it still runs. */
export interface ShownTimer {
  id: string;
  name: string | null;
  durationMs: number;
  endsAtMs: number;
}

const chimes = 3;
const chimeEveryMs = 1_500;

/** The timers that run, and those that are over and not yet noticed. */
export function createTimers({ chime }: { chime: () => Promise<void> }) {
  const running = signal<readonly ShownTimer[]>([]);
  const ringing = signal<readonly ShownTimer[]>([]);
  const without = (id: string) => running.value.filter((timer) => timer.id !== id);

  const ring = (timer: RunningTimer): void => {
    running.value = without(timer.id);
    if (ringing.value.some(({ id }) => id === timer.id)) return;
    ringing.value = [...ringing.value, shown(timer)].slice(-5);
    for (let count = 0; count < chimes; count += 1) {
      setTimeout(() => {
        const isHeard = !ringing.value.some(({ id }) => id === timer.id);
        if (!isHeard) void chime().catch(() => undefined); // shown all the same
      }, count * chimeEveryMs);
    }
  };

  return {
    running,
    ringing,
    handle(event: ServerEvent): void {
      if (event.type === 'timer.started') running.value = [...without(event.timer.id), shown(event.timer)];
      if (event.type === 'timer.finished') ring(event.timer);
    },
    reset(timers: readonly RunningTimer[]): void {
      running.value = timers.map(shown);
    },
    remove(id: string): void {
      running.value = without(id);
    },
    notice(id: string): void {
      ringing.value = ringing.value.filter((timer) => timer.id !== id);
    },
  };
}

function shown({ id, name, duration_ms, remaining_ms }: RunningTimer): ShownTimer {
  return { id, name, durationMs: duration_ms, endsAtMs: Date.now() + remaining_ms };
}
