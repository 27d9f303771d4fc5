import { z } from 'zod';
import type { HomeCalls } from './home-calls.ts';
import { exposedIn } from './home-exposed.ts';
import { HomeError } from './home-fault.ts';
import type { HomeSocket } from './home-socket.ts';

const calendarSchema = z.object({
  entity_id: z.string(),
  attributes: z.object({ friendly_name: z.string().catch(''), supported_features: z.number().catch(0) }),
});

/** The abilities of a calendar: the bits of its `supported_features`. */
export const calendarFeatures = { create: 1, remove: 2, update: 4 } as const;

export interface HomeCalendar {
  id: string;
  name: string;
  features: number;
}

const momentSchema = z
  .union([z.object({ dateTime: z.string() }), z.object({ date: z.string() })])
  .transform((at) => ('date' in at ? at.date : at.dateTime));
const text = z.string().nullish().catch(null);
const entrySchema = z.object({
  summary: z.string().catch(''),
  start: momentSchema,
  end: momentSchema,
  uid: text,
  rrule: text,
  recurrence_id: text,
  description: text,
  location: text,
});

/**
 * A calendar entry with all fields needed to restore it. All-day entries start and end at dates, without
 * times.
 */
export type CalendarEntry = Omit<z.infer<typeof entrySchema>, 'rrule' | 'recurrence_id'> & {
  repeats: boolean;
};

export type NewCalendarEntry = Pick<CalendarEntry, 'summary' | 'start' | 'end'> &
  Partial<Pick<CalendarEntry, 'description' | 'location'>>;

interface HomeCalendarsOptions extends Pick<HomeCalls, 'get' | 'post'> {
  socket: Pick<HomeSocket, 'ask'>;
}

/** Reads and changes the calendars of a house. Every function throws HomeError. */
export function createHomeCalendars({ get, post, socket }: HomeCalendarsOptions) {
  /** Both commands may be sent twice: a second delete or update changes nothing more. */
  const change = async (command: Record<string, unknown>, signal: AbortSignal): Promise<void> => {
    try {
      await socket.ask(command, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof HomeError ? error : new HomeError('broken', error);
    }
  };
  const calendars = (signal: AbortSignal): Promise<string[]> => exposedIn('calendar', { socket, signal });

  return {
    /** The calendars exposed to Assist. Empty when the token's user may not see which are exposed. */
    calendars,

    /** The same calendars with names and features, without unavailable ones. */
    async knownCalendars(signal: AbortSignal): Promise<HomeCalendar[]> {
      const ids = await calendars(signal);
      const found = await Promise.all(
        ids.map((id) =>
          get(`/api/states/${id}`, calendarSchema, signal).catch((error: unknown) => {
            if (error instanceof HomeError && error.failure === 'missing') return null;
            throw error;
          }),
        ),
      );
      return found.flatMap((each) =>
        each
          ? [
              {
                id: each.entity_id,
                name: each.attributes.friendly_name,
                features: each.attributes.supported_features,
              },
            ]
          : [],
      );
    },

    /** The entries of one calendar between two moments, in Unix ms. */
    async entries(
      id: string,
      { from, to }: { from: number; to: number },
      signal: AbortSignal,
    ): Promise<CalendarEntry[]> {
      const [start, end] = [from, to].map((at) => encodeURIComponent(new Date(at).toISOString()));
      const path = `/api/calendars/${id}?start=${start}&end=${end}`;
      const found = await get(path, z.array(entrySchema), signal);
      return found.map(({ rrule, recurrence_id: occurrence, ...entry }) => ({
        ...entry,
        repeats: (rrule ?? occurrence ?? '') !== '',
      }));
    },

    async addEntry(id: string, entry: NewCalendarEntry, signal: AbortSignal): Promise<void> {
      const { summary, start, end, description, location } = entry;
      const times = start.includes('T')
        ? { start_date_time: start, end_date_time: end }
        : { start_date: start, end_date: end };
      const more = { ...(description && { description }), ...(location && { location }) };
      const body = { entity_id: id, summary, ...times, ...more };
      await post('/api/services/calendar/create_event', body, { signal, isOnce: true });
    },

    removeEntry: (id: string, uid: string, signal: AbortSignal): Promise<void> =>
      change({ type: 'calendar/event/delete', entity_id: id, uid }, signal),

    changeEntry(id: string, uid: string, entry: NewCalendarEntry, signal: AbortSignal): Promise<void> {
      const { summary, start, end, description, location } = entry;
      const event = {
        ...{ summary, dtstart: start, dtend: end },
        ...(description && { description }),
        ...(location && { location }),
      };
      return change({ type: 'calendar/event/update', entity_id: id, uid, event }, signal);
    },
  };
}
