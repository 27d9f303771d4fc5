import type { Place } from '../../../timers/timer.ts';
import type { Turn } from '../../../turn/turn.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimerReply } from './timers-shape.ts';

/** Programs that neither ring nor show a timer. */
const silentSources: readonly Turn['source'][] = ['chat', 'wyoming'];

interface HearableOptions {
  /** Whether any device rings for a timer set at a place. */
  canRing: (place: Place) => Promise<boolean>;
  reply: SayReply<TimerReply>;
}

export type Hearable = ReturnType<typeof createHearable>;

/** The confirmation of a new timer. It carries a warning if the program cannot ring and no device can. */
export function createHearable({ canRing, reply }: HearableOptions) {
  return async ({ turn }: Ask, text: string): Promise<string> => {
    // The timer is set; a failed satellite lookup must not change the reply.
    const { source, room, conversation } = turn;
    const isHeard =
      !silentSources.includes(source) || (await canRing({ room, conversation }).catch(() => true));
    return isHeard ? text : reply('nothing_rings', { text }, turn);
  };
}
