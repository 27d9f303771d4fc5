import { withDryRun } from '../../core/dry-run.ts';
import { type DryRunResponder, plainAnswer, type Question } from '../../core/responder.ts';
import type { AnnounceSkill } from './announce-skill.ts';

/**
 * Takes "dinner is ready" as the text, right after "What shall I announce?". It comes after the skills, so
 * that "never mind" ends the question.
 */
export function createAnnouncementText({ textAfterQuestion }: AnnounceSkill): DryRunResponder {
  return withDryRun({
    name: 'skills',
    async respond({ say, ...ask }: Question) {
      const text = await textAfterQuestion(ask);
      if (text === null) return null;
      say(text);
      return plainAnswer(text);
    },
  });
}
