import { z } from 'zod';
import { type HomeCalls, parseHome } from './home-calls.ts';
import type { HomeSocket } from './home-socket.ts';

const attributesSchema = z.object({
  friendly_name: z.string().catch(''),
  supported_features: z.number().catch(0),
  temperature: z.number().nullish().catch(null),
  humidity: z.number().nullish().catch(null),
  wind_speed: z.number().nullish().catch(null),
  wind_speed_unit: z.string().nullish().catch(null),
  next_rising: z.string().nullish().catch(null),
  next_setting: z.string().nullish().catch(null),
  media_title: z.string().nullish().catch(null),
  media_artist: z.string().nullish().catch(null),
  media_series_title: z.string().nullish().catch(null),
});
const factSchema = z.object({ entity_id: z.string(), state: z.string(), attributes: attributesSchema });

/** A thing that tells something: the weather, the sun, a player. */
export type HomeFact = z.infer<typeof factSchema>;

const hourOrDaySchema = z.object({
  datetime: z.string(),
  condition: z.string().nullish(),
  temperature: z.number().nullish(),
  templow: z.number().nullish(),
  precipitation_probability: z.number().nullish(),
  precipitation: z.number().nullish(),
  wind_speed: z.number().nullish(),
});

/** An hour or a day of a forecast. */
export type WeatherOutlook = z.infer<typeof hourOrDaySchema>;

const forecastSchema = z.object({
  service_response: z.record(z.string(), z.object({ forecast: z.array(hourOrDaySchema).nullish() })),
});

const eventSchema = z.object({ start: z.string(), end: z.string(), summary: z.string().catch('') });

/** An entry of a calendar. One for a whole day starts at a date, without a time. */
export type CalendarEvent = z.infer<typeof eventSchema>;

const eventsSchema = z.object({
  service_response: z.record(z.string(), z.object({ events: z.array(eventSchema) })),
});
const exposedSchema = z.object({
  exposed_entities: z.record(z.string(), z.record(z.string(), z.boolean())),
});

/** What a weather entity can do: the bits of its `supported_features`. */
export const forecastKinds = { daily: 1, hourly: 2 } as const;
export type ForecastKind = keyof typeof forecastKinds;

/** Reads what a house knows besides its switches: forecasts, calendars, the sun, what plays. Nothing is changed by it. */
export function createHomeFactsReader({
  get,
  post,
  socket,
}: Pick<HomeCalls, 'get' | 'post'> & { socket: Pick<HomeSocket, 'ask'> }) {
  const serve = (service: string, body: unknown, signal: AbortSignal) =>
    post(`/api/services/${service}?return_response`, body, { signal });

  return {
    /** The things of a domain. */
    async facts(domain: string, signal: AbortSignal): Promise<HomeFact[]> {
      const all = await get('/api/states', z.array(z.json()), signal);
      return all.flatMap((each) => {
        const fact = factSchema.safeParse(each);
        return fact.success && fact.data.entity_id.startsWith(`${domain}.`) ? [fact.data] : [];
      });
    },

    async forecast(id: string, type: ForecastKind, signal: AbortSignal): Promise<WeatherOutlook[]> {
      const answer = await serve('weather/get_forecasts', { entity_id: id, type }, signal);
      return parseHome(forecastSchema, answer).service_response[id]?.forecast ?? [];
    },

    /** The calendars that are exposed to Assist. None where the token's user may not know which are. */
    async calendars(signal: AbortSignal): Promise<string[]> {
      const answer = await socket.ask({ type: 'homeassistant/expose_entity/list' }, signal).catch(() => {
        signal.throwIfAborted();
        return { exposed_entities: {} };
      });
      const { exposed_entities: exposed } = parseHome(exposedSchema, answer);
      return Object.keys(exposed).filter(
        (id) => id.startsWith('calendar.') && exposed[id]?.['conversation'] === true,
      );
    },

    /** What stands in calendars between two moments, in Unix ms; the earliest first. */
    async events(
      ids: readonly string[],
      { from, to }: { from: number; to: number },
      signal: AbortSignal,
    ): Promise<CalendarEvent[]> {
      const [start, end] = [from, to].map((at) => new Date(at).toISOString());
      const body = { entity_id: ids, start_date_time: start, end_date_time: end };
      const answer = await serve('calendar/get_events', body, signal);
      const found = Object.values(parseHome(eventsSchema, answer).service_response);
      return found
        .flatMap(({ events }) => events)
        .toSorted((one, other) => Date.parse(one.start) - Date.parse(other.start));
    },
  };
}
