import type { Config } from '../config.ts';
import type { Language } from '../language/language.ts';
import type { Say } from '../language/phrases.ts';
import type { Doubts } from '../respond/doubts.ts';
import { createHeardNearlyResponders } from '../respond/heard-nearly.ts';
import type { Responder } from '../respond/responder.ts';
import type { HouseholdSkills } from '../respond/skills/household-skills.ts';
import type { SkillResponder } from '../respond/skills/skill-responder.ts';
import type { WiredHome } from './home.ts';

interface HeardNearlyWiring {
  config: Config;
  language: Language;
  home: WiredHome | null;
  household: HouseholdSkills;
  say: Say;
  doubts: Doubts;
  skills: SkillResponder;
}

/** What was heard nearly: commands to things that the house has not, before the house says so, and all that nothing else has understood. */
export function wireHeardNearly(options: HeardNearlyWiring): { atHome: Responder[]; anywhere: Responder[] } {
  const { config, language, home, household, say, doubts, skills } = options;
  const words = async () => {
    const { lists = [], timers = [] } = await household.thereNow();
    const { rooms, devices } = home?.names() ?? { rooms: [], devices: [] };
    const names = [...rooms, ...devices, ...config.rooms, ...config.devices, ...timers];
    const all = [...names, ...lists.map(({ name }) => name)];
    return [...language.hearing.meant, ...all.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{M}]+/u))];
  };
  const understoodAtHome = async (text: string) => (await home?.control.read(text)) ?? [];
  const soundsOf = remembering(language.rules.soundsOf);
  const shared = {
    say,
    doubts,
    skills,
    soundsOf,
    words,
    home: home?.responder ?? null,
    isForHome: async (text: string) => {
      const understood = await understoodAtHome(text);
      return (
        understood.length > 0 && understood.every(({ isUnknown, isReference }) => !isUnknown && !isReference)
      );
    },
  };
  return {
    atHome: createHeardNearlyResponders({
      ...shared,
      concerns: async (text) => (await understoodAtHome(text)).some(({ isUnknown }) => isUnknown),
    }),
    anywhere: createHeardNearlyResponders(shared),
  };
}

/** A household has some hundred words, and its guests a few more. */
const mostRemembered = 5_000;

/** The same, worked out once for each word. */
function remembering(soundsOf: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const sounds = known.get(word) ?? soundsOf(word);
    if (known.size >= mostRemembered) known.clear();
    known.set(word, sounds);
    return sounds;
  };
}
