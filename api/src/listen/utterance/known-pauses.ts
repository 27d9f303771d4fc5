import type { UtteranceEdge } from '../../audio/listener.ts';
import { createSpokenPauses, type SpokenPauses } from './spoken-pauses.ts';

/** Stores pauses for longer than one connection. */
export interface PausesByClient {
  /** Resolves to an empty list if nothing is known. */
  of(client: string): Promise<SpokenPauses>;
  keep(client: string, pauses: SpokenPauses): Promise<void>;
}

interface KnownPausesOptions {
  store: PausesByClient;
  /** Null: the satellite has no name, so its pauses are lost with the connection. */
  client: () => string | null;
  /** How long an answer has been audible. 0 if it is not. */
  audibleForMs: () => number;
  /** Whether people call the assistant before a sentence. */
  isCalled: () => boolean;
  /** Called when the known pauses may have changed. */
  onKnown: () => void;
}

/**
 * Learns and stores how the people at one satellite pause inside sentences. A failure of the store is
 * ignored, and the connection uses the values it has.
 */
export function createKnownPauses({ store, client, audibleForMs, isCalled, onKnown }: KnownPausesOptions) {
  let of: string | null = null;
  const spoken = createSpokenPauses({
    audibleForMs,
    isCalled,
    onLearned: (pauses) => {
      const name = client();
      if (name !== null) store.keep(name, pauses).catch(() => undefined);
    },
  });

  /**
   * Reads the store before each sentence: another connection may have learned, or the household may have
   * deleted data.
   */
  const look = (): void => {
    const name = client();
    if (name !== of) spoken.know([]);
    of = name;
    if (name === null) return;
    store
      .of(name)
      .then((pauses) => {
        if (client() !== name) return;
        spoken.know(pauses);
        onKnown();
      })
      .catch(() => undefined);
  };

  return {
    onEdge(edge: UtteranceEdge): void {
      if (edge.type === 'started') look();
      spoken.onEdge(edge);
    },
    answered: spoken.answered,
    habit: spoken.habit,
  };
}
