import { hasSkill, type Language } from '../language/language.ts';
import type { Say } from '../language/phrases.ts';
import type { Responder } from '../respond/core/responder.ts';
import type { SkillResponder } from '../respond/core/skill-responder.ts';
import type { Doubts } from '../respond/corrections/doubts.ts';
import { createNearRules } from '../respond/corrections/near-rules.ts';
import { createTranscriptCorrection } from '../respond/corrections/transcript-correction.ts';
import type { HouseholdSkills } from '../respond/skills/household-skills.ts';
import type { Settings } from '../settings/settings.ts';
import type { WiredHome } from './home.ts';

interface TranscriptCorrectionWiring {
  settings: Settings;
  language: Language;
  home: WiredHome | null;
  household: HouseholdSkills;
  say: Say;
  doubts: Doubts;
  skills: SkillResponder;
}

interface TranscriptCorrection {
  /** Commands to things that are not in the house, before the home responder rejects them. */
  atHome: Responder;
  /** Everything else that was not understood: similar in sound, or close to a rule. */
  anywhere: Responder[];
}

/** Responders for input that is close to something understandable, by sound or by words. */
export function wireTranscriptCorrection(options: TranscriptCorrectionWiring): TranscriptCorrection {
  const { settings, language, home, household, say, doubts, skills } = options;
  const words = async () => {
    const { lists = [], timers = [] } = await household.thereNow();
    const { rooms, devices } = home?.names() ?? { rooms: [], devices: [] };
    const ours = settings.current();
    const names = [...rooms, ...devices, ...ours.rooms, ...ours.devices, ...timers];
    const all = [...names, ...lists.map(({ name }) => name)];
    return [...language.hearing.meant, ...wordsIn(all)];
  };
  const understoodAtHome = async (text: string) => (await home?.control.read(text)) ?? [];
  const soundsOf = remembering(language.rules.soundsOf);
  const shared = {
    say,
    doubts,
    skills,
    pendingQuestions: household.pendingQuestions,
    soundsOf,
    words,
    home: home?.responder ?? null,
    isForHome: async (text: string) => {
      const understood = await understoodAtHome(text);
      return (
        understood.length > 0 && understood.every(({ isUnknown, kind }) => !isUnknown && kind !== 'reference')
      );
    },
  };
  const { read } = household.timerSkill.talk;
  const nearRules = () =>
    createNearRules({
      files: language.files,
      readWords: household.grammar.readWords,
      ...{ doubts, skills, isForHome: shared.isForHome },
      times: read.moments,
      lengths: read.durations.read,
      repeats: read.readRepeat,
      colors: home?.colors ?? [],
      rooms: () => [...(home?.names().rooms ?? []), ...settings.current().rooms],
      slotType: (skill, slot) =>
        skill === 'home'
          ? home?.thingSlots[slot]
          : household.skills.find(({ name }) => name === skill)?.slotTypes?.[slot],
    });
  return {
    atHome: createTranscriptCorrection({
      ...shared,
      isBelieved: (word) => home?.isWordOfHomes(word) === true,
      rooms: () => wordsIn(home?.names().rooms ?? []),
      concerns: async (text) => (await understoodAtHome(text)).some(({ isUnknown }) => isUnknown),
    }),
    anywhere: [
      createTranscriptCorrection(shared),
      ...(hasSkill(language.files, 'near') ? [nearRules()] : []),
    ],
  };
}

const wordsIn = (names: readonly string[]): string[] =>
  names.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{M}]+/u));

/** Larger than a household's vocabulary of some hundred words. */
const maxRemembered = 5_000;

/** Memoizes the function. */
function remembering(soundsOf: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const sounds = known.get(word) ?? soundsOf(word);
    if (known.size >= maxRemembered) known.clear();
    known.set(word, sounds);
    return sounds;
  };
}
