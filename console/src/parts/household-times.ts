import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { momentWords } from './words.ts';

/** The household's time zone, which may differ from this device's. */
export const HouseholdZone = createContext<ReadonlySignal<string | undefined>>(signal(undefined));

/** Formats moments in the household's time zone, with the date unless it is today. */
export function useHouseholdTimes() {
  const timeZone = useContext(HouseholdZone).value;
  return {
    timeWords: (iso: string | null | undefined): string =>
      momentWords(Date.parse(iso ?? ''), { timeZone, second: '2-digit' }),
    minuteWords: (ms: number): string => momentWords(ms, { timeZone }),
  };
}
