import { createSkillResponder } from '../core/skill-responder.ts';
import type { HouseholdSkills } from './household-skills.ts';

/** Intents that end a conversation. */
const farewells = new Set(['stop', 'never_mind', 'thanks']);

/**
 * Classifies a transcript with the skills: whether it is complete, undoable and so on. `switchesRoom` tells
 * whether it only switches devices of a named room.
 */
export function createTranscriptClassifier(
  household: Pick<HouseholdSkills, 'skills' | 'grammar'>,
  switchesRoom: (transcript: string) => boolean,
) {
  const skills = createSkillResponder(household);
  const intentOf = (transcript: string) => {
    const found = skills.understood(transcript);
    const skill = household.skills.find(({ name }) => name === found?.skill);
    return found === null ? undefined : skill?.intents[found.intent];
  };
  /** A skill without an effect leaves nothing to undo. */
  const onlyTells = (transcript: string): boolean => intentOf(transcript)?.effect === 'none';
  const isLast = (transcript: string): boolean => {
    const found = skills.understood(transcript);
    return found?.skill === 'talk' && farewells.has(found.intent);
  };
  return (transcript: string) => {
    const { isUndoable, ...accepted } = skills.accepts(transcript);
    return {
      ...accepted,
      isUndoable: isUndoable || onlyTells(transcript),
      asks: skills.asks(transcript),
      states: skills.states(transcript),
      switchesRoom: !accepted.isWhole && switchesRoom(transcript),
      isReply: intentOf(transcript)?.isReply === true,
      joins: skills.joins(transcript),
      beginsAnew: skills.beginsAnew(transcript),
      isLast: isLast(transcript),
      isBackchannel: skills.isBackchannel(transcript),
      goesOn: skills.goesOn(transcript),
      mayGoOn: skills.mayGoOn(transcript),
    };
  };
}
