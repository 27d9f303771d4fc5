import type { ActionNotes } from '../../actions/action-notes.ts';
import { actionId } from '../../actions/action-store.ts';
import type { LastCommand } from '../../actions/last-command.ts';
import type { HomeAnswer } from '../../engines/home-answer.ts';
import type { HomeClient, HomeSentence } from '../../engines/home-client.ts';
import type { Reading } from '../../engines/home-dry-run.ts';
import { HomeError, recovering } from '../../engines/home-fault.ts';
import { domainOf } from '../../engines/home-templates.ts';
import { fill, joined } from '../../language/phrase.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { createAbilities } from './abilities.ts';
import { createDegreeLimits } from './degree-limits.ts';
import type { HomeAction } from './home-records.ts';
import type { HomeReports, SayHome } from './home-reports.ts';
import { denial, type HomeAsk, type HomeResult, no } from './home-result.ts';
import type { SentenceFor } from './home-sentence.ts';
import {
  awaitStates,
  isOffHeating,
  isSetTo,
  isTold,
  reportedSetting,
  type Stand,
  standingOf,
} from './home-states.ts';
import { actionOf, type Seen } from './home-undo.ts';
import type { House } from './house.ts';
import type { MissingValue } from './missing-value.ts';
import { createObey, maxTold } from './obey.ts';
import { isSweeping } from './opens-up.ts';
import type { AskWhichRoom } from './same-name.ts';
import { createTargetResolver, type Order, type Resolution } from './target-resolver.ts';
import type { ThingIndex } from './thing-index.ts';
import { type HomeWords, type Kind, kindOfDomain } from './understand/home-words.ts';
import { isIntended } from './understand/intended.ts';
import type { PassedCommand } from './understand/passing.ts';
import type { HouseCommand, HouseSentence, UnderstoodCommand } from './understand/understood.ts';
import { refusalOfUnknown } from './unknown-command.ts';
import type { WhichThing } from './which-thing.ts';

interface HomeCommandsOptions {
  client: Pick<
    HomeClient,
    | 'say'
    | 'act'
    | 'states'
    | 'state'
    | 'changed'
    | 'readings'
    | 'light'
    | 'setting'
    | 'volume'
    | 'exposed'
    | 'mayShowColor'
    | 'colorTemperature'
    | 'mayHaveFeature'
  >;
  house: Pick<House, 'mayHave' | 'thingsIn' | 'thingsOf' | 'roomOf' | 'nameOf' | 'classOf'>;
  index: Pick<ThingIndex, 'find' | 'inPlace'>;
  /**
   * Whether the house reports the state of a thing with this name, although none of this name accepts
   * commands.
   */
  tellsOf: (name: string, ask: Pick<HomeAsk, 'signal'>) => Promise<boolean>;
  words: HomeWords;
  sentenceFor: SentenceFor;
  reply: SayHome;
  reports: HomeReports;
  alike: AskWhichRoom;
  which: Pick<WhichThing, 'ask' | 'confirm' | 'offerHeating'>;
  missing: Pick<MissingValue, 'ask' | 'askFor'>;
  notes: Pick<ActionNotes<HomeAction>, 'note'>;
  last: Pick<LastCommand, 'note'>;
  pendingQuestions: Pick<HouseholdQuestions, 'note'>;
  onFailure: (error: HomeError) => void;
}

export type HomeCommands = ReturnType<typeof createHomeCommands>;

/** Home Assistant calls them "the switch" and "the media player". "The lights" of a room need no names. */
const namedKinds: readonly Kind[] = ['power', 'media', 'machine'];

interface Intended {
  text: string;
  reading: Reading;
}

/**
 * Commands to the house. Home Assistant guesses if it does not understand: it drops a word, or turns up the
 * volume. So Hearth first asks how it would read a command. Hearth sends only a command that makes the spoken
 * change, to the named entities and nothing else.
 */
