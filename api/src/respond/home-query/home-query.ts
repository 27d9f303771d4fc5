import type { HomeClient } from '../../engines/home-client.ts';
import { createGrammar } from '../../language/grammar/grammar.ts';
import type { Language } from '../../language/language.ts';
import { fill } from '../../language/phrase.ts';
import { loadSkill } from '../core/skill-language.ts';
import { type HomeAsk, type HomeResult, no } from '../home/home-result.ts';
import type { House } from '../home/house.ts';
import type { HomeWords } from '../home/understand/home-words.ts';
import { createConditionReader, createIfAnswered } from './condition-reader.ts';
import { createHouseThings, type Thing } from './house-things.ts';
import { createJudging } from './judging.ts';
import { type QueryWords, queryShape } from './query-shape.ts';
import { createQuerySpeech, maxNames, type QueryOutcome, type SayQuery } from './query-speech.ts';
import { createQuestionReader, type Statement, type StateQuery } from './question-reader.ts';
import { spokenValue } from './readings.ts';
import { describedBy, inNamedPlace, narrowed, withMeasured, withWholeNames } from './selection.ts';
import { createSkyCondition } from './sky-condition.ts';
import { createStateAge } from './state-age.ts';
import { createStems } from './stems.ts';

/** From this many entities on, a "no" names only the exceptions. */
const minOthers = 3;

interface HomeQueryOptions {
  client: Pick<HomeClient, 'standing' | 'sun'>;
  house: Pick<House, 'exposed' | 'areaOf' | 'places'>;
  language: Language;
  homeWords: Pick<HomeWords, 'same'>;
}

export type HomeQuery = ReturnType<typeof createHomeQuery>;

/** The outcome of a condition, and a sentence about the states that decided it. */
export interface CheckedCondition {
  /** Null: the states do not decide it. */
  holds: boolean | null;
  clauses: string;
}

