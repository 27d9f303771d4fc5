import { fill } from '../../language/phrase.ts';
import { foreign } from '../calendar/foreign-words.ts';
import { attributeText, type Thing } from './house-things.ts';
import type { QueryWords } from './query-shape.ts';
import { maxNames, type QueryOutcome } from './query-speech.ts';
import type { StateQuery } from './question-reader.ts';
import { type MeasuredValue, readingOf, spokenValue, withoutTwins } from './readings.ts';
import { isNamed, narrowed } from './selection.ts';
import type { Stems } from './stems.ts';

interface JudgingOptions {
  words: QueryWords;
  stems: Stems;
}

type Room = string | null;

/** Decides for each entity whether a query is true, and puts its state into words. */
export function createJudging({ words, stems }: JudgingOptions) {
  const { statesOf, takes, isKnownState, stateOf } = createStateWords(words);

  /** Reports each entity with its state. The query is true of every entity that reports one. */
  const asTheyAre = (things: readonly Thing[]): QueryOutcome[] =>
    things.map((thing) => ({
      holds: isSilent(thing) ? null : true,
      ...{ thing, subject: thing.name, state: stateOf(thing) },
    }));

  const measuring = createMeasuring({ words, stems, asTheyAre, isKnownState, stateOf });

  /** Compares states. Null: no entity has such a state. */
  const byState = (query: StateQuery, things: readonly Thing[], room: Room): QueryOutcome[] | null => {
    const { states, content } = query;
    const [word = ''] = states;
    const able = things.filter((thing) => states.some((each) => takes(thing, each)));
    const found = content.length === 0 ? [] : asTheyAre(narrowed(query, able, { room }));
    if (found.length === 0) return null;
    if (states.length > 1) return found;
    return found.map((each) => ({
      ...each,
      holds: each.holds && statesOf(each.thing)[each.thing.state]?.includes(word) === true,
    }));
  };

  return {
    asTheyAre,
    measuredBy: measuring.measuredBy,
    measureOf: measuring.measureOf,

    /** Null: no entity matches. */
    judge(query: StateQuery, things: readonly Thing[], room: Room): QueryOutcome[] | null {
      const isMeasured = (query.range !== null || query.form === 'ask') && query.states.length < 2;
      const measured = isMeasured ? measuring.byValue(query, things, room) : null;
      return measured ?? (query.states.length > 0 ? byState(query, things, room) : null);
    },

    /** The state of the only named entity, if the question asks for a state that it cannot have. */
    otherwise(query: StateQuery, things: readonly Thing[]): QueryOutcome[] | null {
      const able = things.filter(
        (thing) =>
          Object.keys(statesOf(thing)).length > 0 && (!query.isWhere || words.moving.includes(thing.domain)),
      );
      const named = able.filter((thing) => isNamed(query, thing) || things.length === 1);
      if (named.length === 1) return asTheyAre(named);
      const isFew = query.asksState && !query.isWhere && able.length > 0 && able.length <= maxNames;
      return isFew ? asTheyAre(able) : null;
    },

    /** Players and their current media. */
    playing: (query: StateQuery, things: readonly Thing[], room: Room): QueryOutcome[] => {
      const players = things.filter(({ domain }) => domain === 'media_player');
      const found = narrowed(query, players, { room });
      const active = found.filter(({ state }) => state === 'playing');
      const shown = active.length > 0 || query.content.length === 0 ? active : found;
      return asTheyAre(shown).map((each) => ({ ...each, state: titleOf(each.thing, words) ?? each.state }));
    },
  };
}

interface MeasuringOptions extends JudgingOptions, Pick<StateWords, 'isKnownState' | 'stateOf'> {
  asTheyAre: (things: readonly Thing[]) => QueryOutcome[];
}

