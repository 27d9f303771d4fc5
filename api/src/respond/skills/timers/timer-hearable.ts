import type { SatellitesThere } from '../../../timers/satellites-there.ts';
import { type Place, satellitesFor } from '../../../timers/timer.ts';
import type { Turn } from '../../../turn/turn.ts';
import type { Ask } from '../../core/skill.ts';

/** Programs that neither ring nor show a timer. */
const silentSources: readonly Turn['source'][] = ['chat', 'wyoming'];

interface HearableOptions {
  /** Whether any device rings for a timer set at a place. */
  canRing: (place: Place) => Promise<boolean>;
  /** Adds the warning to a confirmation. */
  warned: (text: string, turn: { id: string }) => string;
}

export type Hearable = ReturnType<typeof createHearable>;

/** Whether a connected device rings for a timer set at a place. */
export const createCanRing =
  ({ there, steady }: { there: Pick<SatellitesThere, 'all'>; steady: () => number }) =>
  async ({ room, conversation: client }: Place): Promise<boolean> =>
    satellitesFor({ room, client }, await there.all(steady())).length > 0;

/** The confirmation of a new timer. It carries a warning if the program cannot ring and no device can. */
export function createHearable({ canRing, warned }: HearableOptions) {
  return async ({ turn }: Ask, text: string): Promise<string> => {
    // The timer is set; a failed satellite lookup must not change the reply.
    const { source, room, conversation } = turn;
    const isHeard =
      !silentSources.includes(source) || (await canRing({ room, conversation }).catch(() => true));
    return isHeard ? text : warned(text, turn);
  };
}