/** Answers questions by one query over the states of all exposed entities. */
export function createHomeQuery({ client, house, language, homeWords }: HomeQueryOptions) {
  const { words, reply } = loadSkill(language.files, 'home-query', queryShape);
  const { readWords } = createGrammar(language.grammar);
  const stems = createStems(words, { readWords, same: homeWords.same });
  const numbers = language.rules.createNumberReader(language.numbers);
  const reader = createQuestionReader({ words, readWords, numbers, stems });
  const things = createHouseThings({ words, stems });
  const judging = createJudging({ words, stems });
  const speech = createQuerySpeech({ words, reply });
  const { clauses, result } = speech;
  const { played, answered } = createQueryAnswers({ words, reply, judging, speech, house });
  const { withEvent, asksForPeople, nothingFound } = createImplied({ words, stems, house, reply });

  const foundBy = async (query: StateQuery, ask: HomeAsk): Promise<Thing[]> => {
    const standing = await client.standing(ask.signal);
    const room = house.areaOf(ask.turn.room);
    const all = standing ? things.all(house.exposed(), standing) : [];
    const found = inNamedPlace(query, withWholeNames(query, describedBy(query, all, { room })));
    return withMeasured(query, found, { all, measuredBy: judging.measuredBy });
  };

  const { verdicts, allOf, knownOf, withKinds } = createVerdicts({
    ...{ foundBy, withEvent, judge: judging.judge, reply, speech },
    roomOf: ({ turn }) => house.areaOf(turn.room),
  });

  /** A question about the past of something in the house. Null: it is not one. */
  const ofPast = async (text: string, ask: HomeAsk): Promise<HomeResult | null> => {
    const said = reader.past(text);
    const standing = said && (await client.standing(ask.signal));
    if (!standing) return null;
    const isNamed = ({ name }: Thing) => readWords(name).every(({ word }) => said.has(stems.stem(word)));
    return things.all(house.exposed(), standing).some(isNamed) ? no(reply('no_history', {}, ask.turn)) : null;
  };

  const answerTo = async (query: StateQuery, ask: HomeAsk): Promise<HomeResult | null> => {
    if (query.content.length === 0 && query.measure === null && !query.isPlaying) return null;
    const isOfPeople = asksForPeople(query);
    // A camera's sensor for persons does not tell who is home.
    const found = (await foundBy(query, ask)).filter(({ domain }) => !isOfPeople || domain === 'person');
    if (found.length === 0) return nothingFound(query, ask);
    const asksTitle = query.isPlaying && query.form === 'ask' && query.states.length < 2;
    return asksTitle ? played(query, found, ask) : answered(query, found, ask);
  };

  const ageOf = createStateAge({ language, words });
  /** How long the entities have been in their states. Null: unknown for all of them. */
  const sinceWhen = async (query: StateQuery, ask: HomeAsk): Promise<HomeResult | null> => {
    const standing = await client.standing(ask.signal);
    const judged = judging.judge(query, await foundBy(query, ask), house.areaOf(ask.turn.room));
    if (!standing || !judged) return null;
    const text = ageOf(judged, standing, ask.turn.createdAt);
    return text === '' ? null : result(reply('told', { clauses: text }, ask.turn), judged, ask);
  };

  const ifAnswered = createIfAnswered(words, readWords);
  const ofSky = createSkyCondition({ client, words, readWords });

  return {
    reply,
    /** Whether a sentence asks for several states at once. */
    asksSeveral: (text: string): boolean => reader.several(text).length > 0,
    /** Splits commands with a condition, with the words of questions. */
    conditions: (isCommand: (text: string) => boolean) =>
      createConditionReader({
        words,
        readWords,
        isCommand,
        isCondition: (text) => reader.condition(text) !== null,
      }),

    ifAnswered,

    /** Whether the house reports the state of such a thing, even one without commands: "the study window". */
    async tellsOf(name: string, { signal }: Pick<HomeAsk, 'signal'>): Promise<boolean> {
      const standing = await client.standing(signal);
      const said = readWords(name).map(({ word }) => stems.stem(word));
      const all = standing ? things.all(house.exposed(), standing) : [];
      return all.some(
        ({ described, names }) =>
          said.every((stem) => described.has(stem)) && names.flat().some((stem) => said.includes(stem)),
      );
    },

    /** Tests a condition by its first reading that matches something in the house. */
    async check(readings: readonly string[], ask: HomeAsk): Promise<CheckedCondition> {
      const sky = await ofSky(readings, ask);
      if (sky) return sky;
      for (const text of readings) {
        const found = await verdicts(reader.statements(text), ask);
        if (found) return { holds: found.holds, clauses: clauses(found.shown) };
      }
      return { holds: null, clauses: '' };
    },

    /** Null: the text is not a question about states, or matches nothing in the house. */
    async answer(text: string, ask: HomeAsk): Promise<HomeResult | null> {
      const since = reader.since(text);
      const several = since ? [] : reader.several(text);
      const first = since
        ? await sinceWhen(since, ask)
        : ((await allOf(several, ask)) ?? (await knownOf(several, ask)));
      if (first) return first;
      const read = reader.read(text);
      const answer =
        read === null || read.isOutside
          ? null
          : ((await answerTo(withEvent(read), ask)) ??
            (await allOf(await withKinds(reader.sharing(text), ask), ask)));
      return answer ?? (await ofPast(text, ask));
    },
  };
}

interface VerdictOptions {
  foundBy: (query: StateQuery, ask: HomeAsk) => Promise<Thing[]>;
  withEvent: (query: StateQuery) => StateQuery;
  judge: ReturnType<typeof createJudging>['judge'];
  roomOf: (ask: HomeAsk) => string | null;
  reply: SayQuery;
  speech: ReturnType<typeof createQuerySpeech>;
}

