import type { Entity, HomeAnswer } from '../../engines/home-answer.ts';
import { fill, joined } from '../../language/phrase.ts';
import type { Say } from '../../language/phrases.ts';
import type { SayReply } from '../core/skill-language.ts';
import type { HomeResult } from './home-result.ts';
import { isHeating, isOffHeating, isReached, type Stand } from './home-states.ts';
import type { homeShape, outcomeReplies } from './understand/home-shape.ts';

export type SayHome = SayReply<keyof (typeof homeShape)['replies']>;
export type SayOutcome = SayReply<keyof typeof outcomeReplies>;

interface ReportsOptions {
  reply: SayOutcome;
  words: { between: string; last: string };
  /** BCP 47: decides how numbers are written. */
  tag: string;
}

/** A command, and the states before and after it. */
interface Done {
  intent: string;
  before: Readonly<Record<string, string>>;
  stands: readonly Stand[];
  /** The percent or degrees that was set; null: no number. */
  setTo?: number | null;
}

/** Listeners cannot follow more names. */
const maxNames = 5;

export type HomeReports = ReturnType<typeof createHomeReports>;

/** The reply to a command that was sent, based on the states afterwards. */
export function createHomeReports({ reply, words, tag }: ReportsOptions) {
  const numbers = new Intl.NumberFormat(tag, { useGrouping: false });

  const named = (entities: readonly Entity[]): string =>
    joined([...new Set(entities.map(({ name }) => name))].slice(0, maxNames), words);
  /** The verb agrees with the names: two locks called "Front door" have one. */
  const isOneName = ([first, ...others]: readonly Entity[]): boolean =>
    others.every(({ name }) => name === first?.name);

  /** The number that an entity is actually set to. Null: several, or unknown. */
  const isAt = ([stand, ...more]: readonly Stand[], turn: { id: string }): string | null => {
    if (!stand?.setting || more.length > 0) return null;
    const values = { things_start: named([stand.entity]), value: numbers.format(stand.setting.value) };
    return reply(stand.setting.unit === 'degrees' ? 'set_degrees' : 'set_percent', values, turn);
  };

  const problemOf = (silent: readonly Entity[], late: readonly Stand[], turn: { id: string }): string => {
    if (silent.length > 0)
      return reply(isOneName(silent) ? 'silent_one' : 'silent_some', { things_start: named(silent) }, turn);
    const entities = late.map(({ entity }) => entity);
    const key = isOneName(entities) ? 'not_yet' : 'not_yet_some';
    return isAt(late, turn) ?? reply(key, { things: named(entities) }, turn);
  };

  /** Repeats the number that was set: "close to 30 percent" is ambiguous. */
  const wasSet = (
    { speech, succeeded }: HomeAnswer,
    { stands, setTo }: Pick<Done, 'stands' | 'setTo'>,
    turn: { id: string },
  ): string | null => {
    if (setTo === null || setTo === undefined || succeeded.length === 0) return null;
    const things = stands.filter(isReached);
    // "Brightness set to 80%" must not be said of a light with another brightness.
    const isPartial = things.length < stands.length;
    const found = new Set(things.flatMap(({ setting }) => setting?.value ?? []));
    const [now] = found;
    // A fan rounds a percentage to its speeds.
    const value = found.size === 1 && now !== undefined && Math.abs(now - setTo) > 1 ? now : setTo;
    if (!isPartial && hasNumber(speech, value)) return null;
    const entities = things.length === 0 ? succeeded : things.map(({ entity }) => entity);
    const inDegrees = entities.every(({ id }) => isHeating(id));
    const values = { things_start: named(entities), value: numbers.format(value) };
    return reply(inDegrees ? 'was_set_degrees' : 'was_set_percent', values, turn);
  };

  const speechOf = (answer: HomeAnswer, done: Done, turn: { id: string }): string =>
    wasSet(answer, done, turn) ?? (answer.speech === '' ? reply('ok', {}, turn) : answer.speech);

  const unsure = (stands: readonly Stand[], turn: { id: string }): string => {
    if (stands.every(isOffHeating)) return reply('heating_off', {}, turn);
    if (!stands.every(({ state, setting }) => setting === null && state === 'on'))
      return reply('unsure', {}, turn);
    const entities = stands.map(({ entity }) => entity);
    const key = isOneName(entities) ? 'untold_one' : 'untold_some';
    return reply(key, { things_start: named(entities) }, turn);
  };

  const alreadyLocked = ({ intent, before, stands }: Done, turn: { id: string }): string | null => {
    if (intent !== 'lock' || !wasLocked(stands, before)) return null;
    const things = stands.map(({ entity }) => entity);
    const key = isOneName(things) ? 'already_locked_one' : 'already_locked_some';
    return reply(key, { things_start: named(things) }, turn);
  };

  return {
    named,
    isOneName,

    /** "Turned on the lights. But Broken lamp does not answer." */
    done(answer: HomeAnswer, done: Done, turn: { id: string }): HomeResult {
      const { stands } = done;
      const locked = alreadyLocked(done, turn);
      if (locked !== null) return { ok: true, text: locked };
      const standing = (wanted: Stand['standing']) => stands.filter((each) => each.standing === wanted);
      const silent = [...answer.failed, ...standing('silent').map(({ entity }) => entity)];
      const late = standing('not_yet');
      const text = reply('said', { text: speechOf(answer, done, turn) }, turn);
      const isFine = stands.some(isReached);
      if (silent.length + late.length > 0) {
        const problem = problemOf(silent, late, turn);
        const some = { text: text.replace(/[.!]+$/, ''), problem };
        return { ok: false, text: isFine ? reply('did_some', some, turn) : problem };
      }
      if (isFine || stands.length === 0) return { ok: true, text };
      return { ok: false, text: unsure(stands, turn) };
    },
  };
}

/** The replies of a language with a single sentence for every unconfirmed command. */
export function createShortReplies(say: Say): SayOutcome {
  const texts: Readonly<Record<Parameters<SayOutcome>[0], string>> = {
    said: '{text}',
    ok: say('done'),
    was_set_degrees: '{things_start}: {value} °',
    was_set_percent: '{things_start}: {value} %',
    did_some: '{text}. {problem}',
    already_locked_one: say('done'),
    already_locked_some: say('done'),
    did: say('done'),
    undid: say('done'),
    undid_part: say.failure('not_possible'),
    undo_failed: say.failure('not_possible'),
    cannot_undo: say.failure('not_possible'),
    set_degrees: say.failure('outcome_unknown'),
    set_percent: say.failure('outcome_unknown'),
    silent_one: say.failure('outcome_unknown'),
    silent_some: say.failure('outcome_unknown'),
    not_yet: say.failure('outcome_unknown'),
    not_yet_some: say.failure('outcome_unknown'),
    unsure: say.failure('outcome_unknown'),
    untold_one: say.failure('outcome_unknown'),
    untold_some: say.failure('outcome_unknown'),
    heating_off: say.failure('outcome_unknown'),
  };
  return (key, values) => fill([texts[key]], values);
}

/** Whether a text contains this number, with a decimal point or comma. */
function hasNumber(text: string, value: number): boolean {
  return [...text.matchAll(/\d+(?:[.,]\d+)?/g)].some(
    ([number]) => Number(number.replace(',', '.')) === value,
  );
}

/** "Locking" is wrong for a door that was already locked. */
function wasLocked(stands: readonly Stand[], before: Done['before']): boolean {
  return (
    stands.length > 0 &&
    stands.every(({ entity, state }) => state === 'locked' && before[entity.id] === 'locked')
  );
}
