import type { components } from '../../../api/src/http/contract-types.ts';

type Thing = components['schemas']['Thing'];
type Found = components['schemas']['HomeAssistantFound'];

/** States for which people use other words. */
const words: Readonly<Record<string, string>> = {
  unavailable: 'does not answer',
  unknown: 'not known',
  not_home: 'away',
};

/** The state of a thing in people's words; '' if it has none worth showing. */
export function stateWords({ state }: Partial<Pick<Thing, 'state'>>): string {
  if (state === null || state === undefined) return '';
  return words[state] ?? state.replaceAll('_', ' ');
}

/** Whether a thing is active or open, which people check before they leave home. */
export function isActive({ state }: Partial<Pick<Thing, 'state'>>): boolean {
  return ['on', 'open', 'opening', 'unlocked', 'playing', 'cleaning', 'mowing', 'heat', 'cool'].includes(
    state ?? '',
  );
}

export function foundWords({ things = 0, rooms = 0, limited = false }: Partial<Found>): string {
  if (limited)
    return 'It works, but the access token does not belong to an administrator. Hearth cannot read the names in your house, and cannot undo.';
  if (things === 0)
    return 'It works, but nothing is exposed to Assist yet. In Home Assistant, open Settings, Voice assistants, Expose.';
  return `It works: ${count(things, 'thing', 'things')} in ${count(rooms, 'room', 'rooms')}.`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
