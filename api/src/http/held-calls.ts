import type { DeviceToken } from '../tokens/device-token.ts';

interface HeldCallsOptions {
  /** Whether a token is still valid. */
  isKnown: (hash: string) => boolean;
}

interface Held {
  token: DeviceToken;
  /** The caller's address. */
  from: string;
  end: () => void;
}

export type HeldCalls = ReturnType<typeof createHeldCalls>;

/**
 * The open calls of tokens in this process: sockets, streams and pending responses. They end when their token
 * is revoked.
 */
export function createHeldCalls({ isKnown }: HeldCallsOptions) {
  const held = new Set<Held>();

  return {
    /** Registers a call. The returned function removes it when the call is over. */
    hold(call: Held): () => void {
      held.add(call);
      // The token may have been revoked since the access check.
      if (!isKnown(call.token.hash)) call.end();
      return () => held.delete(call);
    },
    /** Ends the calls of revoked tokens. */
    endRevoked(): void {
      for (const { token, end } of [...held]) if (!isKnown(token.hash)) end();
    },
    all: (): readonly Pick<Held, 'token' | 'from'>[] => [...held],
  };
}
