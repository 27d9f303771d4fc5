import { withDryRun } from '../../core/dry-run.ts';
import { type DryRunResponder, plainAnswer, type Question } from '../../core/responder.ts';
import type { SkillResponder } from '../../core/skill-responder.ts';
import type { AnnounceSkill } from './announce-skill.ts';

/**
 * Takes "dinner is ready" as the text, right after "What shall I announce?". It comes after the skills, so
 * that "never mind" ends the question. Nobody means "mm-hm" as a text.
 */
export function createAnnouncementText(
  { textAfterQuestion }: Pick<AnnounceSkill, 'textAfterQuestion'>,
  skills: Pick<SkillResponder, 'name' | 'isBackchannel'>,
): DryRunResponder {
  return withDryRun({
    name: skills.name,
    async respond({ say, ...ask }: Question) {
      if (skills.isBackchannel(ask.turn.text)) return null;
      const text = await textAfterQuestion(ask);
      if (text === null) return null;
      say(text);
      return plainAnswer(text);
    },
  });
}
