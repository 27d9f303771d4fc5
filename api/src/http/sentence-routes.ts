import type { Routine } from '../settings/routine.ts';
import type { Handlers } from './contract-routes.ts';

/** As the language defines them. */
interface Examples {
  groups: readonly { title: string; skill: string; sentences: string[] }[];
  /** The title of the household's routine sentences. */
  routines: string;
}

interface SentenceRoutesOptions {
  examples: Examples;
  hasHome: () => boolean;
  routines: () => readonly Pick<Routine, 'sentences'>[];
}

/** Skills that need a connected Home Assistant. */
const ofTheHome: ReadonlySet<string> = new Set(['home', 'later', 'music', 'home-facts', 'calendar']);

/** The sentences that people can say here. */
export function sentenceRoutes(options: SentenceRoutesOptions): Pick<Handlers, 'listSentences'> {
  const { examples, hasHome, routines } = options;
  return {
    listSentences() {
      const sentences = routines().flatMap((routine) => routine.sentences);
      const own = sentences.length === 0 ? [] : [{ title: examples.routines, skill: 'routines', sentences }];
      const groups = examples.groups.filter(({ skill }) => hasHome() || !ofTheHome.has(skill));
      return { groups: [...own, ...groups] };
    },
  };
}
