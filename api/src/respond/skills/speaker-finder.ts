import type { SatellitesThere } from '../../timers/satellites-there.ts';
import type { TextTurn } from '../core/responder.ts';

interface SpeakerFinderOptions {
  there: Pick<SatellitesThere, 'all'>;
  /** The household's monotonic time in ms. */
  steady: () => number;
}

/** Finds the loudspeaker of a turn: its live connection, or the satellite of its conversation. */
export function createSpeakerFinder({ there, steady }: SpeakerFinderOptions) {
  return async ({
    source,
    conversation,
  }: Pick<TextTurn, 'source' | 'conversation'>): Promise<string | null> => {
    if (conversation === null || source === 'listen') return conversation;
    const connected = await there.all(steady());
    return connected.some((each) => each.conversation === conversation) ? conversation : null;
  };
}
