import { wholeAnswer } from '../../conversations/exchange.ts';
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
  const { asksBack, tells } = intentsOf();

  const quietOr = (key: 'stop' | 'never_mind' | 'thanks') =>
    tells(async (ask: Ask) => (await quiet(ask)) ?? reply(key, {}, ask.turn));

  /** A pending question stays open for the next turn. Returns whether there is one. */
  const keepQuestion = async ({ turn, exchanges }: Ask): Promise<boolean> => {
    const question = await pendingQuestions.last(exchanges, turn.createdAt);
    if (question !== null) await pendingQuestions.note(turn, question);
    return question !== null;
  };
  /** People ask for time to think. */
  const wait = async (ask: Ask): Promise<string> => {
    await keepQuestion(ask);
    return reply('wait', {}, ask.turn);
  };
  const repeatLast = (ask: Ask): string => {
    const last = ask.exchanges.at(-1);
    const said = last ? wholeAnswer(last) : '';
    return said === '' ? reply('nothing_said', {}, ask.turn) : reply('repeat', { said }, ask.turn);
  };
  const repeat = async (ask: Ask): Promise<string> => {
    await keepQuestion(ask);
    return repeatLast(ask);
  };

  return defineSkill({
    name: 'talk',
    sentencesOf,
    slots: {},
    intents: {
      repeat: tells(repeat),
      // "What?" alone, which may be the first word of a question.
      what: asksBack(repeat),
      which_ones: asksBack(async (ask) => ((await keepQuestion(ask)) ? repeatLast(ask) : null)),
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
