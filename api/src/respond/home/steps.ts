import type { HomeClient } from '../../engines/home-client.ts';
import { domainOf } from '../../engines/home-templates.ts';
import { kindOfDomain } from './understand/home-words.ts';

const minLit = 5;
/** Higher settings are in Fahrenheit, where a step has two degrees. */
const maxCelsius = 45;

interface HasId {
  id: string;
}

/** A thing, and its target in percent or degrees. Null: it takes its own step. */
export interface Leveled<Thing extends HasId> {
  thing: Thing;
  level: number | null;
}

/** A step in percent or degrees. `isUsual`: the person named no amount. */
interface Step {
  by: number;
  isUsual: boolean;
}

const working = new Set(['playing', 'cleaning', 'mowing', 'returning']);
/** Commands for players and machines that are not running. */
const starting = new Set(['resume', 'start', 'on', 'clean', 'mow']);

/** Commands for the white of lights: "make the lights warmer". */
export const isOfWhite = (intent: string): boolean => intent === 'warmer_light' || intent === 'cooler_light';

export const isHeat = (things: readonly HasId[]) =>
  things.every(({ id }) => kindOfDomain[domainOf(id)] === 'climate');
export const areLights = (things: readonly HasId[]) => things.every(({ id }) => domainOf(id) === 'light');
export const areMachines = (things: readonly HasId[]) =>
  things.every(({ id }) => kindOfDomain[domainOf(id)] === 'machine');
export const areCovers = (things: readonly HasId[]) =>
  things.every(({ id }) => ['cover', 'valve'].includes(domainOf(id)));
export const isPlayers = (things: readonly HasId[]) =>
  things.every(({ id }) => domainOf(id) === 'media_player');

/**
 * Of several players and machines, chooses the running ones. To resume, it chooses the paused ones, or else
 * the idle ones.
 */
export function atWork<Thing extends HasId>(
  intent: string,
  things: readonly Thing[],
  states: Readonly<Record<string, string>>,
): readonly Thing[] {
  const resumes = starting.has(intent);
  const paused = resumes ? things.filter(({ id }) => states[id] === 'paused') : [];
  if (paused.length > 0) return paused;
  const found = things.filter(({ id }) => working.has(states[id] ?? '') !== resumes);
  return found.length > 0 ? found : things;
}

/** Computes the levels after a step. Lights and heatings that are off stay off. */
export function createSteps(client: Pick<HomeClient, 'light' | 'setting' | 'volume' | 'states'>) {
  /** In percent. If all lights are off and should be brighter, all are switched on. */
  const lights = async <Thing extends HasId>(things: readonly Thing[], by: number, signal: AbortSignal) => {
    const read = await Promise.all(
      things.map(async (thing) => ({ thing, now: await client.light(thing.id, signal) })),
    );
    const dimmable = read.flatMap(({ thing, now }) => (now === null ? [] : [{ thing, now }]));
    if (dimmable.length === 0) return null;
    const lit = dimmable.filter(({ now }) => now > 0);
    const changed = lit.length > 0 || by < 0 ? lit : dimmable;
    return changed.map(({ thing, now }) => ({
      thing,
      level: Math.min(100, Math.max(minLit, Math.round(now + by))),
    }));
  };

  const heatings = async <Thing extends HasId>(
    things: readonly Thing[],
    { by, isUsual }: Step,
    signal: AbortSignal,
  ) => {
    const read = await Promise.all(
      things.map(async (thing) => ({ thing, now: await client.setting(thing.id, signal) })),
    );
    return read.flatMap(({ thing, now }) => {
      if (now?.unit !== 'degrees') return [];
      return [{ thing, level: now.value + by * (isUsual && now.value > maxCelsius ? 2 : 1) }];
    });
  };

  const players = async <Thing extends HasId>(things: readonly Thing[], by: number, signal: AbortSignal) =>
    await Promise.all(
      things.map(async (thing) => {
        const now = await client.volume(thing.id, signal);
        return { thing, level: now === null ? null : inPercent(now + by) };
      }),
    );

  /** Those of a known position. Null: it is unknown for all of them. */
  const covers = async <Thing extends HasId>(things: readonly Thing[], by: number, signal: AbortSignal) => {
    const states = await client.states(signal);
    const read = await Promise.all(
      things.map(async (thing) => {
        const now = states[thing.id] === 'closed' ? 0 : (await client.setting(thing.id, signal))?.value;
        return now === undefined ? [] : [{ thing, level: inPercent(now + by) }];
      }),
    );
    const known = read.flat();
    return known.length > 0 ? known : null;
  };

  /** Null: they have no adjustable level. */
  return async <Thing extends HasId>(
    things: readonly Thing[],
    step: Step,
    signal: AbortSignal,
  ): Promise<readonly Leveled<Thing>[] | null> => {
    if (isHeat(things)) return await heatings(things, step, signal);
    if (isPlayers(things)) return await players(things, step.by, signal);
    if (areCovers(things)) return await covers(things, step.by, signal);
    return await lights(things, step.by, signal);
  };
}

/**
 * Computes the color temperatures after a step, in kelvin. Lights that are off stay off. A light that shows a
 * color starts from the middle of its range. Null: none has a color temperature.
 */
export async function whitesAfter<Thing extends HasId>(
  things: readonly Thing[],
  by: number,
  { client, signal }: { client: Pick<HomeClient, 'colorTemperature'>; signal: AbortSignal },
): Promise<readonly Leveled<Thing>[] | null> {
  const read = await Promise.all(
    things.map(async (thing) => ({ thing, white: await client.colorTemperature(thing.id, signal) })),
  );
  const able = read.flatMap(({ thing, white }) => (white === null ? [] : [{ thing, white }]));
  if (able.length === 0) return null;
  return able.flatMap(({ thing, white: { now, isOn, low, high } }) => {
    const level = Math.round((now ?? (low + high) / 2) + by);
    return isOn ? [{ thing, level: Math.min(high, Math.max(low, level)) }] : [];
  });
}

const inPercent = (value: number) => Math.min(100, Math.max(0, Math.round(value)));
