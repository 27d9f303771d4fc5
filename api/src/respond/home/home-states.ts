import type { Entity } from '../../engines/home-answer.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import type { HomeSetting } from '../../engines/home-setting.ts';
import { domainOf } from '../../engines/home-templates.ts';
import { isOfWhite } from './steps.ts';

/** If an entity takes longer, the reply says that it is still changing. */
const patienceMs = 3_000;
/** Above this count, one request reads all states. */
const maxOneByOne = 20;

/** An entity after a command. `silent`: it does not answer. `unsure`: the outcome is unknown. */
type Standing = 'there' | 'on_its_way' | 'not_yet' | 'silent' | 'unsure';

/** Domains whose states say nothing about the outcome. */
const momentary = new Set(['scene', 'script', 'button', 'input_button']);

/** Transitional states of slow entities, with their commands. Locks are left out: they may still jam. */
const onTheWay: ReadonlyMap<string, readonly string[]> = new Map([
  ['opening', ['open', 'on', 'water', 'refer_on']],
  ['closing', ['close', 'off', 'refer_off']],
  ['returning', ['stop', 'dock', 'park', 'stop_cleaning', 'off', 'refer_off']],
]);

/** An entity after a command. */
interface Found {
  id: string;
  state: string;
  /** Its state before, if known. */
  before?: string | undefined;
}

/** Interprets an entity's state after a command. */
export function standingOf(intent: string, { id, state, before }: Found): Standing {
  if (state === 'unavailable') return 'silent';
  const domain = domainOf(id);
  if (momentary.has(domain)) return 'there';
  const wanted = wantedStates(intent, domain);
  if (wanted === null) return 'there';
  if (state === 'unknown') return 'unsure';
  if (wanted(state, before)) return 'there';
  return domain !== 'lock' && onTheWay.get(state)?.includes(intent) ? 'on_its_way' : 'not_yet';
}

type IsWanted = (state: string, before: string | undefined) => boolean;

/** Domains whose state names the activity instead of "on". */
const working: ReadonlyMap<string, string> = new Map([
  ['vacuum', 'cleaning'],
  ['lawn_mower', 'mowing'],
]);

/** Whether an entity is off or idle. */
function wantedOff(domain: string): IsWanted {
  const work = working.get(domain);
  if (work !== undefined) return (state) => state !== work;
  // Some players cannot be switched off and only go silent.
  if (domain === 'media_player') return (state) => !['playing', 'buffering', 'on'].includes(state);
  const off = domain === 'cover' || domain === 'valve' ? 'closed' : 'off';
  return (state) => ['off', 'standby', 'idle', off].includes(state);
}

