import type { SessionChoice } from './session-choice.ts';

interface HouseholdWatchOptions {
  /** The room and wake mode in effect now. */
  now: () => SessionChoice;
  onChange: (now: SessionChoice, hasOtherMode: boolean) => void;
}

/** Detects that the household has set another room or wake mode for a satellite. */
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
      if (hasOtherMode || known.room !== before.room) onChange(known, hasOtherMode);
    },
  };
}
