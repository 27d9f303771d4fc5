import { signal } from '@preact/signals';
import { ringWords } from '../parts/words.ts';
import type { Timer } from './ringing.ts';

type Permission = NotificationPermission | 'impossible';

export type Notifier = ReturnType<typeof createNotifier>;

/** Notifies people of timers that ring while they look elsewhere. Only `ask` asks for the permission. */
export function createNotifier() {
  const permission = signal<Permission>(readPermission());
  const told = new Map<string, Notification | null>();
  const tell = (ring: Timer): Notification | null => {
    if (permission.value !== 'granted' || document.visibilityState === 'visible') return null;
    try {
      // Without a sound: the bells ring in the timer's room, and in the quiet hours nowhere else.
      const notification = new Notification(ringWords(ring), {
        tag: ring.id,
        body: ring.room ?? '',
        silent: true,
      });
      notification.onclick = () => window.focus();
      return notification;
    } catch {
      return null; // a browser that has granted this before, and now wants a service worker for it
    }
  };
  return {
    permission,
    async ask(): Promise<void> {
      permission.value = await Notification.requestPermission();
    },
    /** Notifies once for each that rings, and withdraws the notification when it is over. */
    show(rings: readonly Timer[]): void {
      for (const ring of rings) if (!told.has(ring.id)) told.set(ring.id, tell(ring));
      for (const [id, notification] of told) {
        if (rings.some((ring) => ring.id === id)) continue;
        notification?.close();
        told.delete(id);
      }
    },
  };
}

function readPermission(): Permission {
  if (!('Notification' in window) || !isSecureContext) return 'impossible';
  if (Notification.permission !== 'default') return Notification.permission;
  try {
    // Shows nothing without permission; throws where only a service worker may notify, as on Android.
    new Notification('').close();
    return 'default';
  } catch {
    return 'impossible';
  }
}