export function createHomeCommands(options: HomeCommandsOptions) {
  const { client, house, words, sentenceFor, reply, reports, alike, which, notes, last, pendingQuestions } =
    options;

  /** The words that "it" refers to afterwards: the target, or the things of a command without a target. */
  const referentOf = ({ target }: Deed, things: HomeAnswer['succeeded']): string =>
    target === '' && things.length <= maxTold
      ? joined(
          things.map(({ name }) => name),
          words,
        )
      : target;

  const anyway = createDoneAnyway(options);
  const noteDone = async (
    command: Deed,
    { things, ...seen }: Pick<Seen, 'before' | 'stands' | 'ok'> & { things: HomeAnswer['succeeded'] },
    ask: HomeAsk,
  ) => {
    const { id, createdAt: at, conversation } = ask.turn;
    const { text, intent } = command;
    const action = actionOf({ text, intent, ...seen });
    await Promise.all([
      action && notes.note({ turn: actionId(id, text), at, ...action }, conversation),
      last.note(conversation, {
        turn: id,
        target: referentOf(command, things),
        elsewhere: command.elsewhere ?? '',
        text,
        things: [...things],
      }),
    ]);
  };

  const refusalOf = (command: UnderstoodCommand, { turn }: Pick<HomeAsk, 'turn'>) =>
    refusalOfUnknown(command, { room: sentenceFor.roomOf(turn), mayHave: house.mayHave });
  /** The reply if no player is in the place or in the speaker's room. Null: the words are for no player. */
  const noPlayerFor = (
    { target, kinds, place }: Pick<HouseSentence, 'target' | 'kinds' | 'place'>,
    { turn }: Pick<HomeAsk, 'turn'>,
  ): HomeResult | null => {
    const where = place || sentenceFor.roomOf(turn);
    const isOfSound = target === '' && kinds.length === 1 && kinds[0] === 'media';
    if (!isOfSound || where === null || !house.mayHave(['media'], null)) return null;
    return house.mayHave(['media'], where) ? null : denial(reply('no_player_here', { room: where }, turn));
  };
  const unknown = async (
    command: UnderstoodCommand,
    { turn, signal }: Pick<HomeAsk, 'turn' | 'signal'>,
  ): Promise<HomeResult | null> => {
    if (command.intent === 'clean' && command.place !== '' && house.mayHave(['machine'], null))
      return denial(reply('no_rooms', {}, turn));
    const noPlayer = noPlayerFor(command, { turn });
    if (noPlayer) return noPlayer;
    const refusal = refusalOf(command, { turn });
    const { target, bare } = command;
    // "I do not know any study window" is untrue if a sensor reports it.
    const isTold =
      bare !== '' && refusal?.values['bare'] !== undefined && (await options.tellsOf(bare, { signal }));
    if (isTold) return denial(reply('not_possible', { target }, turn));
    return refusal && denial(reply(refusal.reply, refusal.values, turn));
  };

  const intended = createIntended(options);
  const resolve = createTargetResolver(options);
  const outOfLimits = createDegreeLimits(options);
  const ableOf = createAbilities(options);
  const allIntended = (command: UnderstoodCommand, ask: HomeAsk) =>
    Promise.all(partsOf(command).map((each) => intended(each, ask)));

  const standsAfter = createStandsAfter(options);
  const sayAll = createSayAll(options);
  const obey = createObey(options);

  /** `done`: null if the states are unreadable. */
  const resultOf = (
    answer: HomeAnswer,
    done: Parameters<HomeReports['done']>[1] | null,
    turn: { id: string },
  ): HomeResult => {
    // "I cannot tell whether it worked" needs no addition.
    if (!done) return no(reply('unsure', {}, turn));
    const result = reports.done(answer, done, turn);
    if (answer.kind === 'done') return result;
    return no(`${result.text.replace(/[^.!?]$/, '$&.')} ${reply('broke', {}, turn)}`);
  };

  const finish = async (
    command: Deed,
    { answer, orders }: { answer: HomeAnswer; orders: readonly Order[] },
    before: Seen['before'],
    ask: HomeAsk,
  ): Promise<HomeResult | null> => {
    const { turn, signal } = ask;
    if (answer.asksBack) await pendingQuestions.note(turn, { kind: 'home.asked' });
    if (answer.kind === 'unknown') return null;
    if (answer.kind === 'told') return { ok: true, text: answer.speech || reply('ok', {}, turn) };
    if (answer.kind === 'failed' && answer.succeeded.length === 0) return no(reply('broke', {}, turn));
    const { intent, setTo } = command;
    const entities = answer.succeeded;
    const values = valuesSet(command, orders, entities);
    const stands = await standsAfter({ intent, entities, before, values, signal });
    const told = resultOf(answer, stands && { intent, before, stands, setTo }, turn);
    const result = { ...told, about: answer.succeeded };
    await noteDone(command, { ok: result.ok, before, stands, things: answer.succeeded }, ask);
    return setTo !== null && areOffHeatings(stands)
      ? await which.offerHeating(answer.succeeded, ask)
      : result;
  };

  /** "Turned on Smart plug." for Home Assistant's "Turned on the switch." Null: its words say enough. */
  const namedIn = ({ speech, succeeded }: HomeAnswer, intent: string): string | null => {
    const phrase = words.told[intent];
    const isSaid = succeeded.some(({ name }) => speech.toLowerCase().includes(name.toLowerCase()));
    const areNamed = succeeded.every(({ id }) => namedKinds.includes(kindOfDomain[domainOf(id)] ?? 'power'));
    const areFew = succeeded.length > 0 && succeeded.length <= maxTold;
    return phrase !== undefined && areNamed && areFew && !isSaid
      ? fill(phrase, { things: reports.named(succeeded) })
      : null;
  };

  const carryOut = async (
    command: Deed,
    { texts, device, orders, confirmation, targets, unable }: Plan,
    before: Seen['before'],
    ask: HomeAsk,
  ): Promise<HomeResult | null> => {
    await ask.beginActing();
    const answers = [
      ...(texts.length > 0 ? [await sayAll(texts, device, ask)] : []),
      ...(orders.length > 0 ? [await obey(command.intent, orders, ask)] : []),
    ];
    const answer = await anyway(command, { answer: together(answers), before, targets }, ask);
    const told = toldAs(answer, confirmation ?? namedIn(answer, command.intent));
    const result = await finish(command, { answer: told, orders }, before, ask);
    return result && unable !== null ? withUnable(result, unable, ask.turn) : result;
  };

  /** "Brightness set to 40 percent. But Desk lamp cannot be dimmed." */
  const withUnable = ({ ok, text }: HomeResult, problem: string, turn: { id: string }): HomeResult => {
    const some = { text: text.replace(/[.!]+$/, ''), problem };
    return { ok: false, text: ok ? reply('did_some', some, turn) : `${text} ${problem}` };
  };

  const planOfPart = async (
    part: UnderstoodCommand,
    found: Intended | null | undefined,
    ask: HomeAsk,
  ): Promise<Plan | null> => {
    const isBareHeat = part.intent === 'set' && part.target === '' && isOfHeat(part);
    const known = isBareHeat || found ? await resolve(part, ask) : null;
    if (known && (isBareHeat || isCloser(known, part, found))) return { ...noPlan, ...known };
    if (found) return { ...noPlan, texts: [found.text], targets: found.reading.targets };
    const resolution = await resolve(part, ask);
    return resolution && { ...noPlan, ...resolution };
  };

  /**
   * Each part as its own command, or by the entities that it resolves to. Null: a part names nothing known.
   */
  const planOf = async (
    command: UnderstoodCommand,
    found: readonly (Intended | null)[],
    ask: HomeAsk,
  ): Promise<Plan | null> => {
    const parts = await Promise.all(
      partsOf(command).map(async (part, at): Promise<Plan | null> => {
        const plan = await planOfPart(part, found[at], ask);
        const able = plan && (await ableOf(part, { ids: idsOf(plan), orders: plan.orders }, ask));
        if (!able) return plan;
        return 'unable' in able ? { ...noPlan, unable: able.unable } : { ...noPlan, ...able };
      }),
    );
    const known = parts.filter((part) => part !== null);
    return known.length < parts.length ? null : asOnePlan(known);
  };

  const carryOutPlan = async (
    command: UnderstoodCommand,
    found: readonly (Intended | null)[],
    before: Seen['before'],
    ask: HomeAsk,
  ): Promise<HomeResult | null> => {
    const plan = await planOf(command, found, ask);
    const refused = plan && refusalIn(plan);
    if (plan === null || refused) return refused;
    if (plan.choices.length > 0) return await which.ask(command.text, plan.choices, ask);
    if (plan.heatingsOff.length > 0) return await which.offerHeating(plan.heatingsOff, ask);
    const ids = idsOf(plan);
    if (!ask.asksNothing && isSweeping(command, ids, house.classOf))
      return await which.confirm(command.text, house.thingsOf(ids), ask);
    const outside = await outOfLimits(command, ids, ask);
    if (outside === null) return await carryOut(command, plan, before, ask);
    if ('refusal' in outside) return no(outside.refusal);
    const { order, value, confirmation } = outside;
    return await carryOut(
      { ...command, setTo: value },
      { ...noPlan, orders: [order], confirmation },
      before,
      ask,
    );
  };

  /** Asks for what a command lacks, unless it names nothing that has it. */
  const askBack = async (
    { asks, lacking }: Extract<HouseCommand, { kind: 'unclear' }>,
    ask: HomeAsk,
  ): Promise<HomeResult | null> => {
    if (lacking === null) return no(reply(asks, {}, ask.turn));
    const { example, text } = lacking;
    if (example === null) return await options.missing.askFor(text, reply(asks, {}, ask.turn), ask);
    const plan = await planOf(example, await allIntended(example, ask), ask);
    if (plan === null) return (await alike(example, ask)) ?? (await unknown(example, ask));
    const ids = [...idsOf(plan), ...plan.choices.map(({ id }) => id)];
    return refusalIn(plan) ?? (await options.missing.ask(text, ids, ask));
  };

  return {
    /** Makes exactly the change that a command names. Null: another responder may handle it. */
    async act(command: HouseCommand, ask: HomeAsk): Promise<HomeResult | null> {
      if (command.kind === 'unclear') return await askBack(command, ask);
      const [found, before] = await Promise.all([allIntended(command, ask), client.states(ask.signal)]);
      const missing = partsOf(command).find((_, at) => found[at] === null);
      const done = await carryOutPlan(command, found, before, ask);
      if (missing) return done ?? (await alike(missing, ask)) ?? unknown(missing, ask);
      // Home Assistant finds no players in a room where none plays, but they resolve.
      const nothingFound = found.map(() => null);
      return done ?? (await carryOutPlan(command, nothingFound, before, ask)) ?? unknown(command, ask);
    },
    /** Sends a command as it was read. */
    async pass({ intent, text, kinds, setTo, passed }: PassedCommand, ask: HomeAsk): Promise<HomeResult> {
      const plan = { ...noPlan, texts: [passed.text], device: passed.device };
      const deed = { ...noDeed, intent, text, setTo };
      const done = await carryOut(deed, plan, await client.states(ask.signal), ask);
      const noPlayer = noPlayerFor({ target: '', kinds, place: '' }, ask);
      return done ?? noPlayer ?? no(reply('broke', {}, ask.turn));
    },
    /** Forwards an answer to Home Assistant's question, if a sentence of the household matches it. */
    async goOn(ask: HomeAsk): Promise<HomeResult | null> {
      const { text } = ask.turn;
      const [[reading], before] = await Promise.all([
        client.readings([text], ask.signal),
        client.states(ask.signal),
      ]);
      if (!reading?.isOwn) return null;
      const plan = { ...noPlan, texts: [text], targets: reading.targets };
      return await carryOut({ ...noDeed, text }, plan, before, ask);
    },
    /** Home Assistant's readings of each part that would be sent. A dry run. */
    async foreseen(
      command: HouseCommand,
      ask: HomeAsk,
    ): Promise<Pick<Reading, 'intent' | 'isOwn' | 'targets'>[]> {
      if (command.kind === 'unclear') return [];
      const found = await allIntended(command, ask);
      const readings = found.flatMap((each) => each?.reading ?? []);
      if (readings.length === found.length) return readings;
      const orders = (await planOf(command, found, ask))?.orders ?? [];
      return [...readings, ...orders.map(({ thing }) => ({ intent: '', isOwn: false, targets: [thing.id] }))];
    },
  };
}

