import type { DeviceToken } from './device-token.ts';
import type { TokenStore } from './token-store.ts';

/** Last uses are shown to about a minute, so they are written no more often. */
const intervalMs = 60_000;

interface TokenUsesOptions {
  store: Pick<TokenStore, 'note'>;
  onError: (error: unknown) => void;
}

/** Records time and address of each token's last use, with at most one write a minute per token. */
export function createTokenUses({ store, onError }: TokenUsesOptions) {
  const notedAt = new Map<string, number>();

  return {
    /** Fire and forget. If Redis is unavailable, the next use is recorded instead. */
    note(token: DeviceToken, from: string): void {
      const at = notedAt.get(token.hash);
      if (at !== undefined && performance.now() - at < intervalMs) return;
      notedAt.set(token.hash, performance.now());
      store.note(token, { at: Date.now(), from }).catch((error) => {
        notedAt.delete(token.hash);
        onError(error);
      });
    },
    /** Drops revoked tokens. */
    forget(isGone: (hash: string) => boolean): void {
      for (const hash of notedAt.keys()) if (isGone(hash)) notedAt.delete(hash);
    },
  };
}
