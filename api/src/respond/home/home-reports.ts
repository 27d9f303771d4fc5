import type { Entity, HomeAnswer } from '../../engines/home-answer.ts';
import { domainOf } from '../../engines/home-templates.ts';
import { joined } from '../../language/phrase.ts';
import type { SayReply } from '../core/skill-language.ts';
import type { HomeResult } from './home-result.ts';
import type { Stand } from './home-states.ts';
import type { homeShape } from './understand/home-shape.ts';
import type { HomeWords } from './understand/home-words.ts';

export type SayHome = SayReply<keyof (typeof homeShape)['replies']>;

interface ReportsOptions {
  reply: SayHome;
  words: HomeWords;
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
export function createHomeReports({ reply, words }: ReportsOptions) {
  const named = (entities: readonly Entity[]): string =>
    joined([...new Set(entities.map(({ name }) => name))].slice(0, maxNames), words);

  const problemOf = (silent: readonly Entity[], late: readonly Entity[], turn: { id: string }): string => {
    if (silent.length > 0)
      return reply(silent.length === 1 ? 'silent_one' : 'silent_some', { things_start: named(silent) }, turn);
    return reply(late.length === 1 ? 'not_yet' : 'not_yet_some', { things: named(late) }, turn);
  };

  /** Repeats the number that was set: "close to 30 percent" is ambiguous. */
  const wasSet = ({ speech, succeeded }: HomeAnswer, value: number, turn: { id: string }): string | null => {
    if (succeeded.length === 0 || hasNumber(speech, value)) return null;
    const inDegrees = succeeded.every(({ id }) => isHeating(id));
    const values = { things_start: named(succeeded), value: String(value) };
    return reply(inDegrees ? 'was_set_degrees' : 'was_set_percent', values, turn);
  };

  const speechOf = (answer: HomeAnswer, setTo: number | null, turn: { id: string }): string => {
    const told = setTo === null ? null : wasSet(answer, setTo, turn);
    return told ?? (answer.speech === '' ? reply('ok', {}, turn) : answer.speech);
  };

  return {
    named,

    /** "Turned on the lights. But Broken lamp does not answer." */
    done(
      answer: HomeAnswer,
      { intent, before, stands, setTo = null }: Done,
      turn: { id: string },
    ): HomeResult {
      if (intent === 'lock' && wasLocked(stands, before)) {
        const things = stands.map(({ entity }) => entity);
        const key = things.length === 1 ? 'already_locked_one' : 'already_locked_some';
        return { ok: true, text: reply(key, { things_start: named(things) }, turn) };
      }
      const standing = (wanted: Stand['standing']) =>
        stands.filter((each) => each.standing === wanted).map(({ entity }) => entity);
      const silent = [...answer.failed, ...standing('silent')];
      const late = standing('not_yet');
      const text = reply('said', { text: speechOf(answer, setTo, turn) }, turn);
      const isFine = standing('there').length + standing('on_its_way').length > 0;
      if (silent.length + late.length > 0) {
        const problem = problemOf(silent, late, turn);
        const some = { text: text.replace(/[.!]+$/, ''), problem };
        return { ok: false, text: isFine ? reply('did_some', some, turn) : problem };
      }
      const isUnsure = stands.length > 0 && !isFine;
      return isUnsure ? { ok: false, text: reply('unsure', {}, turn) } : { ok: true, text };
    },
  };
}

/** Whether a text contains this number. */
function hasNumber(text: string, value: number): boolean {
  return [...text.matchAll(/\d+(?:\.\d+)?/g)].some(([number]) => Number(number) === value);
}

const isHeating = (id: string) => ['climate', 'water_heater'].includes(domainOf(id));

/** "Locking" is wrong for a door that was already locked. */
function wasLocked(stands: readonly Stand[], before: Done['before']): boolean {
  return (
    stands.length > 0 &&
    stands.every(({ entity, state }) => state === 'locked' && before[entity.id] === 'locked')
  );
}
