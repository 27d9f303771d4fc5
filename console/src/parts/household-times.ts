import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { momentWords } from './words.ts';

interface Zone {
  /** The household's time zone, which may differ from this device's. */
  timeZone: ReadonlySignal<string | undefined>;
  /** The server has named it, or cannot. Before that, times would change while they are read. */
  isZoneDecided: ReadonlySignal<boolean>;
}

export const HouseholdZone = createContext<Zone>({
  timeZone: signal(undefined),
  isZoneDecided: signal(true),
});

/** Formats moments in the household's time zone, with the date unless it is today. */
export function useHouseholdTimes() {
  const timeZone = useContext(HouseholdZone).timeZone.value;
  return {
    timeWords: (iso: string | null | undefined): string =>
      momentWords(Date.parse(iso ?? ''), { timeZone, second: '2-digit' }),
    minuteWords: (ms: number): string => momentWords(ms, { timeZone }),
    timeZone,
  };
}
