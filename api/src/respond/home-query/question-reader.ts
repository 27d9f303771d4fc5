import { createPhraseFinder } from '../../language/grammar/phrase-finder.ts';
import { textOf, type Word, type WordReader } from '../../language/grammar/words.ts';
import type { NumberReader } from '../../language/numbers/number-reader.ts';
import type { QueryWords } from './query-shape.ts';
import type { Stems } from './stems.ts';

/** Listeners cannot remember more. */
const maxStatements = 4;

/** Longer texts are not spoken questions about a house. */
const maxWords = 40;

/** One query over the states of the house. */
export interface StateQuery {
  form: 'is' | 'count' | 'ask';
  /** The stems of all its words. */
  said: ReadonlySet<string>;
  /** Its stems in their order. */
  text: string;
  /** The stems that must describe each entity: its name, kind or place. */
  content: readonly string[];
  /** Stems of words in the plural. */
  plurals: ReadonlySet<string>;
  /** State words. With several, the question offers a choice. */
  states: readonly string[];
  measure: string | null;
  /** Exclusive bounds of the values for which the answer is yes. */
  range: { over: number; under: number } | null;
  pick: 'most' | 'least' | 'average' | 'sum' | null;
  isAny: boolean;
  /** "Nobody is home". */
  isNobody: boolean;
  /** "Is there a light on". */
  isThere: boolean;
  isHere: boolean;
  isOutside: boolean;
  isPlaying: boolean;
  /** It asks where something is. */
  isWhere: boolean;
  /** It asks in which rooms. */
  isWhichRoom: boolean;
  /** It asks for the state of an entity, without a measure. */
  asksState: boolean;
}

type Tag =
  | { is: 'state' | 'measure'; value: string }
  | { is: 'range'; value: readonly [number, number] }
  | {
      is:
        | 'over'
        | 'under'
        | 'here'
        | 'outside'
        | 'playing'
        | 'how_many'
        | 'there'
        | 'asksState'
        | 'where'
        | 'whichRoom';
    }
  | { is: 'people' | 'nobody' }
  | { is: 'pick'; value: 'most' | 'least' | 'average' | 'sum'; measure?: string }
  | { is: 'compare'; value: 'over' | 'under'; measure: string }
  | { is: 'how' | 'howOfState'; value: string };

/** A statement that is true or false. */
export interface Statement {
  query: StateQuery;
  isNegated: boolean;
}

/** A bound on the values in question. */
interface Bound {
  side: 'over' | 'under';
  value: number;
  measure: string | null;
}

interface ReaderOptions {
  words: QueryWords;
  readWords: WordReader;
  numbers: NumberReader;
  stems: Stems;
}

