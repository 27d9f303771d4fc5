import type { LanguageFiles } from '../../language/language.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill, noWords } from '../core/skill-language.ts';

const shape = {
  replies: {
    repeat: ['said'],
    nothing_said: [],
    stop: [],
    wait: [],
    never_mind: [],
    thanks: [],
    goodbye: [],
  },
  words: noWords,
} as const;

interface TalkOptions {
  files: LanguageFiles;
  pendingQuestions: HouseholdQuestions;
  /**
   * Silences timers that ring in the room and says so. Null: none rings. "Stop" and "thank you" concern them
   * first.
   */
  quiet(ask: Ask): Promise<string | null>;
  /**
   * Asks again for a time. Null: no such question is pending. "Later" answers that question and is no
   * goodbye.
   */
  askAgain(ask: Ask): Promise<string | null>;
}

/** Answers to words about the talk itself: repeat that, stop, thank you. */
export function createTalkSkill({ files, pendingQuestions, quiet, askAgain }: TalkOptions): Skill {
  const { reply, sentencesOf } = loadSkill(files, 'talk', shape);
  const { tells } = intentsOf();

  const quietOr = (key: 'stop' | 'never_mind' | 'thanks') =>
    tells(async (ask: Ask) => (await quiet(ask)) ?? reply(key, {}, ask.turn));

  /** People ask for time to think, so a pending question stays open. */
  const wait = async ({ turn, exchanges }: Ask): Promise<string> => {
    const question = await pendingQuestions.last(exchanges, turn.createdAt);
    if (question !== null) await pendingQuestions.note(turn, question);
    return reply('wait', {}, turn);
  };

  return defineSkill({
    name: 'talk',
    sentencesOf,
    slots: {},
    intents: {
      repeat: tells(({ exchanges, turn }) => {
        const said = exchanges.at(-1)?.assistant ?? '';
        return said === '' ? reply('nothing_said', {}, turn) : reply('repeat', { said }, turn);
      }),
      // Speech has already ended the current reply when these sentences arrive.
      stop: quietOr('stop'),
      wait: tells(wait),
      never_mind: { ...quietOr('never_mind'), isWithdrawal: true },
      thanks: quietOr('thanks'),
      later: tells(async (ask) => (await askAgain(ask)) ?? reply('goodbye', {}, ask.turn)),
      goodbye: tells(({ turn }) => reply('goodbye', {}, turn)),
    },
  });
}
