import type { Announcements } from '../../announcements/announcements.ts';
import type { CommunityLanguage } from '../../language/community/community-words.ts';
import type { Grammar } from '../../language/grammar/grammar.ts';
import type { ListStore } from '../../lists/list-store.ts';
import type { Place } from '../../timers/timer.ts';
import type { TimerStore } from '../../timers/timer-store.ts';
import type { Skill } from '../core/skill.ts';
import { communityListActions, createCommunityLists } from './community-lists.ts';
import { type BoundIntents, createCommunitySkill } from './community-skill.ts';
import { anyName, createCommunitySlots } from './community-slots.ts';
import { createCommunityAnnounce, createCommunityClock, createCommunityTalk } from './community-talk.ts';
import { communityTimerActions, createCommunityTimers } from './community-timers.ts';

interface CommunitySkillsOptions {
  community: CommunityLanguage;
  grammar: Grammar;
  timers: TimerStore;
  canRing: (place: Place) => Promise<boolean>;
  lists: ListStore;
  announcements: Announcements;
  timeZone: string;
}

/**
 * The skills of a language with the sentences of the community. The last skill comes after the house, because
 * its message may be any words.
 */
export function createCommunitySkills(options: CommunitySkillsOptions): {
  skills: Skill[];
  lastSkills: Skill[];
} {
  const { community, grammar, timers, canRing, lists, announcements, timeZone } = options;
  const { data, words } = community;
  const slots = createCommunitySlots(data, grammar);
  const bound: Readonly<Record<string, BoundIntents>> = {
    talk: createCommunityTalk({ words, timers }),
    clock: createCommunityClock({ words, timeZone }),
    lists: createCommunityLists({ words, lists }),
    timers: createCommunityTimers({ words, timers, canRing }),
  };
  const types: Readonly<Record<string, Skill['slotTypes']>> = {
    lists: { name: anyName },
    timers: { area: anyName },
  };
  const actions: Readonly<Record<string, Skill['actions']>> = {
    lists: communityListActions({ words, lists }),
    timers: communityTimerActions({ words, timers }),
  };
  const skillOf = ([name, intents]: [string, BoundIntents]) =>
    createCommunitySkill({
      name,
      data,
      slots,
      bound: intents,
      slotTypes: types[name],
      actions: actions[name],
      unbound: words.own.unbound,
    });
  const announce = createCommunityAnnounce({ words, announcements });
  return { skills: Object.entries(bound).map(skillOf), lastSkills: [skillOf(['announce', announce])] };
}
