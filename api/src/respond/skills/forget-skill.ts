import type { Forget } from '../../actions/forget-conversation.ts';
import type { LanguageFiles } from '../../language/language.ts';
import type { Skill } from './skill.ts';
import { loadSkill, noWords } from './skill-language.ts';

const shape = { intents: ['forget'], replies: { forgotten: [], keeps_nothing: [] }, words: noWords } as const;

interface ForgetOptions {
  files: LanguageFiles;
  forget: Forget;
}

/** Forgets what was said in this conversation. What people want forgotten is gone: this cannot be undone. */
export function createForgetSkill({ files, forget }: ForgetOptions): Skill {
  const { reply, sentences, help } = loadSkill(files, 'forget', shape);

  return {
    name: 'forget',
    help,
    sentences,
    intents: {
      forget: {
        effect: 'final',
        async answer({ turn, certain }) {
          if (turn.conversation === null) return reply('keeps_nothing', {}, turn);
          await certain();
          await forget(turn.conversation, turn.id);
          return reply('forgotten', {}, turn);
        },
      },
    },
  };
}
