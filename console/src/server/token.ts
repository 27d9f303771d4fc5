import { signal } from '@preact/signals';

const key = 'hearth-token';

/** The token, in memory or in the storage of this device. It never becomes part of an address. */
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

/** A second subprotocol beside our own. A page has no other way to send a token over a WebSocket. */
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
