/** Keeps the screen on while needed, because a sleeping phone does not listen. */
export function createWakeLock() {
  let lock: WakeLockSentinel | null = null;
  let isWanted = false;
  const take = async (): Promise<void> => {
    if (!isWanted || lock !== null || document.visibilityState !== 'visible') return;
    if (!('wakeLock' in navigator)) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      lock.addEventListener('release', () => (lock = null));
      if (!isWanted) await lock.release();
    } catch {
      lock = null; // refused by the system, for example when the battery is low
    }
  };
  // The system releases the lock when the page is hidden.
  document.addEventListener('visibilitychange', () => void take());
  return {
    want(wanted: boolean): void {
      isWanted = wanted;
      if (wanted) void take();
      else void lock?.release();
    },
  };
}