/** The parts of a command that its reply and its record need. */
type Deed = { intent: string } & Pick<UnderstoodCommand, 'text' | 'target' | 'elsewhere' | 'setTo'>;

const noDeed: Deed = { intent: 'anything', text: '', target: '', elsewhere: null, setTo: null };

/** The sentences and service calls for a command. */
interface Plan {
  texts: readonly string[];
  /** A device in the room in which the sentences count as spoken. Null: the room does not matter. */
  device: string | null;
  orders: readonly Order[];
  /** The entities that the sentences affect. */
  targets: readonly string[];
  /** The reply; null: the usual one. */
  confirmation: string | null;
  refusal: HomeResult | null;
  /** Why some of the named things are left out. Null: none is. */
  unable: string | null;
  /** Some of the things are off and stay so. */
  isIdle: boolean;
  /** The entities among which the person must choose. */
  choices: Resolution['choices'];
  heatingsOff: Resolution['heatingsOff'];
}

const noPlan: Plan = {
  texts: [],
  device: null,
  orders: [],
  targets: [],
  confirmation: null,
  refusal: null,
  unable: null,
  isIdle: false,
  choices: [],
  heatingsOff: [],
};

/** Why nothing can be done. Null: something can. */
function refusalIn(plan: Plan): HomeResult | null {
  const { refusal, unable } = plan;
  return refusal ?? (unable !== null && idsOf(plan).length === 0 ? denial(unable) : null);
}

