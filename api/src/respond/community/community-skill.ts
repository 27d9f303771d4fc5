import type { CommunityData } from '../../language/community/community.ts';
import { defineSkill, type Intent, type Skill } from '../core/skill.ts';
import type { SlotValues } from '../core/slot.ts';
import type { createCommunitySlots } from './community-slots.ts';

type CommunitySlots = ReturnType<typeof createCommunitySlots>;
export type CommunitySaid = SlotValues<CommunitySlots>;

/** The community's intents that a skill answers. A block of sentences names its response. */
export type BoundIntents = Readonly<Record<string, (response: string) => Intent<CommunitySaid>>>;

interface CommunitySkillOptions {
  name: string;
  data: CommunityData;
  slots: CommunitySlots;
  bound: BoundIntents;
  slotTypes?: Skill['slotTypes'];
  actions?: Skill['actions'];
  /** Intents that stay without sentences. */
  unbound?: readonly string[];
}

/** Skips sentences with a command for later, because the house reads those itself. */
const forLater = /conversation_command/;

/** A skill with the sentences of the community. Its intents are named like "HassStartTimer.default". */
export function createCommunitySkill({
  name,
  data,
  slots,
  bound,
  slotTypes = {},
  actions = {},
  unbound = [],
}: CommunitySkillOptions): Skill {
  const sentences: Record<string, string[]> = {};
  const intents: Record<string, Intent<CommunitySaid>> = {};
  for (const [intent, create] of Object.entries(bound)) {
    if (unbound.includes(intent)) continue;
    for (const { sentences: texts, response } of data.intents[intent]?.data ?? []) {
      const key = `${intent}.${response}`;
      const ours = texts.filter((text) => !forLater.test(text));
      if (ours.length === 0) continue;
      sentences[key] = [...(sentences[key] ?? []), ...ours];
      intents[key] ??= create(response);
    }
  }
  return defineSkill({
    name,
    sentencesOf: () => sentences,
    slots,
    slotTypes,
    intents,
    actions,
  });
}
