import type { UtteranceEdge } from '../audio/listener.ts';
import { createSpokenPauses, type SpokenPauses } from './spoken-pauses.ts';

/** What is known beyond one connection. */
export interface PausesByClient {
  /** Empty: nothing is known. */
  of(client: string): Promise<SpokenPauses>;
  keep(client: string, pauses: SpokenPauses): Promise<void>;
}

interface KnownPausesOptions {
  store: PausesByClient;
  /** Null: it has no name, and what is learned ends with the connection. */
  client: () => string | null;
  /** How long an answer has been heard; 0: none is. */
  heardMs: () => number;
  /** What is known may have changed. */
  onKnown: () => void;
}

/**
 * How the people at one satellite pause inside their sentences, learned and kept. If it cannot be read or kept just now, the connection goes
 * on with what it knows.
 */
export function createKnownPauses({ store, client, heardMs, onKnown }: KnownPausesOptions) {
  let of: string | null = null;
  const spoken = createSpokenPauses({
    heardMs,
    onLearned: (pauses) => {
      const name = client();
      if (name !== null) store.keep(name, pauses).catch(() => undefined);
    },
  });

  /** Asked before each sentence: another connection may have learned, and the household may have forgotten. */
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
    hear(edge: UtteranceEdge): void {
      if (edge.type === 'started') look();
      spoken.hear(edge);
    },
    answered: spoken.answered,
    habit: spoken.habit,
  };
}
