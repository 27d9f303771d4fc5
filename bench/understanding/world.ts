import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { keys } from '../../api/src/redis/keys.ts';
import { type Timer, timerSchema } from '../../api/src/timers/timer.ts';

/** A house may take this long to show a change that it has reported. */
const changeMs = 250;
/** Maximum time in which the example house restores any state. */
const putBackMs = 5_000;

const commanded = /^(light|switch|cover|lock|climate|media_player|fan|scene|vacuum|lawn_mower|valve)\./;
/** Attributes that people change, besides the state. */
const changeableAttributes = [
  'brightness',
  'rgb_color',
  'color_temp_kelvin',
  'percentage',
  'current_position',
  'volume_level',
  'is_volume_muted',
  'temperature',
  'media_title',
];

const warm = { state: 'on', brightness: 128, color_mode: 'hs', hs_color: [30, 40] };
/** The initial color of a light that is off: it remembers its last commanded color. */
const white = { state: 'on', brightness: 128, color_mode: 'hs', hs_color: [0, 0] };

const statesSchema = z.array(
  z.object({ entity_id: z.string(), state: z.string(), attributes: z.record(z.string(), z.json()) }),
);
type State = z.infer<typeof statesSchema>[number];

interface WorldOptions {
  redisUrl: string;
  home: { url: string; token: string };
  timeZone: string;
  signal: AbortSignal;
}

/** One change: its kind, and its description in words that do not depend on the day. */
export interface Effect {
  kind: 'timer' | 'list' | 'house';
  what: string;
}

