import { withCapital } from '../../language/capitals.ts';
import { fill, joined } from '../../language/phrase.ts';
import type { SayReply } from '../core/skill-language.ts';
import type { HomeAsk, HomeResult } from '../home/home-result.ts';
import type { Thing } from './house-things.ts';
import type { QueryWords, queryShape } from './query-shape.ts';

export type SayQuery = SayReply<keyof (typeof queryShape)['replies']>;

/** Listeners cannot follow more names. */
export const maxNames = 5;

/** The outcome of a query for one entity. */
export interface QueryOutcome {
  /** Null: the entity does not report it. */
  holds: boolean | null;
  thing: Thing;
  /** The subject and its state, such as "the temperature in the Kitchen" and "22 °C". */
  subject: string;
  state: string;
}

/** Words the outcomes of a query. */
export function createQuerySpeech({ words, reply }: { words: QueryWords; reply: SayQuery }) {
  const names = (all: readonly string[]): string => {
    const shown = [...new Set(all)];
    const rest = shown.length - maxNames;
    return joined(rest > 0 ? [...shown.slice(0, maxNames), fill(words.more, { n: rest })] : shown, words);
  };

  /** "Kitchen Light is on and Bedroom Light is off". */
  const clauses = (judged: readonly QueryOutcome[]): string => {
    const known = judged.filter((each) => each.holds !== null);
    const groups = Map.groupBy(known, ({ state }) => state);
    const all = [...groups].map(([state, group]) => {
      const subjects = [...new Set(group.map(({ subject }) => subject))];
      const phrase = subjects.length > 1 ? words.is_some : words.is_one;
      return fill(phrase, { names: names(subjects), state });
    });
    return joined(all, words);
  };

  const missing = (key: 'silent' | 'unknown', things: readonly Thing[], turn: { id: string }): string[] => {
    const shown = [...new Set(things.map(({ name }) => name))];
    if (shown.length === 0) return [];
    return [reply(shown.length > 1 ? `${key}_some` : `${key}_one`, { names: names(shown) }, turn)];
  };
  /** Every answer mentions the entities that report no state. */
  const silence = (judged: readonly QueryOutcome[], { turn }: HomeAsk): string[] => {
    const silent = judged.filter((each) => each.holds === null).map(({ thing }) => thing);
    const [gone, unknown] = [true, false].map((isGone) =>
      silent.filter(({ state }) => (state === 'unavailable') === isGone),
    );
    return [...missing('silent', gone ?? [], turn), ...missing('unknown', unknown ?? [], turn)];
  };

  return {
    names,
    clauses,
    /**
     * Joins a reply and the sentence about entities without a state. Skips an empty reply. `about`: the
     * entities in the reply.
     */
    result: (first: string, judged: readonly QueryOutcome[], ask: HomeAsk, about = judged): HomeResult => ({
      ok: first !== '',
      text: [first, ...silence(judged, ask)].filter(Boolean).map(withCapital).join(' '),
      about: [...new Set(about.map(({ thing }) => thing))].map(({ id, name }) => ({ id, name })),
    }),
    /** The clauses of all that is known, as a reply; '' for none. */
    spokenAnswer: (judged: readonly QueryOutcome[], { turn }: HomeAsk): string => {
      const text = clauses(judged);
      return text === '' ? '' : reply('told', { clauses: text }, turn);
    },
  };
}