/** Compares the measured values of entities. */
function createMeasuring({ words, stems, asTheyAre, isKnownState, stateOf }: MeasuringOptions) {
  const areaOf = ({ said, content, isHere }: StateQuery, { area }: Thing, room: Room): Room => {
    if (area === null) return null;
    const ofArea = stems.of(area);
    // The energy of a plug in the kitchen is not the energy of the kitchen.
    const isThere = ofArea.every((stem) => said.has(stem)) && content.every((stem) => ofArea.includes(stem));
    return isThere || (area === room && (isHere || content.length === 0)) ? area : null;
  };
  /** "The temperature in the Kitchen", or the entity's name if several share a room. */
  const subjectsOf = (query: StateQuery, values: readonly MeasuredValue[], room: Room): string[] => {
    const { measure = '' } = { measure: query.measure ?? '' };
    const { called = measure, said = [] } = words.measures[measure] ?? {};
    const ownWords = new Set(said.flatMap(stems.of));
    const areas = values.map(({ thing }) => (isNamed(query, thing) ? null : areaOf(query, thing, room)));
    return values.map(({ thing: { name } }, at) => {
      const area = areas[at] ?? null;
      const isOnlyOne = areas.filter((other) => other === area).length === 1;
      if (area !== null && isOnlyOne) return fill(words.measure_in, { measure: called, area });
      const saysMeasure = stems.of(name).some((stem) => ownWords.has(stem));
      return saysMeasure ? name : fill(words.measure_of, { measure: called, name });
    });
  };

  const measureOf = ({ measure }: StateQuery) => words.measures[measure ?? ''];
  const measuredBy = (query: StateQuery, thing: Thing) => {
    const measure = measureOf(query);
    return measure && readingOf(thing, measure, words.scales);
  };

  /**
   * Sensors that report only whether a value is low, such as that of a battery. Leaves out devices that
   * report the value too.
   */
  const warnings = (
    { range, measure }: StateQuery,
    things: readonly Thing[],
    devices: ReadonlySet<string>,
  ): QueryOutcome[] => {
    const classes = words.measures[measure ?? '']?.classes ?? [];
    const warning =
      range === null
        ? []
        : things.filter(
            ({ domain, deviceClass, device }) =>
              domain === 'binary_sensor' && classes.includes(deviceClass) && !devices.has(device ?? ''),
          );
    const isOfLow = range !== null && range.over < 0;
    return asTheyAre(warning).map((each) => ({
      ...each,
      holds: each.holds && (each.thing.state === 'on') === isOfLow,
    }));
  };

  /** Compares a measured value. Null: no entity has it. */
  const byValue = (query: StateQuery, things: readonly Thing[], room: Room): QueryOutcome[] | null => {
    const able = things.filter((thing) => measuredBy(query, thing) !== undefined);
    const found = measuredFrom(query, able, room);
    if (found.length === 0) {
      const warned = warnings(query, things, new Set());
      return warned.length > 0 ? warned : null;
    }
    const values = withoutTwins(found.flatMap((thing) => measuredBy(query, thing) ?? []));
    const subjects = subjectsOf(query, values, room);
    const { over = Number.NEGATIVE_INFINITY, under = Number.POSITIVE_INFINITY } = query.range ?? {};
    const { as_state: asState } = measureOf(query) ?? {};
    const measured = values.map((each, at) => ({
      holds: each.value > over && each.value < under,
      thing: each.thing,
      ...(asState === undefined
        ? { subject: subjects[at] ?? '', state: spokenValue(each) }
        : {
            subject: each.thing.name,
            state: each.value === 0 ? stateOf(each.thing) : fill(asState, { value: spokenValue(each) }),
          }),
    }));
    const devices = new Set(measured.flatMap(({ thing }) => thing.device ?? []));
    const silent = found.filter(
      (thing) => measuredBy(query, thing) === null && !devices.has(thing.device ?? ''),
    );
    // A thermostat without a temperature says nothing about a room with a sensor.
    const isOfSensors = measured.length > 0 && (measureOf(query)?.classes ?? []).length > 0;
    const telling = silent.filter((thing) => !isOfSensors || !isKnownState(thing));
    // A lamp that is off reports no brightness, so report that it is off.
    const others = telling.map((thing) => {
      const isKnown = isKnownState(thing);
      const state = isKnown ? stateOf(thing) : '';
      return { holds: isKnown ? query.range === null : null, thing, subject: thing.name, state };
    });
    return [...measured, ...others, ...warnings(query, things, devices)];
  };

  return { measuredBy, measureOf, byValue };
}

type StateWords = ReturnType<typeof createStateWords>;

/** The words for the states of entities. */
function createStateWords(words: QueryWords) {
  const statesOf = ({ kind, domain }: Thing) => words.states[kind] ?? words.states[domain] ?? {};
  const takes = (thing: Thing, word: string) =>
    Object.values(statesOf(thing)).some((row) => row.includes(word));
  const stateOf = (thing: Thing): string =>
    statesOf(thing)[thing.state]?.[0] ?? foreign(thing.state.replaceAll('_', ' '));

  return {
    statesOf,
    takes,
    stateOf,
    isKnownState: (thing: Thing) => !isSilent(thing) && statesOf(thing)[thing.state] !== undefined,
  };
}

const isSilent = ({ state }: Thing) => state === 'unavailable' || state === 'unknown';

/** The entities to measure: the named ones, else those in the room, else all indoors. */
function measuredFrom(query: StateQuery, able: readonly Thing[], room: Room): readonly Thing[] {
  if (query.content.length > 0) {
    const isNamedOne = able.some((thing) => isNamed(query, thing));
    return isNamedOne ? narrowed(query, able, { room: null }) : able;
  }
  const here = room === null ? [] : able.filter(({ area }) => area === room);
  return here.length > 0 ? here : able.filter(({ domain }) => domain !== 'weather');
}

/** The title that a player plays. Null: it does not report one. */
function titleOf({ state, attributes }: Thing, words: QueryWords): string | null {
  const title = foreign(attributeText(attributes['media_title']));
  if (state !== 'playing' || title === '') return null;
  const artist = attributeText(attributes['media_artist']) || attributeText(attributes['media_series_title']);
  return artist === ''
    ? fill(words.playing, { title })
    : fill(words.playing_by, { title, artist: foreign(artist) });
}
