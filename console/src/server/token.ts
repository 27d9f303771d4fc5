import { signal } from '@preact/signals';

const key = 'hearth-token';

/**
 * The token, on this device only: in memory, or in storage until it is forgotten. Never part of an address.
 */
export function createTokenKeeper({ tab, device }: { tab: Storage; device: Storage }) {
  const token = signal<string | null>(tab.getItem(key) ?? device.getItem(key));
  const forget = (): void => {
    tab.removeItem(key);
    device.removeItem(key);
    token.value = null;
  };
  return {
    token,
    keep(given: string, { isRemembered }: { isRemembered: boolean }): void {
      forget();
      (isRemembered ? device : tab).setItem(key, given);
      token.value = given;
    },
    forget,
  };
}

/** The only way for a page to send the token over a socket: a second subprotocol beside our own. */
export function socketProtocols(token: string | null): string[] {
  return token === null ? ['hearth.v1'] : ['hearth.v1', `bearer.${base64url(token)}`];
}

function base64url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
