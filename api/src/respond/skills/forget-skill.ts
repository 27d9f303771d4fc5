import type { Forget } from '../../actions/forget-conversation.ts';
import type { LanguageFiles } from '../../language/language.ts';
import { defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill, noWords } from '../core/skill-language.ts';

const shape = { replies: { forgotten: [], keeps_nothing: [], how_to_forget: [] }, words: noWords } as const;

interface ForgetOptions {
  files: LanguageFiles;
  forget: Forget;
}

/** Deletes this conversation for good, as people expect; undo cannot restore it. */
export function createForgetSkill({ files, forget }: ForgetOptions): Skill {
  const { reply, words: _words, ...language } = loadSkill(files, 'forget', shape);

  const { tells } = intentsOf();

  return defineSkill({
    name: 'forget',
    ...language,
    slots: {},
    intents: {
      forget: {
        effect: 'final',
        async answer({ turn, beginActing }) {
          if (turn.conversation === null) return reply('keeps_nothing', {}, turn);
          await beginActing();
          await forget(turn.conversation, turn.id);
          return reply('forgotten', {}, turn);
        },
      },
      start_over: tells(({ turn }) => reply('how_to_forget', {}, turn)),
    },
  });
}
