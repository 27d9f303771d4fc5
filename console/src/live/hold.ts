import type { LiveState } from './connection.ts';
import type { TalkMode } from './device.ts';

/**
 * The states of "hold to talk". `trailing`: released, but the end of a word still comes from the microphone.
 */
export type Hold = 'up' | 'held' | 'trailing';

/** `trailed`: the end of the word has arrived. `refused`: no microphone. `lost`: the connection is gone. */
export type HoldEvent = 'pressed' | 'released' | 'trailed' | 'refused' | 'lost';

const moves: Record<HoldEvent, Partial<Record<Hold, Hold>>> = {
  pressed: { up: 'held', trailing: 'held' },
  released: { held: 'trailing' },
  trailed: { trailing: 'up' },
  refused: { held: 'up' },
  lost: { held: 'up' },
};

/**
 * The state after an event; unchanged if the event does not apply. A microphone that is always open has no
 * button.
 */
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