/** The plans for the parts of a command as one. */
function asOnePlan(parts: readonly Plan[]): Plan {
  const ready = parts.filter(({ unable }) => unable === null);
  // Lights that are off are not worth a word, if others are dimmed.
  const left = ready.length > 0 ? parts.filter(({ isIdle }) => !isIdle) : parts;
  const unable = [...new Set(left.flatMap((part) => part.unable ?? []))];
  return {
    ...noPlan,
    texts: parts.flatMap(({ texts }) => texts),
    orders: parts.flatMap(({ orders }) => orders),
    targets: parts.flatMap(({ targets }) => targets),
    confirmation: ready.length === 1 ? (ready[0]?.confirmation ?? null) : null,
    refusal: parts.find(({ refusal }) => refusal !== null)?.refusal ?? null,
    unable: unable.length === 0 ? null : unable.join(' '),
    choices: parts.find(({ choices }) => choices.length > 0)?.choices ?? [],
    heatingsOff: parts.find(({ heatingsOff }) => heatingsOff.length > 0)?.heatingsOff ?? [],
  };
}

/** The entities that a plan affects. */
const idsOf = ({ targets, orders }: Plan): readonly string[] => [
  ...targets,
  ...orders.map(({ thing }) => thing.id),
];

const areOffHeatings = (stands: readonly Stand[] | null): boolean =>
  stands !== null && stands.length > 0 && stands.every(isOffHeating);

