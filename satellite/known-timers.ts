import type { ServerEvent } from './event.ts';

/**
 * Tracks the timers that will ring here, as the server reports them. It uses the monotonic clock, which clock
 * changes do not affect.
 */
export function createKnownTimers(nowMs: () => number = () => performance.now()) {
  const known = new Map<string, { name: string | null; dueAtMs: number }>();
  type Timer = Extract<ServerEvent, { type: 'timer.started' }>['timer'];
  const keep = ({ id, name, remaining_ms, paused }: Timer): void => {
    if (paused) known.delete(id);
    else known.set(id, { name, dueAtMs: nowMs() + remaining_ms });
  };

  return {
    follow(event: ServerEvent): void {
      if (event.type === 'session.created') {
        known.clear();
        for (const timer of event.session.timers) keep(timer);
      }
      if (event.type === 'timer.started' || event.type === 'timer.changed') keep(event.timer);
      if (event.type === 'timer.finished' || event.type === 'timer.stopped') known.delete(event.timer.id);
    },
    /** Returns the timers due by now; each only once. */
    takeDue(): { name: string | null }[] {
      const due = [...known].filter(([, { dueAtMs }]) => dueAtMs <= nowMs());
      for (const [id] of due) known.delete(id);
      return due.map(([, { name }]) => ({ name }));
    },
  };
}

export type KnownTimers = ReturnType<typeof createKnownTimers>;
