import type { LiveState } from './connection.ts';
import type { TalkMode } from './device.ts';

/** The button of "hold to talk". `trailing`: just released, while the end of a word is still on its way from the microphone. */
export type Hold = 'up' | 'held' | 'trailing';

/** `trailed`: the end of the word has arrived. `refused`: there is no microphone. `lost`: the connection is gone. */
export type HoldEvent = 'pressed' | 'released' | 'trailed' | 'refused' | 'lost';

const moves: Record<HoldEvent, Partial<Record<Hold, Hold>>> = {
  pressed: { up: 'held', trailing: 'held' },
  released: { held: 'trailing' },
  trailed: { trailing: 'up' },
  refused: { held: 'up' },
  lost: { held: 'up' },
};

/** The button after an event; the same when the event means nothing to it. While the microphone is open all the time, nobody can press it. */
export function afterHoldEvent(hold: Hold, event: HoldEvent, mode: TalkMode): Hold {
  if (event === 'pressed' && mode !== 'hold') return hold;
  return moves[event][hold] ?? hold;
}

interface Situation {
  live: LiveState;
  mode: TalkMode;
  hold: Hold;
}

/** Whether the microphone's sound goes to the house. */
export function isSent({ live, mode, hold }: Situation): boolean {
  return live.kind === 'open' && (mode !== 'hold' || hold !== 'up');
}
