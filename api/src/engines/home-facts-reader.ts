import { z } from 'zod';
import { type HomeCalls, parseHome } from './home-calls.ts';
import { exposedIn } from './home-exposed.ts';
import { HomeError } from './home-fault.ts';
import type { HomeSocket } from './home-socket.ts';

const attributesSchema = z.object({
  friendly_name: z.string().catch(''),
  supported_features: z.number().catch(0),
  temperature: z.number().nullish().catch(null),
  temperature_unit: z.string().nullish().catch(null),
  humidity: z.number().nullish().catch(null),
  wind_speed: z.number().nullish().catch(null),
  wind_speed_unit: z.string().nullish().catch(null),
  next_rising: z.string().nullish().catch(null),
  next_setting: z.string().nullish().catch(null),
  next_dawn: z.string().nullish().catch(null),
  next_dusk: z.string().nullish().catch(null),
  media_content_id: z.string().nullish().catch(null),
  media_title: z.string().nullish().catch(null),
  media_artist: z.string().nullish().catch(null),
  media_series_title: z.string().nullish().catch(null),
});
const factSchema = z.object({ entity_id: z.string(), state: z.string(), attributes: attributesSchema });
/** A house may have thousands of entities, so only the requested ones are parsed. */
const statesSchema = z.array(z.unknown());
const namedSchema = z.object({ entity_id: z.string() });
/** Every house has one sun entity, with this fixed id. */
const sunId = 'sun.sun';

/** An entity that reports facts: the weather, the sun, a player. */
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

/** One hour or day of a forecast. */
export type WeatherOutlook = z.infer<typeof hourOrDaySchema>;

const forecastSchema = z.object({
  service_response: z.record(z.string(), z.object({ forecast: z.array(hourOrDaySchema).nullish() })),
});

const eventSchema = z.object({
  start: z.string(),
  end: z.string(),
  summary: z.string().catch(''),
  description: z.string().nullish().catch(null),
  location: z.string().nullish().catch(null),
});

/** A calendar entry. An all-day entry starts at a date, without a time. */
export type CalendarEvent = z.infer<typeof eventSchema>;

const eventsSchema = z.object({
  service_response: z.record(z.string(), z.object({ events: z.array(eventSchema) })),
});
/** The abilities of a weather entity: the bits of its `supported_features`. */
export const forecastKinds = { daily: 1, hourly: 2 } as const;
export type ForecastKind = keyof typeof forecastKinds;

interface HomeFactsReaderOptions extends Pick<HomeCalls, 'get' | 'post'> {
  socket: Pick<HomeSocket, 'ask'>;
}

/** Reads forecasts, calendars, the sun and players. Changes nothing. */
export function createHomeFactsReader({ get, post, socket }: HomeFactsReaderOptions) {
  const serve = (service: string, body: unknown, signal: AbortSignal) =>
    post(`/api/services/${service}?return_response`, body, { signal });

  const facts = async (domain: string, signal: AbortSignal): Promise<HomeFact[]> => {
    const all = await get('/api/states', statesSchema, signal);
    return all.flatMap((each) => {
      const id = namedSchema.safeParse(each).data?.entity_id;
      const fact = id?.startsWith(`${domain}.`) ? factSchema.safeParse(each).data : undefined;
      return fact ? [fact] : [];
    });
  };

  return {
    /** The entities of a domain. */
    facts,

    /** The players exposed to Assist. */
    async players(signal: AbortSignal): Promise<HomeFact[]> {
      const [all, exposed] = await Promise.all([
        facts('media_player', signal),
        exposedIn('media_player', { socket, signal }),
      ]);
      return all.filter(({ entity_id: id }) => exposed.includes(id));
    },

    /** The sun entity; null if the house has none. */
    async sun(signal: AbortSignal): Promise<HomeFact | null> {
      try {
        return await get(`/api/states/${sunId}`, factSchema, signal);
      } catch (error) {
        if (error instanceof HomeError && error.failure === 'missing') return null;
        throw error;
      }
    },

    async forecast(id: string, type: ForecastKind, signal: AbortSignal): Promise<WeatherOutlook[]> {
      const answer = await serve('weather/get_forecasts', { entity_id: id, type }, signal);
      return parseHome(forecastSchema, answer).service_response[id]?.forecast ?? [];
    },

    /** The entries of the calendars between two moments (Unix ms), earliest first. */
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
