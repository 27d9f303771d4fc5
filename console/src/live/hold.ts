import type { LiveState } from './connection.ts';
import type { TalkMode } from './device.ts';

/**
 * The states of "hold to talk". `trailing`: released, but the end of a word still comes from the microphone.
 * `free`: listens for one utterance without the button.
 */
export type Hold = 'up' | 'held' | 'trailing' | 'free';

/**
 * `trailed`: the end of the word has arrived. `refused`: no microphone. `allowed`: the person had to let go
 * of the button to allow the microphone. `heard`: the utterance is over. `lost`: the connection is gone.
 */
export type HoldEvent = 'pressed' | 'released' | 'trailed' | 'refused' | 'allowed' | 'heard' | 'lost';

const moves: Record<HoldEvent, Partial<Record<Hold, Hold>>> = {
  pressed: { up: 'held', trailing: 'held', free: 'held' },
  released: { held: 'trailing' },
  trailed: { trailing: 'up' },
  refused: { held: 'up' },
  allowed: { up: 'free', trailing: 'free' },
  heard: { free: 'up' },
  lost: { held: 'up', free: 'up' },
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

/** Whether the sound of the microphone is sent to the server. */
export function isSent({ live, mode, hold }: Situation): boolean {
  return live.kind === 'open' && (mode !== 'hold' || hold !== 'up');
}
