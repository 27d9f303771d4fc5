import { withDryRun } from '../core/dry-run.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { aside, type DryRunResponder, plainAnswer, type Question } from '../core/responder.ts';
import type { HomeTalk } from './home-control.ts';
import type { HomeResult } from './home-result.ts';
import type { Understood } from './understand/understood.ts';

interface HomeResponderOptions {
  control: Pick<
    HomeTalk,
    | 'doIf'
    | 'choose'
    | 'ask'
    | 'read'
    | 'answer'
    | 'refer'
    | 'goOn'
    | 'passOn'
    | 'refuseLater'
    | 'withAllNames'
  >;
  pendingQuestions: Pick<HouseholdQuestions, 'last'>;
}

/**
 * Sends commands and questions about the house to Home Assistant. Only plain ones go there, because it finds
 * a match for much else.
 */
export function createHomeResponder({ control, pendingQuestions }: HomeResponderOptions): DryRunResponder {
  const wasAsked = async ({ exchanges, turn }: Question): Promise<boolean> =>
    exchanges.length > 0 && (await pendingQuestions.last(exchanges, turn.createdAt))?.kind === 'home.asked';

  /** A sentence that is complete without an earlier one. Undefined: it is not. */
  const byItself = async (question: Question): Promise<HomeResult | null | undefined> => {
    const answer = await control.ask(question);
    if (answer) return answer;
    const understood = await control.read(question.turn.text);
    // Doubtful words must not cause anything irreversible. The next responder asks back.
    if (!question.turn.isSure && !understood.every(isHarmless)) return null;
    return understood.length > 0 ? await control.answer(understood, question) : undefined;
  };

  const sure = async (question: Question): Promise<HomeResult | null> =>
    (await control.refer(question)) ??
    ((await wasAsked(question)) ? await control.goOn(question) : null) ??
    control.refuseLater(question) ??
    (await control.passOn(question));

  const find = async (question: Question): Promise<HomeResult | null> => {
    const { isSure } = question.turn;
    const first = isSure ? ((await control.doIf(question)) ?? (await control.choose(question))) : null;
    if (first) return first;
    const found = await byItself(question);
    if (found !== undefined) return found;
    // Doubtful words must not cause anything irreversible.
    return isSure ? await sure(question) : control.refuseLater(question);
  };

  return withDryRun({
    name: 'home',
    async respond(question) {
      const found = await control.withAllNames(() => find(question), question);
      if (!found) return null;
      question.say(found.text);
      return plainAnswer(found.text, found.kept === undefined ? undefined : aside(found.kept));
    },
  });
}

/** Questions change nothing, and one word reverts these commands. */
function isHarmless({ kind, isUnknown, intent }: Understood): boolean {
  return kind === 'question' || (!isUnknown && (intent === 'on' || intent === 'off'));
}
