import { setTimeout as delay } from 'node:timers/promises';
import type { Entity } from '../../engines/home-answer.ts';
import type { HomeClient } from '../../engines/home-client.ts';

/** So long a lamp may take before it is said that it is not there yet. */
export const patienceMs = 3_000;
const lookEveryMs = 150;

/** How a thing stands after a command. `silent`: it does not answer. `unsure`: nobody can tell. */
export type Standing = 'there' | 'on its way' | 'not yet' | 'silent' | 'unsure';

/** States that say nothing about what was done. */
const momentary = new Set(['scene', 'script', 'button', 'input_button']);

const onTheWay = new Set(['opening', 'closing', 'locking', 'unlocking', 'returning']);

/** What a thing's state means behind a command that has been passed on. */
export function standingOf(intent: string, id: string, state: string): Standing {
  if (state === 'unavailable') return 'silent';
  const domain = id.split('.')[0] ?? '';
  if (momentary.has(domain)) return 'there';
  const wanted = wantedStates(intent, domain);
  if (wanted === null) return 'there';
  if (state === 'unknown') return 'unsure';
  if (onTheWay.has(state)) return 'on its way';
  return wanted(state) ? 'there' : 'not yet';
}

/** Whether a state is the one that was wanted; null: any is. */
function wantedStates(intent: string, domain: string): ((state: string) => boolean) | null {
  const isCover = domain === 'cover' || domain === 'valve';
  switch (intent) {
    case 'on':
    case 'refer_on':
      return (state) => (isCover ? state === 'open' : state !== 'off');
    case 'off':
    case 'refer_off':
      return (state) => ['off', 'standby', 'idle', isCover ? 'closed' : 'off'].includes(state);
    case 'open':
      return (state) => state === 'open' || state === 'unlocked';
    case 'close':
      return (state) => state === 'closed' || state === 'locked';
    case 'lock':
      return (state) => state === 'locked';
    case 'unlock':
      return (state) => state === 'unlocked' || state === 'open';
    default:
      return null;
  }
}

export interface Stand {
  entity: Entity;
  state: string;
  standing: Standing;
}

interface Awaited {
  intent: string;
  entities: readonly Entity[];
  signal: AbortSignal;
}

/** Reads the states of what was commanded until all of it has come about, or patience ends. */
export async function awaitStates(
  client: Pick<HomeClient, 'state'>,
  { intent, entities, signal }: Awaited,
): Promise<Stand[]> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const stands = await Promise.all(
      entities.map(async (entity) => {
        const state = await client.state(entity.id, signal);
        return { entity, state, standing: standingOf(intent, entity.id, state) };
      }),
    );
    if (!stands.some(({ standing }) => standing === 'not yet') || performance.now() > giveUpAt) return stands;
    await delay(lookEveryMs, undefined, { signal });
  }
}
