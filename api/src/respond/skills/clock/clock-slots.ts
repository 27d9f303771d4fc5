import type { SaidDate } from '../../../language/calendar/date-reader.ts';
import type { TimeReader } from '../../../language/calendar/time-reader.ts';
import type { PlaceReader } from '../../../language/calendar/time-zones.ts';
import type { DurationReader } from '../../../language/durations/duration-reader.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';
import { intentsOf } from '../../core/skill.ts';
import { readBy, type SlotValues, slotOf, textIn } from '../../core/slot.ts';
import type { ClockReaders } from './clock-readers.ts';

interface ClockSlotsOptions {
  places: PlaceReader;
  times: TimeReader;
  durations: Pick<DurationReader, 'read'>;
  dates: { read: (words: readonly Word[], from: number) => Read<SaidDate> | null };
  numbers: NumberReader;
  read: ClockReaders;
}

export type ClockSaid = SlotValues<ReturnType<typeof createClockSlots>>;

/** Makes intents of the clock. */
export const clockIntents = intentsOf<ClockSaid>();

/** The values of the slots in the clock's sentences. */
export function createClockSlots({ places, times, durations, dates, numbers, read }: ClockSlotsOptions) {
  return {
    place: slotOf(places.read),
    placeName: textIn('place'),
    date: slotOf(dates.read),
    /** "between MARCH 3 and April 10" */
    start: readBy(dates.read),
    dateName: textIn('date'),
    owner: slotOf(read.whose(places.read)),
    ownerName: textIn('owner'),
    other: readBy(places.read),
    otherName: textIn('other'),
    zone: slotOf(read.zone),
    here: slotOf(read.here),
    /** A country with more than one time zone. */
    region: slotOf(read.region),
    /** The place of a time: a place, a zone, or here. */
    site: slotOf(read.site(places.read)),
    siteName: textIn('site'),
    from: readBy(read.site(places.read)),
    fromName: textIn('from'),
    at: slotOf(times.read),
    length: slotOf(durations.read),
    ahead: slotOf(read.ahead),
    year: slotOf(read.year),
    nth: slotOf(numbers.readOrdinal),
    weekday: slotOf(read.weekday),
  };
}
