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
  // The content security policy of the page allows only this address as a script.
  const policy = window.trustedTypes?.createPolicy('service-worker', { createScriptURL: () => address });
  const url = policy?.createScriptURL(address) ?? address;
  // Optional: everything else works without it, such as without the certificate.
  navigator.serviceWorker.register(url).catch(() => undefined);
}

/** Shows the number of ringing timers on the app's icon, if the system supports it. */
export function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  const done = count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count);
  done.catch(() => undefined);
}
