import type { RunningTimer, ServerEvent } from '../listen/events/listen-events.ts';
import type { Ring } from '../listen/ringing/ringing.ts';
import type { DeviceTimer, VoiceLink } from './voice-link.ts';

const msPerS = 1_000;
/** Devices show only timers. Alarms and reminders are spoken, as on any satellite. */
const isShown = ({ kind }: RunningTimer) => kind === 'timer';

interface ShownTimersOptions {
  link: Pick<VoiceLink, 'timer'>;
  /** The device shows timers and rings them itself. */
  isAble: boolean;
  /** Called when the device rings a timer, so that nothing else rings it. */
  onTaken: (timerId: string) => void;
}

/**
 * The timers on a device's LED ring. The device counts down and rings by itself, and does not report when
 * someone stops it.
 */
export function createShownTimers({ link, isAble, onTaken }: ShownTimersOptions) {
  const shown = new Set<string>();
  /** Timers that the device rings, until they are over everywhere. */
  const given = new Set<string>();

  const put = (timer: RunningTimer): void => {
    if (!isShown(timer)) return;
    link.timer(shown.has(timer.id) ? 'updated' : 'started', toldOf(timer));
    shown.add(timer.id);
  };
  const remove = (timer: RunningTimer): void => {
    if (shown.delete(timer.id)) link.timer('cancelled', toldOf(timer));
  };
  const ringThere = (ring: Ring): void => {
    if (given.has(ring.id)) return;
    given.add(ring.id);
    shown.delete(ring.id);
    link.timer('finished', { ...toldOf(ring.timer), leftS: 0, isRunning: false });
    ring.onRing();
    // Deferred, because the caller is still iterating over the timers.
    queueMicrotask(() => onTaken(ring.id));
  };

  return {
    tell(event: ServerEvent): void {
      if (!isAble) return;
      if (event.type === 'session.created') for (const timer of event.session.timers) put(timer);
      else if (event.type === 'timer.started' || event.type === 'timer.changed') put(event.timer);
      else if (event.type === 'timer.stopped') remove(event.timer);
    },
    /** Takes the timers that the device rings itself, and returns the others for the session. */
    ring(rings: readonly Ring[]): readonly Ring[] {
      if (!isAble) return rings;
      for (const id of given) if (!rings.some((ring) => ring.id === id)) given.delete(id);
      const [own, others] = [
        rings.filter(({ timer }) => isShown(timer)),
        rings.filter(({ timer }) => !isShown(timer)),
      ];
      for (const ring of own) if (ring.isRinging) ringThere(ring);
      return [...others, ...own.filter(({ isRinging }) => !isRinging)];
    },
  };
}

function toldOf({ id, name, duration_ms, remaining_ms, paused }: RunningTimer): DeviceTimer {
  return {
    id,
    name: name ?? '',
    totalS: Math.round(duration_ms / msPerS),
    leftS: Math.max(0, Math.round(remaining_ms / msPerS)),
    isRunning: paused !== true,
  };
}