/** Judges statements, and answers questions for several of them. */
function createVerdicts({ foundBy, withEvent, judge, roomOf, reply, speech }: VerdictOptions) {
  const { clauses, result } = speech;

  const verdictFor = async (statement: Statement, ask: HomeAsk) => {
    const query = withEvent(statement.query);
    const found = query.isOutside ? [] : await foundBy(query, ask);
    const judged = judge(query, found, roomOf(ask));
    return judged && verdictOf({ ...statement, query }, judged);
  };

  /** "Is the garage door closed and locked", for a door without a lock: answers the known part. */
  const knownOf = async (statements: readonly Statement[], ask: HomeAsk): Promise<HomeResult | null> => {
    const all = await Promise.all(statements.map((statement) => verdictFor(statement, ask)));
    if (all.every((each) => each !== null)) return null;
    const known = all.flatMap((each) => each?.shown ?? []);
    const areThere = await Promise.all(statements.map(({ query }) => foundBy(query, ask)));
    if (known.length === 0 || areThere.some((found) => found.length === 0)) return null;
    return result(reply('part', { clauses: clauses(known) }, ask.turn), known, ask);
  };

  /** The outcome of statements that must all be true. Null: one of them describes nothing in the house. */
  const verdicts = async (statements: readonly Statement[], ask: HomeAsk) => {
    const all: ReturnType<typeof verdictOf>[] = [];
    for (const statement of statements) {
      const verdict = await verdictFor(statement, ask);
      if (verdict === null) return null;
      all.push(verdict);
    }
    if (all.length === 0) return null;
    const isUnknown = all.some(({ holds }) => holds === null);
    const isFalse = all.some(({ holds }) => holds === false);
    return { holds: isUnknown && !isFalse ? null : !isFalse, shown: all.flatMap(({ shown }) => shown) };
  };

  /** "The kitchen and bedroom lights": only the last part names the kind. */
  const withKinds = async (statements: readonly Statement[], ask: HomeAsk): Promise<Statement[]> => {
    const kind = statements.at(-1)?.query.content.at(-1);
    const all = statements.map(async (statement) => {
      const { content } = statement.query;
      const query = { ...statement.query, content: kind === undefined ? content : [...content, kind] };
      return (await foundBy(query, ask)).length > 0 ? { ...statement, query } : statement;
    });
    return await Promise.all(all);
  };

  /** Whether several statements are all true. */
  const allOf = async (statements: readonly Statement[], ask: HomeAsk): Promise<HomeResult | null> => {
    const found = await verdicts(statements, ask);
    if (found === null || found.holds === null) return null;
    const key = found.holds ? 'yes' : 'no';
    return result(reply(key, { clauses: clauses(found.shown) }, ask.turn), found.shown, ask);
  };

  return { verdicts, allOf, knownOf, withKinds };
}

interface ImpliedOptions {
  words: QueryWords;
  stems: ReturnType<typeof createStems>;
  house: Pick<House, 'places'>;
  reply: SayQuery;
}

/** Finds what a question implies without naming it. */
function createImplied({ words, stems, house, reply }: ImpliedOptions) {
  const events = new Set(words.events.flatMap(stems.of));
  const whereabouts = new Set(Object.values(words.states['person'] ?? {}).flat());

  const isOfEvent = (query: StateQuery) =>
    (query.isThere || query.isAny) && query.content.some((stem) => events.has(stem));

  /** "Is there motion in the hall" implies a state without naming it. */
  const withEvent = (query: StateQuery): StateQuery => {
    const isEvent = isOfEvent(query);
    const isBare = query.states.length === 0 && query.range === null;
    return isEvent && isBare ? { ...query, states: [words.event_state] } : query;
  };

  /** The words besides the event: "hall" of "is there motion in the hall". Null: it names no event. */
  const asksForEvent = (query: StateQuery): string[] | null =>
    isOfEvent(query) ? query.content.filter((stem) => !events.has(stem)) : null;

  /** "Is anyone home". */
  const asksForPeople = ({ content, states }: StateQuery): boolean =>
    content.every((stem) => stem === stems.stem(words.person)) &&
    content.length > 0 &&
    states.some((state) => whereabouts.has(state));

  const isPlace = (said: readonly string[]): boolean =>
    house.places().some((names) => names.some((name) => stems.of(name).join(' ') === said.join(' ')));

  /** The model would invent what the house cannot tell. Null: the question may be about something else. */
  const nothingFound = (query: StateQuery, { turn }: HomeAsk): HomeResult | null => {
    if (asksForPeople(query)) return no(reply('no_people', {}, turn));
    const place = asksForEvent(query);
    return place && isPlace(place) ? no(reply('no_sensor', {}, turn)) : null;
  };

  return { withEvent, asksForPeople, nothingFound };
}

