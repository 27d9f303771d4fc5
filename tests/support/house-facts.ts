import { Redis } from 'ioredis';
import type { CalendarEvent, HomeFact, WeatherOutlook } from '../../api/src/engines/home-facts-reader.ts';
import { HomeError } from '../../api/src/engines/home-fault.ts';
import { createGrammar } from '../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import { createSkillResponder } from '../../api/src/respond/core/skill-responder.ts';
import { createHomeFacts } from '../../api/src/respond/home-facts/home-facts.ts';
import { createNotConnectedResponder } from '../../api/src/respond/not-connected/not-connected-responder.ts';
import { createHouseholdRecords } from '../../api/src/wiring/household-stores.ts';
import { now, question } from './skills.ts';

/** The attributes that no entity reports. */
export const nothing = {
  ...{ friendly_name: '', supported_features: 0, temperature: null, humidity: null, wind_speed: null },
  temperature_unit: null,
  ...{ wind_speed_unit: null, next_rising: null, next_setting: null },
  ...{ media_title: null, media_artist: null, media_series_title: null },
};
export const weather: HomeFact = {
  entity_id: 'weather.home',
  state: 'sunny',
  attributes: {
    ...nothing,
    supported_features: 3,
    temperature: 11.6,
    wind_speed: 12,
    wind_speed_unit: 'mph',
  },
};
export const player = (title: string): HomeFact => ({
  entity_id: 'media_player.radio',
  state: 'playing',
  attributes: { ...nothing, friendly_name: 'Radio', media_title: title, media_artist: 'The Larks' },
});
const daily: WeatherOutlook[] = [
  { datetime: '2026-11-21T12:00:00Z', condition: 'sunny', temperature: 12, templow: 4 },
  {
    datetime: '2026-11-22T12:00:00Z',
    condition: 'rainy',
    temperature: 9,
    templow: 3,
    precipitation_probability: 80,
  },
  {
    datetime: '2026-11-23T12:00:00Z',
    condition: 'cloudy',
    temperature: 8,
    templow: 8,
    precipitation_probability: 30,
  },
];
const hourly: WeatherOutlook[] = [
  { datetime: '2026-11-21T21:00:00Z', condition: 'clear-night', temperature: 5 },
  { datetime: '2026-11-22T02:00:00Z', condition: 'clear-night', temperature: 2 },
  { datetime: '2026-11-22T09:00:00Z', condition: 'fog', temperature: 3 },
];

export interface House {
  tag?: string;
  facts?: readonly HomeFact[];
  calendars?: readonly string[];
  events?: readonly CalendarEvent[];
  fails?: boolean;
  tasks?: readonly string[];
}

/** A house whose calendars are read-only. */
function writing(calendars: readonly string[], events: readonly CalendarEvent[]) {
  const refused = async () => Promise.reject(new HomeError('broken'));
  return {
    calendars: async () => [...calendars],
    knownCalendars: async () => calendars.map((id) => ({ id, name: 'Family', features: 0 })),
    entries: async (_: string, { from, to }: { from: number; to: number }) =>
      events
        .filter(({ start }) => Date.parse(start) >= from && Date.parse(start) < to)
        .map((event) => ({ ...event, uid: event.start, description: null, location: null, repeats: false })),
    ...{ addEntry: refused, removeEntry: refused, changeEntry: refused },
  };
}

/** The answer of a house at 15:20 on a Saturday: the text, and the part that the conversation stores. */
export const asked = (text: string, house: House = {}) => houseWith(house)(text);

/** The answers of a house. */
export function houseWith({
  tag = 'en',
  facts = [weather],
  calendars = [],
  events = [],
  fails = false,
  tasks = [],
}: House) {
  const language = loadLanguage({ folder: new URL(`../../api/languages/${tag}/`, import.meta.url) });
  const homeFacts = createHomeFacts({
    client: {
      async facts(domain) {
        if (fails) throw new HomeError('broken');
        return facts.filter(({ entity_id: id }) => id.startsWith(`${domain}.`));
      },
      sun: async () => facts.find(({ entity_id: id }) => id === 'sun.sun') ?? null,
      players: async () => facts.filter(({ entity_id: id }) => id.startsWith('media_player.')),
      forecast: async (_, kind) => (kind === 'daily' ? daily : hourly),
      ...writing(calendars, events),
      lists: async () => [
        { id: 'todo.tasks', name: 'Tasks', canAdd: true, canRemove: true, canChange: true },
      ],
      listItems: async () => tasks.map((each) => ({ uid: each, text: each })),
      events: async (_, { from, to }) =>
        events.filter(({ start }) => Date.parse(start) >= from && Date.parse(start) < to),
    },
    thingsIn: () => [],
    ...createHouseholdRecords({ redis: new Redis({ lazyConnect: true }) }),
    language,
    timeZone: 'Europe/London',
    onFailure: () => undefined,
  });
  const responder = createNotConnectedResponder({
    language,
    hasHome: true,
    facts: homeFacts,
    mayBeServed: () => false,
  });
  const bySkill = createSkillResponder({
    grammar: createGrammar(language.grammar),
    skills: [homeFacts.skill],
  });
  return async (text: string) => {
    const put = question(text, { createdAt: now });
    const answer =
      (await bySkill.respond(put)) ??
      (await homeFacts.recordAnswers?.respond(put)) ??
      (await responder.respond(put));
    return answer && { text: answer.text, kept: answer.kept?.assistant };
  };
}
