import { z } from 'zod';
import type { ToldJoke, ToldJokes } from '../../actions/told-jokes.ts';
import type { Grammar } from '../../language/grammar/grammar.ts';
import type { LanguageFiles } from '../../language/language.ts';
import { fill, phraseSchema } from '../../language/phrase.ts';
import { withDryRun } from '../core/dry-run.ts';
import type { DryRunResponder } from '../core/responder.ts';
import { defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import type { SkillResponder } from '../core/skill-responder.ts';

const name = 'jokes';

const shape = {
  replies: {},
  words: z.strictObject({
    jokes: phraseSchema([]),
    /** Sentences for the next joke, right after one. */
    another: z.array(z.string().trim().min(1)),
    /** The full request that they abbreviate. */
    request: z.string(),
  }),
} as const;

/** How long after a joke "another one" means a joke, in ms. */
const justToldMs = 2 * 60_000;

/** Part of the jokes that must be told before one is told again. */
const restedPart = 0.75;

interface JokesOptions {
  files: LanguageFiles;
  told: ToldJokes;
}

/** Tells jokes from the language file. */
export function createJokesSkill({ files, told }: JokesOptions): Skill {
  const { words, sentencesOf, help } = loadSkill(files, name, shape);
  const { tells } = intentsOf();

  return defineSkill({
    name,
    help,
    sentencesOf,
    slots: {},
    intents: {
      tell: tells(async ({ turn }) => {
        const joke = nextJoke({ jokes: words.jokes, told: await told.all(), turn: turn.id });
        await told.add({ turn: turn.id, joke });
        return joke;
      }),
    },
  });
}

/** Picks a joke at random, but none of the last ones. A turn that runs twice tells the same joke. */
export function nextJoke({
  jokes,
  told,
  turn,
}: {
  jokes: readonly string[];
  /** Newest first. */
  told: readonly ToldJoke[];
  turn: string;
}): string {
  const known = told.filter(({ joke }) => jokes.includes(joke));
  const before = known.find((each) => each.turn === turn);
  if (before) return before.joke;
  const last = [...new Set(known.map(({ joke }) => joke))].slice(0, Math.floor(jokes.length * restedPart));
  return fill(
    jokes.filter((joke) => !last.includes(joke)),
    {},
    turn,
  );
}

interface JokeFollowUpsOptions extends JokesOptions {
  grammar: Pick<Grammar, 'matcher' | 'readWords'>;
  skills: Pick<SkillResponder, 'name' | 'respond'>;
}

/**
 * Takes "another one" right after a joke. It comes before the skills, because the same words change a timer.
 */
export function createJokeFollowUps({ files, told, grammar, skills }: JokeFollowUpsOptions): DryRunResponder {
  const { words } = loadSkill(files, name, shape);
  const matcher = grammar.matcher({
    sentences: words.another.map((text) => ({ text, place: `skills/${name}.yaml` })),
    slotTypes: {},
  });

  return withDryRun({
    name: skills.name,
    async respond(question) {
      const { turn, exchanges } = question;
      const last = exchanges.at(-1);
      if (!last || turn.createdAt - (last.at ?? turn.createdAt) > justToldMs) return null;
      if (matcher.match(grammar.readWords(turn.text)) === null) return null;
      if (!(await told.all()).some((each) => each.turn === last.turn)) return null;
      const answer = await skills.respond({ ...question, turn: { ...turn, text: words.request } });
      return answer && { ...answer, readAs: words.request };
    },
  });
}
