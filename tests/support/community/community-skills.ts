import type { Redis } from 'ioredis';
import { loadCommunityLanguage } from '../../../api/src/language/community/community-language.ts';
import { createGrammar } from '../../../api/src/language/grammar/grammar.ts';
import { createListStore } from '../../../api/src/lists/list-store.ts';
import { createCommunitySkills } from '../../../api/src/respond/community/community-skills.ts';
import { createSkillResponder } from '../../../api/src/respond/core/skill-responder.ts';
import { createTurnUndo } from '../../../api/src/respond/core/turn-undo.ts';
import { effectivePipeline } from '../../../api/src/settings/pipeline.ts';
import { createTimerStore } from '../../../api/src/timers/timer-store.ts';
import { createSkillStores } from '../../../api/src/wiring/household-stores.ts';
import { nobodyListens } from '../skills.ts';

/** The skills of a language of the community, with the data in a folder. */
export function communitySkills(tag: string, folder: string, redis: Redis, canRing = async () => true) {
  const root = new URL('../../../api/languages/', import.meta.url);
  const language = loadCommunityLanguage({
    tag,
    own: new URL('community.yaml', root).pathname,
    folder,
    files: { folder: new URL(`${tag}/`, root) },
  });
  const { community } = language;
  if (!community) throw new Error(`${tag} is a language of its own`);
  const jobs = { add: async () => undefined, remove: async () => undefined };
  const timers = createTimerStore({ redis, jobs });
  const lists = createListStore({ redis });
  const grammar = createGrammar(language.grammar);
  const options = {
    community,
    grammar,
    timers,
    canRing,
    lists,
    announcements: nobodyListens,
    timeZone: 'Europe/London',
  };
  const { skills, lastSkills } = createCommunitySkills(options);
  const undoTurn = createTurnUndo({
    actions: createSkillStores({ redis }).actions,
    skills,
    settings: () => effectivePipeline({}, {}).values,
  });
  const responder = createSkillResponder({ skills: [...skills, ...lastSkills], grammar });
  return { language, community, options, timers, lists, undoTurn, responder };
}
