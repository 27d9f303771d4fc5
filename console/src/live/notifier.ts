import { signal } from '@preact/signals';
import { ringWords } from '../parts/words.ts';
import type { Timer } from './ringing.ts';

type Permission = NotificationPermission | 'impossible';

export type Notifier = ReturnType<typeof createNotifier>;

/** Shows notifications for ringing timers while the page is hidden. Only `ask` requests permission. */
export function createNotifier() {
  const permission = signal<Permission>(readPermission());
  const shown = new Map<string, (() => void) | null>();
  const tell = (ring: Timer): (() => void) | null => {
    if (permission.value !== 'granted' || document.visibilityState === 'visible') return null;
    // Silent, because the timer already rings in its room.
    const options = { tag: ring.id, body: ring.room ?? '', silent: true };
    return notifyHere(ringWords(ring), options) ?? notifyByApp(ringWords(ring), options);
  };
  return {
    permission,
    async ask(): Promise<void> {
      permission.value = await Notification.requestPermission();
    },
    /** Notifies once for each ringing timer, and closes the notification when the ringing ends. */
    show(rings: readonly Timer[]): void {
      for (const ring of rings) if (!shown.has(ring.id)) shown.set(ring.id, tell(ring));
      for (const [id, withdraw] of shown) {
        if (rings.some((ring) => ring.id === id)) continue;
        withdraw?.();
        shown.delete(id);
      }
    },
  };
}

/** Returns a function that closes it. Null: only the service worker may notify, as on phones. */
function notifyHere(title: string, options: NotificationOptions): (() => void) | null {
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => window.focus();
    return () => notification.close();
  } catch {
    return null;
  }
}

function notifyByApp(title: string, options: NotificationOptions & { tag: string }): () => void {
  const shown = appWorker()
    .then((worker) => worker?.showNotification(title, options).then(() => worker))
    .catch(() => undefined);
  return () => {
    void shown
      .then((worker) => worker?.getNotifications({ tag: options.tag }))
      .then((all) => {
        for (const each of all ?? []) each.close();
      });
  };
}

async function appWorker(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
}

function readPermission(): Permission {
  if (!('Notification' in window) || !isSecureContext) return 'impossible';
  if (Notification.permission !== 'default') return Notification.permission;
  try {
    // Shows nothing without permission. Throws if only a service worker may notify, as on phones.
    new Notification('').close();
    return 'default';
  } catch {
    return 'serviceWorker' in navigator ? 'default' : 'impossible';
  }
}