interface Snapshot {
  /** The records of Redis, by key, as DUMP gives them. */
  records: ReadonlyMap<string, Buffer>;
  timers: ReadonlyMap<string, Timer>;
  /** Items by list. */
  items: ReadonlySet<string>;
  states: ReadonlyMap<string, State>;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The state that a sentence may change, now and before: Hearth's stores and a real house. */
export async function openWorld({ redisUrl, home, timeZone, signal }: WorldOptions) {
  const redis = new Redis(redisUrl);
  const headers = { authorization: `Bearer ${home.token}`, 'content-type': 'application/json' };

  const states = async (): Promise<Map<string, State>> => {
    const answer = await fetch(`${home.url}/api/states`, { headers, signal });
    const all = statesSchema.parse(await answer.json());
    return new Map(
      all.filter(({ entity_id: id }) => commanded.test(id)).map((each) => [each.entity_id, each]),
    );
  };
  const apply = async (entities: object): Promise<void> => {
    const body = JSON.stringify({ entities });
    await fetch(`${home.url}/api/services/scene/apply`, { method: 'POST', headers, signal, body });
  };
  const storeKeys = async () => [keys.timers.of(), keys.lists.of(), ...(await redis.keys(keys.list.of('*')))];
  const timers = async () => {
    const read = Object.values(await redis.hgetall(keys.timers.of()));
    return new Map(
      read.map((record) => timerSchema.parse(JSON.parse(record))).map((each) => [each.id, each]),
    );
  };
  const items = async (): Promise<Set<string>> => {
    const names = Object.keys(await redis.hgetall(keys.lists.of()));
    const found = await Promise.all(
      names.map(async (name) =>
        ['', ...Object.keys(await redis.hgetall(keys.list.of(name)))].map((item) => `${name}: ${item}`),
      ),
    );
    return new Set(found.flat());
  };
  const before = async (): Promise<Snapshot> => {
    const records = new Map<string, Buffer>();
    for (const key of await storeKeys()) {
      const record = await redis.dumpBuffer(key);
      if (record) records.set(key, record);
    }
    return { records, timers: await timers(), items: await items(), states: await states() };
  };

  // Every second light is on, at half brightness and in a warm color, so that any change to lights is
  // visible.
  const lights = [...(await states()).keys()].filter((id) => id.startsWith('light.'));
  const applyOff = async (ids: readonly string[]): Promise<void> => {
    await apply(Object.fromEntries(ids.map((id) => [id, white])));
    await apply(Object.fromEntries(ids.map((id) => [id, 'off'])));
  };
  await apply(Object.fromEntries(lights.map((id) => [id, warm])));
  await applyOff(lights.filter((_, at) => at % 2 === 1));
  const was = await before();
  const houseEffects = async (): Promise<Effect[]> => {
    const now = await states();
    return [...was.states].flatMap(([id, state]) => {
      const changes = changesOf(state, now.get(id));
      return changes.map((what): Effect => ({ kind: 'house', what: `${id} ${what}` }));
    });
  };

  /**
   * One at a time: some share members. Those are then restored already, or another one changes them again.
   */
  const applyEach = async (): Promise<void> => {
    for (const [id, { state, attributes }] of was.states) {
      if (changesOf({ state, attributes }, (await states()).get(id)).length === 0) continue;
      if (id.startsWith('light.') && state === 'off') await applyOff([id]);
      else await apply({ [id]: { state, ...attributes } });
    }
  };

  return {
    /** The changes. With `isHouse`, a house that shows none yet is read once more. */
    async effects(isHouse: boolean): Promise<Effect[]> {
      const inStores = [
        ...timerEffects(was.timers, await timers(), timeZone),
        ...listEffects(was.items, await items()),
      ];
      const inHouse = await houseEffects();
      if (!isHouse || inHouse.length > 0) return [...inStores, ...inHouse];
      await delay(changeMs, undefined, { signal });
      return [...inStores, ...(await houseEffects())];
    },

    /** Restores everything. Throws if the house does not follow. */
    async putBack(): Promise<void> {
      const undo = redis.multi();
      for (const key of await storeKeys()) undo.del(key);
      for (const [key, record] of was.records) undo.restore(key, 0, record);
      await undo.exec();
      for (const until = performance.now() + putBackMs; (await houseEffects()).length > 0; ) {
        if (performance.now() > until)
          throw new Error(`the house did not return to its state: ${JSON.stringify(await houseEffects())}`);
        await applyEach();
        await delay(20, undefined, { signal });
      }
    },

    close: () => redis.disconnect(),
  };
}

function changesOf(was: Omit<State, 'entity_id'>, now: State | undefined): string[] {
  if (now === undefined) return ['is gone'];
  const state = was.state === now.state || was.state === 'unknown' ? [] : [`${was.state} > ${now.state}`];
  // A light that is off has no brightness; the brightness it gets when turned on was not requested.
  const isSame = state.length === 0;
  const values = changeableAttributes.flatMap((name) => {
    const [one, other] = [was.attributes[name] ?? null, now.attributes[name] ?? null];
    const isAsked = other !== null && JSON.stringify(one) !== JSON.stringify(other);
    return isAsked && (isSame || one !== null || name !== 'volume_level')
      ? [`${name} ${JSON.stringify(other)}`]
      : [];
  });
  return state.length + values.length === 0 ? [] : [[...state, ...values].join(', ')];
}

function timerEffects(
  was: ReadonlyMap<string, Timer>,
  now: ReadonlyMap<string, Timer>,
  timeZone: string,
): Effect[] {
  const added = [...now]
    .filter(([id]) => !was.has(id))
    .map(([, timer]) => effectOf(timer, `+ ${inWords(timer, timeZone)}`));
  const gone = [...was]
    .filter(([id]) => !now.has(id))
    .map(([, timer]) => effectOf(timer, `- ${timer.kind} ${timer.label ?? ''}`));
  const changed = [...now].flatMap(([id, timer]) => {
    const before = was.get(id);
    const isSame = before === undefined || (before.dueAt === timer.dueAt && before.label === timer.label);
    return isSame
      ? []
      : [effectOf(timer, `${before.kind} ${before.label ?? ''} > ${inWords(timer, timeZone)}`)];
  });
  return [...added, ...gone, ...changed];
}

/** A scheduled command will change the house later. */
function effectOf({ kind }: Timer, what: string): Effect {
  return { kind: kind === 'command' ? 'house' : 'timer', what: what.trim() };
}

/** From here on the day of the month says more than the weekday. */
const farDays = 14;

/**
 * "alarm 07:00 tomorrow (label)", or a length in seconds for timers, in words that do not depend on the day.
 * A verdict on the next timer, by day or by night, has a line for each.
 */
function inWords(timer: Timer, timeZone: string): string {
  const { kind, label, dueAt, setAt, durationMs, counts, repeats } = timer;
  const name = label === null ? '' : ` (${label})`;
  if (counts?.by === 'length') return `${kind} ${Math.round((durationMs ?? dueAt - setAt) / 1_000)} s${name}`;
  const of = (at: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at);
  const dayOf = (at: number) =>
    Date.parse(`${new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at)}T00:00:00Z`);
  const days = Math.round((dayOf(dueAt) - dayOf(setAt)) / 86_400_000);
  const time = of(dueAt, { hour: '2-digit', minute: '2-digit' });
  if (repeats) return `${kind} ${time} ${repeats.rule}${name}`;
  const near = ['today', 'tomorrow'][days] ?? of(dueAt, { weekday: 'long' });
  return `${kind} ${time} ${days < farDays ? near : of(dueAt, { day: 'numeric', month: 'long' })}${name}`;
}

function listEffects(was: ReadonlySet<string>, now: ReadonlySet<string>): Effect[] {
  const added = [...now].filter((item) => !was.has(item)).map((item) => `+ ${item}`);
  const gone = [...was].filter((item) => !now.has(item)).map((item) => `- ${item}`);
  return [...added, ...gone].map((what) => ({ kind: 'list', what: what.trim() }));
}
