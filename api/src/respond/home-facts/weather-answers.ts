import {
  type ForecastKind,
  forecastKinds,
  type HomeFact,
  type WeatherOutlook,
} from '../../engines/home-facts-reader.ts';
import { type Day, numberOf } from '../../language/calendar/day.ts';
import type { LocalTime } from '../../language/calendar/time-zones.ts';
import { withCapital } from '../../language/capitals.ts';
import type { Word } from '../../language/grammar/words.ts';
import { fill } from '../../language/phrase.ts';
import type { LanguageRules } from '../../language/rules.ts';
import type { FactsAsk, SayFact } from '../calendar/home-facts-shape.ts';
import { type Topic, topicNames } from '../calendar/home-facts-shape.ts';
import {
  type FactWords,
  hoursOfPart,
  type QuestionDays,
  type QuestionDaysReader,
} from '../calendar/question-days.ts';

interface WeatherClient {
  facts(domain: string, signal: AbortSignal): Promise<HomeFact[]>;
  forecast(id: string, type: ForecastKind, signal: AbortSignal): Promise<WeatherOutlook[]>;
}

interface WeatherOptions {
  client: WeatherClient;
  words: FactWords;
  days: QuestionDaysReader;
  say: SayFact;
  clock: (at: number) => LocalTime;
  /** The form of a word after a number. */
  formOf: LanguageRules['formOf'];
}

/** A weather entity, and its temperatures in the unit of the question. */
interface AskedFact extends HomeFact {
  inUnit: (degrees: number) => number;
}

/** Home Assistant's conditions that count as rain, snow and so on. */
const conditionsOf: Readonly<Partial<Record<Topic, readonly string[]>>> = {
  rain: ['rainy', 'pouring', 'lightning-rainy', 'snowy-rainy'],
  snow: ['snowy', 'snowy-rainy'],
  storm: ['lightning', 'lightning-rainy'],
  fog: ['fog'],
};
/** In percent. From the first value on, rain is likely. Below the second, the answer omits it. */
const likelyFrom = 50;
const possibleFrom = 20;
/** Maximum number of days listed one by one. */
const maxDays = 7;

