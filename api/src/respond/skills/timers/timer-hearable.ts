import type { Place } from '../../../timers/timer.ts';
import type { Turn } from '../../../turn/turn.ts';
import type { Ask } from '../skill.ts';
import type { SayReply } from '../skill-language.ts';
import type { TimerReply } from './timers-shape.ts';

/** Other programs, which neither ring nor show a timer. */
const silentSources: readonly Turn['source'][] = ['chat', 'wyoming'];

interface HearableOptions {
  /** Whether anything rings for what is set at a place. */
  canRing: (place: Place) => Promise<boolean>;
  reply: SayReply<TimerReply>;
}

export type Hearable = ReturnType<typeof createHearable>;

/** What is said of something that was set: with a warning where it was set over a program that does not ring, and nothing else can. */
export function createHearable({ canRing, reply }: HearableOptions) {
  return async ({ turn }: Ask, text: string): Promise<string> => {
    // It is set; who cannot be asked for satellites is no reason to say anything else.
    const { source, room, conversation } = turn;
    const isHeard =
      !silentSources.includes(source) || (await canRing({ room, conversation }).catch(() => true));
    return isHeard ? text : reply('nothing_rings', { text }, turn);
  };
}