/** Reads a question about states. The remaining words describe entities. */
export function createQuestionReader(options: ReaderOptions) {
  const { words: data, readWords } = options;
  const indefinite = new Set(data.indefinite);
  const sinceWhen = phraseFinder(data.since_when, readWords);
  const [ofAll, anything] = [new Set(data.of_all), options.stems.of(data.anything.at(-1) ?? '')];
  const who = new Set(data.who);
  const { doneIn, deedFirst, formOf, asksPast, isOfDoes } = createFormReader(data, readWords);
  const parse = createQueryParser(options);
  const { statementIn, joinedIn, groupsOf } = createStatementReader(options, parse);
  const shorter = createPhraseFinder(
    Object.entries(data.short_for).map(([text, stands]) => ({ text, stands })),
    readWords,
  );

  /** "Did we lock everything" for "did we lock up". */
  const inFull = (text: string): string => {
    const said = readWords(text);
    const at = said.findIndex((_, from) => shorter.at(said, from).length > 0);
    const longest = shorter.at(said, at).toSorted((one, other) => other.end - one.end)[0];
    if (!longest) return text;
    const around = [said.slice(0, at), said.slice(longest.end)].map((part) => textOf(text, part));
    return [around[0], longest.found, around[1]].join(' ');
  };

  /** "Who turned off the light" asks for a person, and states do not tell. */
  const asksWho = (said: readonly Word[], { isPlaying, content }: StateQuery): boolean =>
    said.some(({ word }) => who.has(word)) &&
    !isPlaying &&
    !content.includes(options.stems.stem(data.person));

  /** "Is it warm in here", for "how warm is it in here". */
  const asMeasure = (said: readonly Word[], query: StateQuery): StateQuery => {
    const { form, states, measure, range, isThere } = query;
    if (form !== 'is' || states.length > 0 || measure !== null || range !== null || isThere) return query;
    const found = parse(said, 'ask', true);
    return found.measure !== null && (found.content.length > 0 || found.isHere) ? found : query;
  };

  const parseQuestion = (spoken: readonly Word[], form: StateQuery['form']): StateQuery => {
    const said = deedFirst(spoken);
    const done = doneIn(said);
    if (!done) return parse(said, form);
    const found = parse(said.slice(done.at + 1), form);
    const query = { ...found, isAny: found.isAny || done.isOfAny };
    return done.state === '' ? query : { ...query, states: [done.state] };
  };

  /** "What is on" asks for everything. */
  const ofAnything = (query: StateQuery): StateQuery => {
    const { form, content, states } = query;
    const isBare = content.length === 0 && query.measure === null && query.range === null && !query.isPlaying;
    const isOfAll = form === 'ask' && isBare && states.length === 1 && ofAll.has(states[0] ?? '');
    return isOfAll ? { ...query, content: anything } : query;
  };

  return {
    /** Null: the text is not a question, or asks about things in general: "what is a thermostat". */
    read(text: string): StateQuery | null {
      const said = readWords(inFull(text));
      const form = said.length > maxWords ? null : formOf(said);
      if (form === null) return null;
      const query = asMeasure(said, ofAnything(parseQuestion(said, form)));
      if (isOfDoes(said) && (query.measure === null || query.range === null)) return null;
      const isGeneral =
        query.form === 'ask' && query.states.length === 0 && said.some(({ word }) => indefinite.has(word));
      return isGeneral || query.isNobody || asksWho(said, query) ? null : query;
    },
    /** "When did the garage door open": the state, for its age. Null: it asks for something else. */
    since(text: string): StateQuery | null {
      const said = readWords(inFull(text));
      const end = Math.max(0, ...sinceWhen.at(said, 0).map((each) => each.end));
      if (end === 0 || said.length > maxWords) return null;
      const query = parseQuestion(said.slice(end - 1), 'is');
      return query.states.length === 1 && query.content.length > 0 ? query : null;
    },
    /** Stems of a question about the past, which no state can answer: "was the door open last night". */
    past(text: string): ReadonlySet<string> | null {
      const said = readWords(text);
      return said.length <= maxWords && asksPast(said) ? parse(said, 'is').said : null;
    },
    /** A statement to test: "the bedroom is not above 23". Null: it has no state and no number. */
    condition(text: string): Statement | null {
      return statementIn(readWords(text));
    },
    /** One or several statements, all of which must be true. Empty: the text has none. */
    statements(text: string): readonly Statement[] {
      const said = readWords(text);
      return said.length > maxWords ? [] : (joinedIn(said) ?? []);
    },
    /** One statement per subject: "are the front door and the tv on". Empty: it has one subject. */
    sharing(text: string): readonly Statement[] {
      const said = readWords(text);
      const form = said.length > maxWords ? null : formOf(said);
      const whole = form === 'is' ? parseQuestion(said, form) : null;
      if (whole === null || whole.states.length === 0) return [];
      const subjects = groupsOf(said).map((words) => parse(words, 'is'));
      const isEach = subjects.length > 1 && subjects.every(({ content }) => content.length > 0);
      if (!isEach) return [];
      return subjects.map(({ content, said: own, text: words, plurals }) => ({
        query: { ...whole, content, said: own, text: words, plurals },
        isNegated: false,
      }));
    },
    /**
     * The statements of a compound question: "is the light on and the door locked". Empty: it has only one.
     */
    several(text: string): readonly Statement[] {
      const said = readWords(text);
      const all = said.length <= maxWords && formOf(said) === 'is' ? (joinedIn(said) ?? []) : [];
      return all.length > 1 ? all : [];
    },
  };
}

