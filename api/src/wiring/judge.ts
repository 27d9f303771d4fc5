import type { Judgement } from '../listen/end-silences.ts';
import type { HouseholdSkills } from '../respond/skills/household-skills.ts';
import { createSkillResponder } from '../respond/skills/skill-responder.ts';

/** What people say to end a conversation. */
const farewells = new Set(['stop', 'never_mind', 'thanks']);

/** How a transcript looks to the skills: whole or not, and whether its answer could be taken back. */
export function createJudge(household: Pick<HouseholdSkills, 'skills' | 'grammar'>) {
  const skills = createSkillResponder(household);
  /** A skill that only tells something leaves nothing to take back. */
  const onlyTells = (transcript: string): boolean => {
    const found = skills.understood(transcript);
    const skill = household.skills.find(({ name }) => name === found?.skill);
    return found !== null && skill?.intents[found.intent]?.effect === 'none';
  };
  const isLast = (transcript: string): boolean => {
    const found = skills.understood(transcript);
    return found?.skill === 'talk' && farewells.has(found.intent);
  };
  return (transcript: string): Judgement => {
    const { isUndoable, ...accepted } = skills.accepts(transcript);
    return {
      ...accepted,
      isUndoable: isUndoable || onlyTells(transcript),
      asks: skills.asks(transcript),
      states: skills.states(transcript),
      beginsAnew: skills.beginsAnew(transcript),
      isLast: isLast(transcript),
      goesOn: skills.goesOn(transcript),
    };
  };
}