/** Answers weather questions from the house's weather entity. Null: the house has none. */
export function createWeatherAnswers({ client, words, days, say, clock, formOf }: WeatherOptions) {
  const { now, general, windOf, skyOf } = createWeatherReplies({ words, say, formOf });
  const { forecastOf, outlooks } = createForecasts({ client, clock });

  const then = async (
    fact: AskedFact,
    range: QuestionDays,
    topic: Topic | null,
    ask: FactsAsk,
  ): Promise<string> => {
    const { turn } = ask;
    const hasForecast = fact.attributes.supported_features & (forecastKinds.daily | forecastKinds.hourly);
    const today = clock(turn.createdAt);
    if (!hasForecast) {
      const isToday = range.from === numberOf(today);
      return isToday
        ? `${say('no_forecast', {}, turn)} ${now(fact, topic, ask)}`
        : say('no_forecast', {}, turn);
    }
    const found = await outlooks(fact, range, ask);
    const known = found.filter(({ all }) => all.length > 0);
    const unit = fact.attributes.wind_speed_unit ?? '';
    const texts = known.map(({ number, part, all }) => {
      const when = days.name(number, part, today);
      if (topic === null) return general(all, when, ask);
      return topic === 'wind' ? windOf(all, when, unit, ask) : skyOf(topic, all, when, ask);
    });
    const last = found.at(-1);
    if (last && last.all.length === 0)
      texts.push(say('not_reached', { when: days.name(last.number, last.part, today) }, turn));
    return texts.join(' ');
  };

  /** The first day on which it is likely. */
  const first = async (fact: AskedFact, topic: Topic, ask: FactsAsk): Promise<string> => {
    const all = await forecastOf(fact, 'daily', ask);
    if (all.length === 0) return say('no_forecast', {}, ask.turn);
    const today: Day = clock(ask.turn.createdAt);
    const numberAt = ({ datetime }: WeatherOutlook) => numberOf(clock(Date.parse(datetime)));
    const day = all.find(
      (each) =>
        numberAt(each) >= numberOf(today) && (isThere(topic, each) || chanceFor(topic, [each]) >= likelyFrom),
    );
    if (day) return skyOf(topic, [day], days.name(numberAt(day), null, today), ask);
    const last = Math.max(...all.map(numberAt));
    const names = words.topic_names[topic] ?? '';
    return say('unlikely', { topic: names, when: days.name(last, null, today) }, ask.turn);
  };

  const topicOf = (said: readonly Word[]): Topic | null =>
    topicNames.find((name) => days.isAny(said, words.topics[name] ?? [])) ?? null;

  /** Converts to the unit in the question, if the entity measures in the other one. */
  const unitFor = ({ attributes }: HomeFact, said: readonly Word[]): AskedFact['inUnit'] => {
    const isFahrenheit = attributes.temperature_unit === '°F';
    if (isFahrenheit && days.isAny(said, words.units.celsius)) return (degrees) => ((degrees - 32) * 5) / 9;
    const isCelsius = attributes.temperature_unit === '°C';
    return isCelsius && days.isAny(said, words.units.fahrenheit)
      ? (degrees) => (degrees * 9) / 5 + 32
      : (degrees) => degrees;
  };

  const answerFact = async (fact: AskedFact, said: readonly Word[], range: QuestionDays, ask: FactsAsk) => {
    const topic = topicOf(said);
    if (topic === 'unknown') return say('not_told', {}, ask.turn);
    const isSky = topic !== null && conditionsOf[topic] !== undefined;
    if (isSky && range.isOpen && days.isAny(said, words.when)) return await first(fact, topic, ask);
    const isNow = range.isOpen && (days.isAny(said, words.now) || !days.isAny(said, words.later));
    return isNow ? now(fact, topic, ask) : await then(fact, range, topic, ask);
  };

  return async (
    said: readonly Word[],
    ask: FactsAsk & { place: readonly Word[] },
  ): Promise<string | null> => {
    const facts = await client.facts('weather', ask.signal);
    const fact = facts.find(({ attributes }) => attributes.supported_features > 0) ?? facts[0];
    if (!fact) return null;
    const { turn, place } = ask;
    const today = clock(turn.createdAt);
    // "This city" and a question without a place mean here. "New York City" does not.
    const isHere = days.isOnly(place, [...words.here, ...words.here_with]) || !days.read(place, today).isOpen;
    if (!isHere) return say('elsewhere', {}, turn);
    const range = days.read(said, today);
    if (range.from < numberOf(today)) return say('past', {}, turn);
    return await answerFact({ ...fact, inUnit: unitFor(fact, said) }, said, range, ask);
  };
}

/** Puts measured and forecast weather in words. */
function createWeatherReplies({ words, say, formOf }: Pick<WeatherOptions, 'words' | 'say' | 'formOf'>) {
  const degreesOf = (n: number): string => fill(words.degrees[formOf(n)], { n });
  const conditionOf = (condition: string | null | undefined) => words.conditions[condition ?? ''] ?? null;

  const now = ({ state, attributes, inUnit }: AskedFact, topic: Topic | null, { turn }: FactsAsk): string => {
    const { temperature, humidity, wind_speed: speed, wind_speed_unit: unit } = attributes;
    if (topic === 'humidity' && humidity != null) return say('humidity_now', { percent: humidity }, turn);
    if (topic === 'wind' && speed != null)
      return say('wind_now', { speed: round(speed), unit: unit ?? '' }, turn);
    const condition = conditionOf(state);
    if (topic === 'humidity' || topic === 'wind' || condition === null) return say('not_told', {}, turn);
    const degrees = degreesOf(round(inUnit(temperature ?? 0)));
    return temperature == null
      ? say('now_bare', { condition }, turn)
      : say('now', { condition, degrees }, turn);
  };

  const general = (all: readonly WeatherOutlook[], when: string, { turn }: FactsAsk): string => {
    const condition = conditionOf(usual(all));
    if (condition === null) return say('not_told', {}, turn);
    const warmths = all
      .flatMap(({ temperature, templow }) => [temperature, templow])
      .filter((each) => each != null);
    const [low, high] = [round(Math.min(...warmths)), round(Math.max(...warmths))];
    const warmth = low === high ? degreesOf(low) : fill(words.degrees_between, { low, high });
    const values = { when: withCapital(when), condition };
    const text = warmths.length > 0 ? say('day', { ...values, warmth }, turn) : say('day_bare', values, turn);
    const chance = chanceOf(all);
    return chance !== null && chance >= possibleFrom
      ? `${text} ${say('chance', { percent: chance }, turn)}`
      : text;
  };

  const windOf = (all: readonly WeatherOutlook[], when: string, unit: string, { turn }: FactsAsk): string => {
    const speeds = all.map(({ wind_speed: speed }) => speed).filter((speed) => speed != null);
    if (speeds.length === 0) return say('not_told', {}, turn);
    return say('wind', { when: withCapital(when), speed: round(Math.max(...speeds)), unit }, turn);
  };

  /** Whether it rains, snows or storms. */
  const skyOf = (topic: Topic, all: readonly WeatherOutlook[], when: string, { turn }: FactsAsk): string => {
    const name = words.topic_names[topic];
    if (name === undefined) return say('not_told', {}, turn);
    const values = { topic: withCapital(name), when };
    const isSo = all.some((each) => isThere(topic, each));
    const percent = chanceFor(topic, all);
    if (percent >= possibleFrom)
      return say(percent >= likelyFrom ? 'likely' : 'possible', { ...values, percent }, turn);
    return isSo ? say('likely_bare', values, turn) : say('unlikely', { topic: name, when }, turn);
  };

  return { now, general, windOf, skyOf };
}