/** Whether a state is a wanted one; null: any is. */
function wantedStates(intent: string, domain: string): IsWanted | null {
  const work = working.get(domain);
  const isCover = domain === 'cover' || domain === 'valve';
  switch (intent) {
    case 'start':
    case 'clean':
    case 'mow':
      return work === undefined ? null : (state) => state === work;
    case 'pause':
      return (state) => state !== 'playing' && state !== 'buffering';
    case 'resume':
      return (state) => state === 'playing' || state === 'buffering';
    case 'dock':
    case 'park':
    case 'stop_cleaning':
    case 'stop':
      if (domain === 'fan') return wantedOff(domain);
      return work === undefined ? null : (state) => state !== work;
    case 'on':
    case 'refer_on':
      if (work !== undefined) return (state) => state === work;
      return (state) => (isCover ? state === 'open' : state !== 'off' && state !== 'standby');
    case 'off':
    case 'music_off':
    case 'refer_off':
      return wantedOff(domain);
    case 'set':
      // A light that was off and still is off was not set. A light that was on may have been set to zero.
      return domain === 'light' ? (state, before) => state !== 'off' || before !== 'off' : null;
    case 'open':
    case 'water':
      return (state) => state === 'open' || state === 'unlocked' || (intent === 'water' && state === 'on');
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

/** Whether an entity's state shows the effect of a command. */
export function isTold(intent: string, id: string): boolean {
  const domain = domainOf(id);
  return !momentary.has(domain) && wantedStates(intent, domain) !== null;
}

export interface Stand {
  entity: Entity;
  state: string;
  standing: Standing;
  /** The current number of an entity that was set to a number, if it reports one. */
  setting?: HomeSetting | null;
}

/** Whether an entity has the requested state, or will have it. */
export const isReached = ({ standing }: Pick<Stand, 'standing'>): boolean =>
  standing === 'there' || standing === 'on_its_way';

export const isHeating = (id: string) => ['climate', 'water_heater'].includes(domainOf(id));

/** A thermostat that is off does not report its temperature. */
export const isOffHeating = ({ entity, state }: Pick<Stand, 'entity' | 'state'>): boolean =>
  state === 'off' && isHeating(entity.id);

/** Domains that can be set to a number of percent or degrees. */
const adjustable = new Set([
  ...['light', 'fan', 'cover', 'valve', 'climate', 'water_heater', 'humidifier', 'media_player'],
]);
const atZero = new Set(['off', 'closed']);
const moving = new Set(['opening', 'closing']);

/** Whether an entity has the value that it was set to. A light rounds to 255 steps, a fan to its speeds. */
export function isSetTo(value: number, setting: HomeSetting | null): boolean {
  if (setting === null) return false;
  const { unit, value: now, step = 1 } = setting;
  return unit === 'degrees' ? now === value : Math.abs(now - value) <= step;
}

/** The standing of an entity that was set to a number and already has the requested state. */
export function standingAt(
  value: number,
  { state, setting }: { state: string; setting: HomeSetting | null },
): Standing {
  if (value === 0 && atZero.has(state)) return 'there';
  if (moving.has(state)) return 'on_its_way';
  if (setting === null) return 'unsure';
  return isSetTo(value, setting) ? 'there' : 'not_yet';
}

/** Lamps round a color temperature to mireds, and some to few steps. */
const isNearWhite = (value: number, now: number | null): boolean =>
  now !== null && Math.abs(now - value) <= value * 0.05;

interface Awaited {
  intent: string;
  entities: readonly Entity[];
  /** The earlier states by id, if known. */
  before?: Readonly<Record<string, string>>;
  /** The numbers that they were set to, by id. */
  values?: ReadonlyMap<string, number>;
  signal: AbortSignal;
}

export type StatesClient = Pick<
  HomeClient,
  'state' | 'states' | 'changed' | 'setting' | 'volume' | 'mayShowColor' | 'colorTemperature'
>;

/** The number that an entity is set to. Null: it reports none. */
export async function reportedSetting(
  client: Pick<HomeClient, 'setting' | 'volume'>,
  id: string,
  signal: AbortSignal,
): Promise<HomeSetting | null> {
  if (domainOf(id) !== 'media_player') return await client.setting(id, signal);
  const volume = await client.volume(id, signal);
  return volume === null ? null : { unit: 'percent', value: Math.round(volume) };
}

/** Polls the states of the commanded entities until all are as wanted, or time runs out. */
export async function awaitStates(
  client: StatesClient,
  { intent, entities, before = {}, values, signal }: Awaited,
): Promise<Stand[]> {
  const colorAt = async (stand: Stand): Promise<Stand> =>
    (await client.mayShowColor(stand.entity.id, signal))
      ? stand
      : { ...stand, setting: null, standing: 'unsure' };
  const whiteAt = async (stand: Stand, value: number): Promise<Stand> => {
    const white = await client.colorTemperature(stand.entity.id, signal);
    return { ...stand, standing: isNearWhite(value, white?.now ?? null) ? 'there' : 'not_yet' };
  };
  const standAt = async (stand: Stand): Promise<Stand> => {
    const { id } = stand.entity;
    if (stand.standing !== 'there') return stand;
    if (intent === 'color' && domainOf(id) === 'light') return await colorAt(stand);
    const value = values?.get(id);
    if (value === undefined || !adjustable.has(domainOf(id))) return stand;
    if (isOfWhite(intent)) return await whiteAt(stand, value);
    const setting = await reportedSetting(client, id, signal);
    return { ...stand, setting, standing: standingAt(value, { state: stand.state, setting }) };
  };
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const all = entities.length > maxOneByOne ? await client.states(signal) : {};
    const stands = await Promise.all(
      entities.map(async (entity) => {
        const state = all[entity.id] ?? (await client.state(entity.id, signal));
        const found = { id: entity.id, state, before: before[entity.id] };
        return await standAt({ entity, state, standing: standingOf(intent, found) });
      }),
    );
    if (!stands.some(({ standing }) => standing === 'not_yet') || performance.now() > giveUpAt) return stands;
    const ids = entities.map(({ id }) => id);
    await client.changed(ids, signal);
  }
}
