import type { LanguageFiles } from '../../../language/language.ts';
import { withDryRun } from '../../core/dry-run.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import type { DryRunResponder, Question } from '../../core/responder.ts';
import { loadSkill } from '../../core/skill-language.ts';
import type { SkillResponder } from '../../core/skill-responder.ts';
import { timersShape } from './timers-shape.ts';

interface ReminderSubjectOptions {
  files: LanguageFiles;
  pendingQuestions: Pick<HouseholdQuestions, 'last'>;
  skills: Pick<SkillResponder, 'name' | 'respond' | 'understood' | 'asks' | 'states'>;
}

/** The intents of requests for a reminder. */
const intents = new Set([
  'remind',
  'remind_again',
  'remind_count',
  'remind_later',
  'remind_open',
  'remind_plans',
]);

/**
 * Takes "to call Anna" as the subject, right after "What shall I remind you of?". It comes after the skills.
 */
export function createReminderSubject(options: ReminderSubjectOptions): DryRunResponder {
  const { files, pendingQuestions, skills } = options;
  const { words } = loadSkill(files, 'timers', timersShape);

  /** The answer as a whole request: adds the missing words before it. */
  const requestIn = (text: string): string | undefined => {
    if (skills.asks(text) || skills.states(text)) return undefined;
    const requests = words.subject_leads.map((lead) => `${lead} ${text}`);
    return requests.find((request) => intents.has(skills.understood(request)?.intent ?? ''));
  };

  return withDryRun({
    name: skills.name,
    async respond(question: Question) {
      const { turn, exchanges } = question;
      const open = await pendingQuestions.last(exchanges, turn.createdAt);
      if (open?.kind !== 'timer.remind_when' || open.what !== null) return null;
      const request = requestIn(turn.text);
      return request === undefined
        ? null
        : await skills.respond({ ...question, turn: { ...turn, text: request } });
    },
  });
}