/** Splits words into statements about states. */
function createStatementReader(
  { words: data, readWords }: ReaderOptions,
  parse: ReturnType<typeof createQueryParser>,
) {
  const negations = new Set(data.condition.not);
  const also = phraseFinder(data.also, readWords);

  const statementIn = (said: readonly Word[]): Statement | null => {
    const query = parse(
      said.filter(({ word }) => !negations.has(word)),
      'is',
    );
    const isTestable = query.states.length > 0 || query.range !== null || query.isThere;
    return isTestable ? { query, isNegated: said.some(({ word }) => negations.has(word)) } : null;
  };

  /** Splits joined statements. Later ones may omit the subject. */
  const joinedIn = (said: readonly Word[], left = maxStatements): Statement[] | null => {
    for (let at = 1; left > 1 && at < said.length - 1; at += 1) {
      const end = Math.max(0, ...also.at(said, at).map((each) => each.end));
      const first = end > 0 ? statementIn(said.slice(0, at)) : null;
      const rest = first && joinedIn(said.slice(end), left - 1);
      if (rest) return [first, ...rest.map((each) => withSubject(each, first))];
    }
    const only = statementIn(said);
    return only && [only];
  };

  /** Splits words at joining words. */
  const groupsOf = (said: readonly Word[]): (readonly Word[])[] => {
    const at = said.findIndex((_, from) => from > 0 && also.at(said, from).length > 0);
    if (at < 0) return [said];
    const end = Math.max(...also.at(said, at).map((each) => each.end));
    return [said.slice(0, at), ...groupsOf(said.slice(end))];
  };

  return { statementIn, joinedIn, groupsOf };
}

/** Reads the query in a whole question, or in a condition such as "the light is on". */
function createQueryParser(options: ReaderOptions) {
  const { words: data, stems } = options;
  const [any, or] = [new Set(data.any), new Set(data.or)];
  const rooms = new Set(data.rooms.map(stems.stem));
  const anything = new Set(data.anything.map(stems.stem));
  const parts = createPartsReader(options);

  return (said: readonly Word[], form: StateQuery['form'], isOfHow = false): StateQuery => {
    const { found, bounds, rest } = parts(said, isOfHow);
    const has = (name: Tag['is']) => found.some((tag) => tag.is === name);
    const picked = found.find((tag) => tag.is === 'pick');
    const states = found.flatMap((tag) => (tag.is === 'state' ? [tag.value] : []));
    const stemsOf = (words: readonly Word[]) => words.map(({ word }) => stems.stem(word));
    const people = has('people') || has('nobody') ? [stems.stem(data.person)] : [];
    const isOfRooms = picked !== undefined || bounds.length > 0;
    const isMeasured = has('measure') || has('how');
    return {
      form: has('how_many') ? 'count' : form,
      said: new Set(stemsOf(said)),
      text: stemsOf(said).join(' '),
      content: [...new Set([...stemsOf(rest), ...people])].filter(
        (stem) => !(isOfRooms && rooms.has(stem)) && !(isMeasured && anything.has(stem)),
      ),
      plurals: new Set(stemsOf(rest.filter(({ word }) => stems.stem(word) !== word))),
      states: said.some(({ word }) => or.has(word)) ? states : states.slice(-1),
      measure: measureOf(found, bounds, data.usual_measure),
      range: rangeOf(found, bounds),
      pick: picked?.value ?? null,
      isAny: has('nobody') || said.some(({ word }) => any.has(word)),
      isNobody: has('nobody'),
      isThere: has('there'),
      isHere: has('here'),
      isOutside: has('outside'),
      isPlaying: has('playing'),
      asksState: has('asksState') || has('where'),
      isWhere: has('where'),
      isWhichRoom: has('whichRoom'),
    };
  };
}

