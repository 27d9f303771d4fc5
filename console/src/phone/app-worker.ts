interface Policy {
  createScriptURL: (address: string) => string;
}

declare global {
  interface Window {
    trustedTypes?: { createPolicy: (name: string, rules: Policy) => Policy };
  }
}

const address = '/service-worker.js';

/**
 * Keeps an error page for when Hearth is unreachable, and shows notifications on phones. Needs a trusted
 * connection.
 */
export function startAppWorker(): void {
  if (!('serviceWorker' in navigator) || !isSecureContext) return;
  // The page's policy lets this one address become a script, and no other string.
  const policy = window.trustedTypes?.createPolicy('service-worker', { createScriptURL: () => address });
  const url = policy?.createScriptURL(address) ?? address;
  // Without it everything else works, also where somebody went on without the certificate.
  navigator.serviceWorker.register(url).catch(() => undefined);
}

/** How many timers ring, on the app's icon, where the system has such a thing. */
export function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  const done = count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count);
  done.catch(() => undefined);
}