/** The number that each entity was set to, by id. */
function valuesSet(
  { setTo }: Deed,
  orders: readonly Order[],
  entities: HomeAnswer['succeeded'],
): ReadonlyMap<string, number> {
  const said = setTo === null ? [] : entities.map(({ id }) => [id, setTo] as const);
  const ordered = orders.flatMap(({ thing, value }) => (value === null ? [] : [[thing.id, value] as const]));
  return new Map([...said, ...ordered]);
}

/** The answer in our own words, if we have some and something was done. */
function toldAs(answer: HomeAnswer, text: string | null): HomeAnswer {
  const isDone = answer.kind === 'done' || (answer.kind === 'failed' && answer.succeeded.length > 0);
  return text === null || !isDone ? answer : { ...answer, speech: text };
}

function createStandsAfter({ client, onFailure }: Pick<HomeCommandsOptions, 'client' | 'onFailure'>) {
  /** Null: the states are unreadable, so the outcome is unknown. */
  return (awaited: Parameters<typeof awaitStates>[1]): Promise<Stand[] | null> =>
    recovering(
      () => awaitStates(client, awaited),
      (fault) => {
        onFailure(fault);
        return null;
      },
    );
}

/** The answer of Home Assistant, and the entities that it would change. */
interface Answered {
  answer: HomeAnswer;
  before: Seen['before'];
  targets: readonly string[];
}