/** Splits a question into known words and the words that describe entities. */
function createPartsReader({ words: data, readWords, numbers, stems }: ReaderOptions) {
  const tags = createPhraseFinder<Tag>(tagsOf(data), readWords);
  const playingOn = phraseFinder(data.playing_on, readWords);
  const players = new Set(
    Object.entries(data.kinds).flatMap(([kind, nouns]) =>
      kind.startsWith('media_player') ? nouns.flatMap(stems.wide) : [],
    ),
  );
  const [asks, hows, idle] = [new Set(data.asks), new Set(data.how), new Set(data.idle)];
  const [determiners, placing] = [new Set(data.determiners), new Set(data.placing)];
  const pronouns = new Set(data.condition.pronouns);

  /** "On" in "on the balcony" and "what is on it" is not a state. */
  const isPlacing = (said: readonly Word[], at: number) => {
    const next = said[at + 1]?.word ?? '';
    const isLast = at + 2 === said.length;
    return placing.has(said[at]?.word ?? '') && (determiners.has(next) || (isLast && pronouns.has(next)));
  };

  const tagAt = (
    said: readonly Word[],
    at: number,
    isOfHow: boolean,
  ): { end: number; found: Tag[] } | null => {
    const player = playingOn.at(said, at).find(({ end }) => players.has(stems.stem(said[end]?.word ?? '')));
    if (player) return { end: player.end, found: [{ is: 'playing' }] };
    const all = tags.at(said, at).filter(({ found }) => found.is !== 'state' || !isPlacing(said, at));
    const end = Math.max(0, ...all.map((each) => each.end));
    const found = all.filter((each) => each.end === end).map((each) => each.found);
    // "How warm" asks for the measure; "warm" alone is an opinion.
    const before = said[at - 1]?.word ?? '';
    const isHow = isOfHow || asks.has(before);
    // "How high" asks for the value, and does not test whether it is high.
    const isOfValue = isOfHow || hows.has(before);
    const kept = found.filter((each) => {
      if (each.is === 'range') return !isOfValue;
      return (each.is !== 'how' && each.is !== 'howOfState') || isHow;
    });
    const isConsumed = kept.length > 0 || found.some((each) => each.is === 'range');
    return isConsumed ? { end, found: kept } : null;
  };

  const isState = (tagged: ReturnType<typeof tagAt>) =>
    tagged !== null && tagged.found.length > 0 && tagged.found.every(({ is }) => is === 'state');
  /** "Is THE HEATING on": a state with an article is a thing, if another state follows. */
  const isThing = (said: readonly Word[], at: number, tagged: { end: number; found: Tag[] }): boolean =>
    isState(tagged) &&
    determiners.has(said[at - 1]?.word ?? '') &&
    said.some((_, later) => later >= tagged.end && isState(tagAt(said, later, false)));

  const isIdle = (word: string) => idle.has(word) || idle.has(stems.stem(word));
  const numberAt = (said: readonly Word[], from: number): number | null => {
    const at = from + said.slice(from).findIndex(({ word }) => !idle.has(word));
    const read = numbers.read(said, Math.max(from, at));
    return read && Number(read.value.top) / Number(read.value.bottom);
  };

  /** The bound that a comparison gives, with its number: "above 23". Null: no number follows. */
  const boundAt = (said: readonly Word[], end: number, found: readonly Tag[]): Bound | null => {
    const tag = found.find((each) => each.is === 'over' || each.is === 'under' || each.is === 'compare');
    const value = tag && numberAt(said, end);
    if (tag === undefined || value === undefined || value === null) return null;
    if (tag.is === 'compare') return { side: tag.value, value, measure: tag.measure };
    return { side: tag.is === 'over' ? 'over' : 'under', value, measure: null };
  };

  return (said: readonly Word[], isOfHow: boolean) => {
    const [found, bounds, rest]: [Tag[], Bound[], Word[]] = [[], [], []];
    for (let at = 0; at < said.length; ) {
      const word = said[at];
      const tagged = tagAt(said, at, isOfHow);
      if (tagged && isThing(said, at, tagged)) {
        rest.push(...said.slice(at, tagged.end));
      } else if (tagged) {
        found.push(...tagged.found);
        bounds.push(...[boundAt(said, tagged.end, tagged.found)].filter((each) => each !== null));
      } else if (word && !isIdle(word.word) && !(bounds.length > 0 && /^\d/.test(word.word))) {
        rest.push(word);
      }
      at = tagged?.end ?? at + 1;
    }
    return { found, bounds, rest };
  };
}

