import type { components } from '../../../api/src/http/contract-types.ts';
import { t, tCount } from '../language/translate.ts';

type Thing = components['schemas']['Thing'];
type Found = components['schemas']['HomeAssistantFound'];

/** The states of Home Assistant that people see most. */
const words: Readonly<Record<string, () => string>> = {
  unavailable: () => t('does not answer'),
  unknown: () => t('not known'),
  not_home: () => t('away|state'),
  on: () => t('on|state'),
  off: () => t('off|state'),
  open: () => t('open|state'),
  closed: () => t('closed|state'),
  opening: () => t('opening|state'),
  closing: () => t('closing|state'),
  locked: () => t('locked|state'),
  unlocked: () => t('unlocked|state'),
  locking: () => t('locking|state'),
  unlocking: () => t('unlocking|state'),
  jammed: () => t('jammed|state'),
  playing: () => t('playing|state'),
  paused: () => t('paused|state'),
  idle: () => t('idle|state'),
  standby: () => t('standby|state'),
  buffering: () => t('buffering|state'),
  home: () => t('home|state'),
  cleaning: () => t('cleaning|state'),
  docked: () => t('docked|state'),
  returning: () => t('returning|state'),
  error: () => t('error|state'),
  mowing: () => t('mowing|state'),
  heat: () => t('heat|state'),
  cool: () => t('cool|state'),
  heat_cool: () => t('heat cool|state'),
  auto: () => t('auto|state'),
  dry: () => t('dry|state'),
  fan_only: () => t('fan only|state'),
  armed_home: () => t('armed home|state'),
  armed_away: () => t('armed away|state'),
  armed_night: () => t('armed night|state'),
  disarmed: () => t('disarmed|state'),
  pending: () => t('pending|state'),
  triggered: () => t('triggered|state'),
};

/** The state of a thing in people's words; '' if it has none worth showing. */
export function stateWords({ state }: Partial<Pick<Thing, 'state'>>): string {
  if (state === null || state === undefined) return '';
  const known = Object.hasOwn(words, state) ? words[state]?.() : undefined;
  return known ?? state.replaceAll('_', ' ');
}

/** Whether a thing is active or open, which people check before they leave home. */
export function isActive({ state }: Partial<Pick<Thing, 'state'>>): boolean {
  return ['on', 'open', 'opening', 'unlocked', 'playing', 'cleaning', 'mowing', 'heat', 'cool'].includes(
    state ?? '',
  );
}

export function foundWords({ things = 0, rooms = 0, limited = false }: Partial<Found>): string {
  if (limited)
    return t(
      'It works, but the access token does not belong to an administrator. Hearth cannot read the names in your house, and cannot undo.',
    );
  if (things === 0)
    return t(
      'It works, but nothing is exposed to Assist yet. In Home Assistant, open Settings, Voice assistants, Expose.',
    );
  return t('It works: {things} in {rooms}.', {
    things: tCount(things, '{n} thing', '{n} things'),
    rooms: tCount(rooms, '{n} room', '{n} rooms'),
  });
}
