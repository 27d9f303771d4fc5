import type { SatellitesThere } from '../../timers/satellites-there.ts';
import type { AskedTurn } from '../responder.ts';

interface SpeakerFinderOptions {
  there: Pick<SatellitesThere, 'all'>;
  /** The household's steady time in ms. */
  steady: () => number;
}

/** The loudspeaker that a turn is heard on: that of its live connection, or of the satellite whose conversation it belongs to. */
export function createSpeakerFinder({ there, steady }: SpeakerFinderOptions) {
  return async ({
    source,
    conversation,
  }: Pick<AskedTurn, 'source' | 'conversation'>): Promise<string | null> => {
    if (conversation === null || source === 'listen') return conversation;
    const connected = await there.all(steady());
    return connected.some((each) => each.conversation === conversation) ? conversation : null;
  };
}