/** Reads how a question begins. */
function createFormReader(data: QueryWords, readWords: WordReader) {
  const [past, sinceWhen] = [phraseFinder(data.past, readWords), phraseFinder(data.since_when, readWords)];
  const was = new Set(data.was);
  const [lead, tells, is, asks] = [
    new Set(data.lead),
    new Set(data.tells),
    new Set(data.is),
    new Set(data.asks),
  ];
  const [determiners, checks, that] = [new Set(data.determiners), new Set(data.checks), new Set(data.that)];
  const [did, ifs] = [new Set(data.did), new Set(data.condition.if)];
  const [leaves, does] = [new Set(data.leaves), new Set(data.does)];

  /** "Does the front door need a new battery", but not "do you know whether it is low". */
  const isOfDoes = (said: readonly Word[]): boolean => {
    const first = said.find(({ word }) => !lead.has(word) || does.has(word))?.word ?? '';
    const verb = said.find(({ word }) => !lead.has(word))?.word ?? '';
    return does.has(first) && !is.has(verb) && !asks.has(verb);
  };

  /** The state after an action: "locked" for "did I lock". Empty: the sentence names it. Null: no action. */
  const doneIn = (said: readonly Word[]): { at: number; state: string; isOfAny: boolean } | null => {
    const at = said.findIndex(({ word }) => !lead.has(word));
    const asksDeed = said.slice(0, at).some(({ word }) => did.has(word));
    const verb = said[at]?.word ?? '';
    const state = data.done[verb];
    return asksDeed && state !== undefined ? { at, state, isOfAny: leaves.has(verb) } : null;
  };

  /** "Did close the garage" for "did the garage close". */
  const deedFirst = (said: readonly Word[]): readonly Word[] => {
    const at = said.findIndex(({ word }) => did.has(word));
    const verb = said.at(-1);
    const isLast = at >= 0 && determiners.has(said[at + 1]?.word ?? '') && data.done[verb?.word ?? ''];
    return isLast && verb ? [...said.slice(0, at + 1), verb, ...said.slice(at + 1, -1)] : said;
  };

  /** "If the door is open" alone begins a condition; "check if" and "check that the door is open" ask. */
  const asksWhether = (said: readonly Word[], at: number): boolean => {
    const first = said[at]?.word ?? '';
    if (that.has(first)) return checks.has(said[at - 1]?.word ?? '');
    return is.has(first) && (at > 0 || !ifs.has(first));
  };

  /** How the question begins. Null: it is not a question. */
  const formOf = (said: readonly Word[]): StateQuery['form'] | null => {
    const at = said.findIndex(({ word }) => !lead.has(word));
    const first = said[at]?.word ?? '';
    if (asksWhether(said, at) || doneIn(deedFirst(said))) return 'is';
    if (asks.has(first)) return 'ask';
    if (isOfDoes(said)) return 'is';
    const tellsOf = said.slice(0, at).some(({ word }) => tells.has(word));
    return tellsOf && determiners.has(first) && !is.has(first) ? 'ask' : null;
  };

  /** "Was the door open", "did the door open yesterday", "when did the door open". */
  const asksPast = (said: readonly Word[]): boolean => {
    const at = said.findIndex(({ word }) => !lead.has(word));
    const isPast = said.some((_, from) => past.at(said, from).length > 0);
    const isDid = said.slice(0, at).some(({ word }) => did.has(word));
    return was.has(said[at]?.word ?? '') || sinceWhen.at(said, 0).length > 0 || (isDid && isPast);
  };

  return { doneIn, deedFirst, formOf, asksPast, isOfDoes };
}