interface QueryAnswersOptions {
  words: QueryWords;
  reply: SayQuery;
  judging: ReturnType<typeof createJudging>;
  speech: ReturnType<typeof createQuerySpeech>;
  house: Pick<House, 'areaOf'>;
}

/** Answers one query about the entities that it describes. */
function createQueryAnswers({ words, reply, judging, speech, house }: QueryAnswersOptions) {
  const { judge, otherwise, playing, asTheyAre, measuredBy, measureOf } = judging;
  const { names, clauses, result, spokenAnswer } = speech;

  const yesOrNo = (
    { isAny, isThere }: StateQuery,
    judged: readonly QueryOutcome[],
    ask: HomeAsk,
  ): HomeResult => {
    const known = judged.filter((each) => each.holds !== null);
    const [yes, isOfAny] = [known.filter((each) => each.holds), isAny || isThere];
    const isSo = isOfAny ? yes.length > 0 : yes.length === known.length;
    if (known.length === 0) return result('', judged, ask);
    if (isSo) return result(reply('yes', { clauses: clauses(yes) }, ask.turn), judged, ask, yes);
    // Do not list many entities: listeners cannot follow.
    const isLong = isOfAny && known.length > maxNames;
    const shown = isOfAny || known.length < minOthers ? known : known.filter((each) => !each.holds);
    return result(
      reply(isLong ? 'no_only' : 'no', { clauses: clauses(shown) }, ask.turn),
      judged,
      ask,
      shown,
    );
  };

  const listed = (
    { form, isWhichRoom }: StateQuery,
    judged: readonly QueryOutcome[],
    ask: HomeAsk,
  ): HomeResult => {
    const yes = judged.filter((each) => each.holds);
    const called = isWhichRoom
      ? [...new Set(yes.flatMap(({ thing }) => thing.area ?? []))]
      : yes.map(({ thing }) => thing.name);
    const values = { n: called.length, names: names(called) };
    if (yes.length === 0) return result(reply('none', {}, ask.turn), judged, ask);
    const text =
      form === 'count'
        ? reply('count', values, ask.turn)
        : reply('told', { clauses: values.names }, ask.turn);
    return result(text, judged, ask, yes);
  };

  /** Answers with the warmest, the coldest, the average or the sum. */
  const picked = (query: StateQuery, judged: readonly QueryOutcome[], ask: HomeAsk): HomeResult => {
    const { pick, measure } = query;
    const known = judged.filter((each) => each.holds !== null);
    const values = known.flatMap(({ thing }) => measuredBy(query, thing) ?? []);
    const [first, ...rest] = values.toSorted((one, other) => other.value - one.value);
    if (first === undefined) return result('', judged, ask);
    if (pick === 'most' || pick === 'least') {
      const best = pick === 'most' ? first : (rest.at(-1) ?? first);
      const told = known.filter(({ thing }) => thing === best.thing);
      return result(spokenAnswer(told, ask), judged, ask);
    }
    const sum = values.reduce((total, { value }) => total + value, 0);
    const value = pick === 'sum' ? sum : sum / values.length;
    const phrase = pick === 'sum' ? words.sum_of : words.average_of;
    const subject = fill(phrase, { measure: measureOf(query)?.called ?? measure ?? '' });
    const clause = fill(words.is_one, { names: subject, state: spokenValue({ ...first, value }) });
    return result(reply('told', { clauses: clause }, ask.turn), judged, ask);
  };

  const ofJudged = (query: StateQuery, judged: readonly QueryOutcome[], ask: HomeAsk): HomeResult => {
    const { form, pick, measure, range, states } = query;
    if (pick !== null && measure !== null) return picked(query, judged, ask);
    const isValue = form === 'ask' && measure !== null && range === null;
    if (states.length > 1 || isValue) return result(spokenAnswer(judged, ask), judged, ask);
    return form === 'is' ? yesOrNo(query, judged, ask) : listed(query, judged, ask);
  };

  const played = (query: StateQuery, found: readonly Thing[], ask: HomeAsk): HomeResult | null => {
    const judged = playing(query, found, house.areaOf(ask.turn.room));
    if (judged.length === 0) return null;
    return { ...result(spokenAnswer(judged, ask), judged, ask), kept: reply('read_out', {}, ask.turn) };
  };

  /** Counts entities of a kind, in any state. */
  const counted = (query: StateQuery, found: readonly Thing[], ask: HomeAsk): HomeResult | null => {
    const isOfKind = ({ nouns }: Thing) => query.content.some((stem) => nouns.has(stem));
    const chosen = asTheyAre(narrowed(query, found, { room: null }).filter(isOfKind));
    const all = chosen.map((each) => ({ ...each, holds: true }));
    return all.length > 0 ? listed(query, all, ask) : null;
  };

  /** The state of what cannot have the asked one, such as the position of a garage door. */
  const instead = (query: StateQuery, found: readonly Thing[], ask: HomeAsk): HomeResult | null => {
    const { form, states, measure, range, asksState } = query;
    const isState = measureOf(query)?.as_state !== undefined;
    // The state of a lock is no answer to "does the front door need a new battery".
    if (form === 'is' && measure !== null && range !== null && !isState)
      return no(reply('no_sensor', {}, ask.turn));
    const asksItself = isState || (asksState && measure === null);
    const isAboutState = form === 'is' ? states.length > 0 || range !== null : asksItself;
    const other = isAboutState ? otherwise(query, found) : null;
    return other && result(spokenAnswer(other, ask), other, ask);
  };

  const answered = (query: StateQuery, found: readonly Thing[], ask: HomeAsk): HomeResult | null => {
    const { form, states, measure, range } = query;
    const judged = judge(query, found, house.areaOf(ask.turn.room));
    if (judged) return ofJudged(query, judged, ask);
    const isOfAll = measure === null && range === null && asksForAll(query, found);
    if (form === 'count' || isOfAll) return states.length === 0 ? counted(query, found, ask) : null;
    return instead(query, found, ask);
  };

  return { played, answered };
}

/** "Which lights are there", "which devices are in the kitchen". */
function asksForAll(
  { form, isThere, content, plurals, asksState }: StateQuery,
  found: readonly Thing[],
): boolean {
  if (form !== 'ask' || asksState) return false;
  const kinds = content.filter((stem) => found.every(({ nouns }) => nouns.has(stem)));
  const isOfPlace = kinds.length < content.length;
  return kinds.some((stem) => plurals.has(stem)) && (isThere || isOfPlace);
}

/** Whether a statement is true of any entity or of all, and the entities that prove it. */
function verdictOf({ query, isNegated }: Statement, judged: readonly QueryOutcome[]) {
  const isSo = judged.map(({ holds }) => (holds === null ? null : holds !== isNegated));
  const isOfAny = query.isAny || query.isThere;
  // One match proves "any", and one mismatch disproves "all".
  if (isSo.includes(isOfAny)) {
    const shown = isOfAny ? judged.filter((_, at) => isSo[at]) : judged;
    return { holds: isOfAny !== query.isNobody, shown };
  }
  const isKnown = isSo.length > 0 && !isSo.includes(null);
  return { holds: isKnown ? isOfAny === query.isNobody : null, shown: judged };
}
