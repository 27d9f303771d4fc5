import type { DeviceToken } from './device-token.ts';
import type { TokenStore } from './token-store.ts';

/** Last uses are told to about a minute, so they are written no more often. */
const everyMs = 60_000;

interface TokenUsesOptions {
  store: Pick<TokenStore, 'note'>;
  onError: (error: unknown) => void;
  /** Milliseconds of a clock that nobody sets. */
  now?: () => number;
}

/** Notes when and from where each token was last used, with one write a minute for each at the most. */
export function createTokenUses({ store, onError, now = () => performance.now() }: TokenUsesOptions) {
  const notedAt = new Map<string, number>();

  return {
    /** Nothing waits for it, and if Redis is away the next use is noted instead. */
    note(token: DeviceToken, from: string): void {
      const at = notedAt.get(token.hash);
      if (at !== undefined && now() - at < everyMs) return;
      notedAt.set(token.hash, now());
      store.note(token, { at: Date.now(), from }).catch((error) => {
        notedAt.delete(token.hash);
        onError(error);
      });
    },
    /** Forgets tokens that are gone. */
    forget(isGone: (hash: string) => boolean): void {
      for (const hash of notedAt.keys()) if (isGone(hash)) notedAt.delete(hash);
    },
  };
}