function phraseFinder(texts: readonly string[], readWords: WordReader) {
  return createPhraseFinder<null>(
    texts.map((text) => ({ text, stands: null })),
    readWords,
  );
}

function measureOf(
  found: readonly Tag[],
  bounds: readonly Bound[],
  usual: QueryWords['usual_measure'],
): string | null {
  const hasState = found.some(({ is }) => is === 'state');
  const named = found.flatMap((tag) => {
    if (tag.is === 'measure' || tag.is === 'how') return [tag.value];
    if (tag.is === 'howOfState') return hasState ? [tag.value] : [];
    return tag.is === 'pick' && tag.measure !== undefined ? [tag.measure] : [];
  });
  // "What temperature is it set to" names two measures.
  const target = named.find((each) => each === 'target');
  return target ?? named[0] ?? bounds[0]?.measure ?? (bounds.length > 0 ? usual : null);
}

function rangeOf(found: readonly Tag[], bounds: readonly Bound[]): StateQuery['range'] {
  const named = found.find((tag) => tag.is === 'range');
  if (bounds.length === 0) return named ? { over: named.value[0] - 1, under: named.value[1] + 1 } : null;
  const boundOf = (side: Bound['side']) => bounds.find((each) => each.side === side)?.value;
  return {
    over: boundOf('over') ?? Number.NEGATIVE_INFINITY,
    under: boundOf('under') ?? Number.POSITIVE_INFINITY,
  };
}

function withSubject(statement: Statement, { query: first }: Statement): Statement {
  const { query } = statement;
  if (query.content.length > 0 || query.measure !== null) return statement;
  const { content, said, text, plurals } = first;
  return { ...statement, query: { ...query, content, said, text, plurals } };
}

function tagsOf(data: QueryWords): { text: string; stands: Tag }[] {
  const all = (texts: readonly string[], stands: Tag) => texts.map((text) => ({ text, stands }));
  const spoken = new Set(Object.values(data.states).flatMap((states) => Object.values(states).flat()));
  return [
    ...[...spoken].flatMap((value) => all([value], { is: 'state', value })),
    ...Object.entries(data.ranges).flatMap(([text, value]) => all([text], { is: 'range', value })),
    ...Object.entries(data.measures).flatMap(([measure, { said, how, how_of_state, warmer, ranges }]) => [
      ...all([...said, ...Object.keys(ranges)], { is: 'measure', value: measure }),
      ...Object.entries(ranges).flatMap(([text, value]) => all([text], { is: 'range', value })),
      ...all(how, { is: 'how', value: measure }),
      ...all(how_of_state, { is: 'howOfState', value: measure }),
      ...all(warmer?.more ?? [], { is: 'compare', value: 'over', measure }),
      ...all(warmer?.less ?? [], { is: 'compare', value: 'under', measure }),
      ...all(warmer?.most ?? [], { is: 'pick', value: 'most', measure }),
      ...all(warmer?.least ?? [], { is: 'pick', value: 'least', measure }),
    ]),
    ...all(data.more_than, { is: 'over' }),
    ...all(data.less_than, { is: 'under' }),
    ...all(data.most, { is: 'pick', value: 'most' }),
    ...all(data.least, { is: 'pick', value: 'least' }),
    ...all(data.average, { is: 'pick', value: 'average' }),
    ...all(data.sum, { is: 'pick', value: 'sum' }),
    ...all(data.here, { is: 'here' }),
    ...all(data.outside, { is: 'outside' }),
    ...all(data.how_many, { is: 'how_many' }),
    ...all(data.people, { is: 'people' }),
    ...all(data.nobody, { is: 'nobody' }),
    ...all(data.there, { is: 'there' }),
    ...all(data.where, { is: 'where' }),
    ...all(data.which_rooms, { is: 'whichRoom' }),
    ...all(data.states_asked, { is: 'asksState' }),
    ...all(data.playing_asked, { is: 'playing' }),
  ];
}
