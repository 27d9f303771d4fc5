import type { SessionChoice } from './session-choice.ts';

interface HouseholdWatchOptions {
  /** What counts at the moment. */
  now: () => SessionChoice;
  onChange: (now: SessionChoice, hasOtherMode: boolean) => void;
}

/** Notices that the household has set another room or wake mode for a satellite. */
export function createHouseholdWatch({ now, onChange }: HouseholdWatchOptions) {
  let known = now();
  return {
    /** The satellite knows what counts now. */
    isKnown(): void {
      known = now();
    },
    /** Something may have been set. */
    look(): void {
      const before = known;
      known = now();
      const hasOtherMode = known.wake !== before.wake;
      if (hasOtherMode || known.room !== before.room) onChange(known, hasOtherMode);
    },
  };
}
