import type { SessionChoice } from './session-choice.ts';

interface HouseholdWatchOptions {
  /** The room, wake mode and language in effect now. */
  now: () => SessionChoice;
  onChange: (now: SessionChoice, hasOtherMode: boolean) => void;
}

/** Detects that the household has set another room, wake mode or language for a satellite. */
export function createHouseholdWatch({ now, onChange }: HouseholdWatchOptions) {
  let known = now();
  return {
    /** The satellite has received the current values. */
    isKnown(): void {
      known = now();
    },
    /** Checks for changes. */
    look(): void {
      const before = known;
      known = now();
      const hasOtherMode = known.wake !== before.wake;
      const isElsewhere = known.room !== before.room || known.language !== before.language;
      if (hasOtherMode || isElsewhere) onChange(known, hasOtherMode);
    },
  };
}