function createDoneAnyway({
  client,
  house,
  onFailure,
}: Pick<HomeCommandsOptions, 'client' | 'house' | 'onFailure'>) {
  const isDone = async (
    id: string,
    { intent, setTo }: Deed,
    before: string | undefined,
    signal: AbortSignal,
  ) => {
    if (setTo !== null) return isSetTo(setTo, await reportedSetting(client, id, signal));
    const state = await client.state(id, signal);
    return isTold(intent, id) && state !== before && standingOf(intent, { id, state, before }) === 'there';
  };
  /** Home Assistant may act and then fail on its own answer. The entities' states then prove the action. */
  return async (
    command: Deed,
    { answer, before, targets }: Answered,
    { signal }: HomeAsk,
  ): Promise<HomeAnswer> => {
    if (answer.kind !== 'failed' || answer.succeeded.length > 0 || targets.length === 0) return answer;
    try {
      const done = await Promise.all(targets.map((id) => isDone(id, command, before[id], signal)));
      const succeeded = targets.map((id) => ({ id, name: house.nameOf(id) ?? id }));
      return done.every(Boolean) ? { ...answer, kind: 'done', speech: '', succeeded } : answer;
    } catch (error) {
      if (!(error instanceof HomeError)) throw error;
      onFailure(error);
      return answer;
    }
  };
}

function createSayAll({
  client,
  sentenceFor,
  onFailure,
}: Pick<HomeCommandsOptions, 'client' | 'sentenceFor' | 'onFailure'>) {
  /** After the first of several commands, an error is the failure of one command. The others may have run. */
  const sayNext = async (sentence: HomeSentence, isLater: boolean): Promise<HomeAnswer> => {
    try {
      return await client.say(sentence);
    } catch (error) {
      if (!(error instanceof HomeError) || !isLater) throw error;
      onFailure(error);
      return { ...nothingSaid, kind: 'failed' };
    }
  };
  /** The answers to sentences that are sent one after the other. */
  return async (texts: readonly string[], device: string | null, ask: HomeAsk): Promise<HomeAnswer> => {
    const answers: HomeAnswer[] = [];
    for (const text of texts) answers.push(await sayNext(sentenceFor(text, ask, device), answers.length > 0));
    return together(answers);
  };
}

function createIntended({ client, sentenceFor }: Pick<HomeCommandsOptions, 'client' | 'sentenceFor'>) {
  /** The first wording of a command with which Home Assistant would make the spoken change. Null: none. */
  return async (command: UnderstoodCommand, { turn, signal }: HomeAsk): Promise<Intended | null> => {
    if (command.reach.by !== 'words') return null;
    const ways = sentenceFor.inRoom(command.reach.ways, turn);
    if (ways.length === 0) return null;
    const readings = await client.readings(ways, signal);
    const found = ways.map((text, at) => ({ text, reading: readings[at] ?? null }));
    return found.find((each): each is Intended => isIntended(each.reading, command)) ?? null;
  };
}

/** If a light is called a lamp, Home Assistant may read "the lamp" as all lights. */
function isCloser(
  { orders }: Resolution,
  { head }: UnderstoodCommand,
  each: Intended | null | undefined,
): boolean {
  const [order, ...others] = orders;
  const isOne = order !== undefined && others.length === 0 && (each?.reading.targets.length ?? 0) > 1;
  return (
    isOne &&
    domainOf(order.thing.id) === 'light' &&
    order.thing.name.toLowerCase().includes(head.toLowerCase())
  );
}

/** "Set the temperature to 20" means the existing thermostat, so that its limits apply. */
const isOfHeat = ({ kinds }: UnderstoodCommand) => kinds.length === 1 && kinds[0] === 'climate';

/** One sentence may be sent as several: "the lamp and the fan". */
const partsOf = (command: UnderstoodCommand): readonly UnderstoodCommand[] =>
  command.reach.by === 'parts' ? command.reach.parts.flatMap(partsOf) : [command];

/** The answers to one command for several things as one: it failed if any part did. */
function together(answers: readonly HomeAnswer[]): HomeAnswer {
  const [first, ...more] = answers;
  if (!first || more.length === 0) return first ?? nothingSaid;
  const fine = answers.filter(({ kind }) => kind === 'done' || kind === 'told');
  const fault = answers.find(({ kind }) => kind === 'failed' || kind === 'unknown');
  return {
    kind: fault ? 'failed' : first.kind,
    // Home Assistant repeats its answer for each of two lamps.
    speech: [...new Set((fine.length > 0 ? fine : answers).map(({ speech }) => speech))].join('. '),
    succeeded: answers.flatMap(({ succeeded }) => succeeded),
    failed: answers.flatMap(({ failed }) => failed),
    asksBack: answers.some(({ asksBack }) => asksBack),
  };
}

const nothingSaid: HomeAnswer = { kind: 'unknown', speech: '', succeeded: [], failed: [], asksBack: false };
