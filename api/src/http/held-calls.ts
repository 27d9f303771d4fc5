import type { DeviceToken } from '../tokens/device-token.ts';

interface HeldCallsOptions {
  /** Whether a token is still known. */
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
 * The calls that tokens have open in this process: sockets, streams, and answers on their way. They end with
 * their token.
 */
export function createHeldCalls({ isKnown }: HeldCallsOptions) {
  const held = new Set<Held>();

  return {
    /** Keeps a call until it is over: the function that it returns says so. */
    hold(call: Held): () => void {
      held.add(call);
      // Its token may have been revoked since it was let in.
      if (!isKnown(call.token.hash)) call.end();
      return () => held.delete(call);
    },
    /** Ends the calls of tokens that are not known any more. */
    endRevoked(): void {
      for (const { token, end } of [...held]) if (!isKnown(token.hash)) end();
    },
    all: (): readonly Pick<Held, 'token' | 'from'>[] => [...held],
  };
}