/** Reads the forecasts of the house's weather entity. */
function createForecasts({ client, clock }: Pick<WeatherOptions, 'client' | 'clock'>) {
  const forecastOf = async (
    fact: AskedFact,
    kind: ForecastKind,
    { signal }: FactsAsk,
  ): Promise<WeatherOutlook[]> =>
    (fact.attributes.supported_features & forecastKinds[kind]) === 0
      ? []
      : (await client.forecast(fact.entity_id, kind, signal)).map((each) => ({
          ...each,
          temperature: each.temperature == null ? null : fact.inUnit(each.temperature),
          templow: each.templow == null ? null : fact.inUnit(each.templow),
        }));

  /** The forecast hours in a part of a day. */
  const inPart = (
    all: readonly WeatherOutlook[],
    number: number,
    part: NonNullable<QuestionDays['part']>,
  ) => {
    const [from, to] = hoursOfPart[part];
    return all.filter(({ datetime }) => {
      const local = clock(Date.parse(datetime));
      const hour = (numberOf(local) - number) * 24 + local.hour;
      return hour >= from && hour < to;
    });
  };

  const onDay = (all: readonly WeatherOutlook[], number: number) =>
    all.filter(({ datetime }) => numberOf(clock(Date.parse(datetime))) === number);

  /** The forecast for each day, limited to the part of the day. Without hourly data, the whole day. */
  const outlooks = async (fact: AskedFact, { from, to, part }: QuestionDays, ask: FactsAsk) => {
    const numbers = Array.from({ length: Math.min(to - from + 1, maxDays) }, (_, n) => from + n);
    const hourly = part === null ? [] : await forecastOf(fact, 'hourly', ask);
    const inHours = numbers.map((number) => ({
      number,
      part,
      all: part ? inPart(hourly, number, part) : [],
    }));
    if (inHours.some(({ all }) => all.length > 0)) return inHours;
    const daily = await forecastOf(fact, 'daily', ask);
    const whole = daily.length > 0 ? daily : await forecastOf(fact, 'hourly', ask);
    return numbers.map((number) => ({ number, part: null, all: onDay(whole, number) }));
  };

  return { forecastOf, outlooks };
}

const round = (n: number) => Math.round(n);
const isSnow = ({ condition }: WeatherOutlook) => condition === 'snowy';

/** The highest chance of rain or snow, in percent; null: no data. */
function chanceOf(all: readonly WeatherOutlook[]): number | null {
  const chances = all
    .map(({ precipitation_probability: chance }) => chance)
    .filter((chance) => chance != null);
  return chances.length > 0 ? round(Math.max(...chances)) : null;
}

/** The most frequent condition. */
function usual(all: readonly WeatherOutlook[]): string | null {
  const counts = new Map<string, number>();
  for (const { condition } of all) if (condition) counts.set(condition, (counts.get(condition) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

const isThere = (topic: Topic, { condition }: WeatherOutlook): boolean =>
  conditionsOf[topic]?.includes(condition ?? '') === true;

/** The chance of rain in percent; 0 without data, and for topics that have no chance. */
function chanceFor(topic: Topic, all: readonly WeatherOutlook[]): number {
  return topic === 'rain' ? (chanceOf(all.filter((each) => !isSnow(each))) ?? 0) : 0;
}
