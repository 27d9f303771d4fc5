import type { ActionNotes } from '../../actions/action-notes.ts';
import { actionId } from '../../actions/action-store.ts';
import type { LastCommand } from '../../actions/last-command.ts';
import type { Entity, HomeAnswer } from '../../engines/home-answer.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import type { Reading } from '../../engines/home-dry-run.ts';
import { type HomeError, type HomeFailure, recovering } from '../../engines/home-fault.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { Say } from '../../language/phrases.ts';
import { withDryRun } from '../core/dry-run.ts';
import { type Answer, aside, plainAnswer, type Question } from '../core/responder.ts';
import { lightsWith } from './abilities.ts';
import type { HomeAction } from './home-records.ts';
import type { HomeReports } from './home-reports.ts';
import type { HomeAsk, HomeResult } from './home-result.ts';
import { homeConversationOf } from './home-sentence.ts';
import { awaitStates, type StatesClient } from './home-states.ts';
import { actionOf, type Seen } from './home-undo.ts';
import type { HomeWording, Wording } from './home-wording.ts';
import type { House } from './house.ts';
import type { Obey } from './obey.ts';
import { mayOpenUp, shutting } from './opens-up.ts';
import type { OwnAnswer, OwnCommand, OwnCommands, OwnSentence } from './own-commands.ts';
import type { PlannedHouse } from './planned-house.ts';
import { changeIn, valueIn } from './understand/intended.ts';

/** Intents that Hearth answers itself, or that answer nothing about the house. */
const notOfHouse = /(?:Timer|List\w*Item|CurrentTime|CurrentDate|Nevermind|Respond|Broadcast)/;

/** The sentence for each kind of failure. After `home_timeout`, the command may have run. */
const failureOf = {
  unreachable: 'home_unreachable',
  lost: 'home_timeout',
  slow: 'home_timeout',
  late: 'home_unavailable',
  starting: 'home_starting',
  refused: 'home_refused',
  banned: 'home_banned',
  missing: 'home_unreachable',
  broken: 'home_unavailable',
} as const satisfies Record<HomeFailure, string>;

interface HomeInWordsOptions {
  client: Pick<HomeClient, 'readings' | 'say' | 'mayHaveFeature'> & StatesClient;
  house: Pick<House, 'deviceIn' | 'classOf' | 'thingsOf'>;
  /** Our own sentences about the house; null: the language has none. */
  own: LanguageOfHome | null;
  report: HomeReports['done'];
  notes: Pick<ActionNotes<HomeAction>, 'note'>;
  last: LastCommand;
  /** Whether a text is a command to a house. */
  isCommand: (text: string) => boolean;
  say: Say;
  onFailure: (error: HomeError) => void;
}

/** The sentences of a language about the house, and their replies. */
export interface LanguageOfHome {
  wording: HomeWording;
  commands: OwnCommands;
  obey: Obey;
  /** Asks to name one of several things. */
  severalThings: (things: readonly Entity[], turn: { id: string }) => string;
  /** Answers a question about states. */
  describe: (answer: OwnAnswer, turn: { id: string }) => string;
}

/** A sentence that the house understands, and the device in whose room it was said. */
interface Order {
  text: string;
  /** The only thing that it is for. Null: the things in the sentence. */
  thing: Entity | null;
  reading: Reading;
  device: string | null;
}

/** Sentences in Home Assistant's words, one for each thing. */
interface InOtherWords {
  orders: Orders;
  /** The things among which the person must choose first. */
  choices: readonly Entity[];
}

/** A sentence in Home Assistant's words, or in ours. */
type Understood = InOtherWords | { said: readonly OwnSentence[] };

export type HomeInWords = ReturnType<typeof createHomeInWords>;

/**
 * The house in a language for which we have no grammar of the house. Sends the sentence unchanged, if Home
 * Assistant matches it word for word. Otherwise it uses our own sentences, or rewords it for Home
 * Assistant. Repeats an answer only if the states confirm it.
 */
export function createHomeInWords(options: HomeInWordsOptions) {
  const { house, own, last, isCommand, say, onFailure } = options;
  const { asSaid, inOtherWords, carryOut } = createSentences(options);
  const answerOwn = createOwnAnswers(options);

  /** Null: the house understands nothing, or another responder answers. */
  const understand = async (question: HomeAsk): Promise<Understood | null> => {
    const order = await asSaid(question);
    const dimming = own && order && (await dimmingOf(order, options, question));
    if (dimming) return { said: [dimming] };
    const said = order && !isForNothing(order) ? null : own?.commands.read(question.turn);
    if (said) return { said };
    const found = order ? { orders: [order] as const, choices: [] } : await inOtherWords(question);
    return found?.orders.some(({ reading }) => notOfHouse.test(reading.intent)) ? null : found;
  };
  const onlyReads = (found: Understood): boolean =>
    'said' in found
      ? own?.commands.asks(found.said) === true
      : found.orders.every(({ reading }) => reading.onlyReads);
  const answer = async (
    found: Understood,
    ask: HomeAsk,
    elsewhere = ask.turn.text,
  ): Promise<HomeResult | null> => {
    // Doubtful words must not act: the next responder asks back.
    if (!ask.turn.isSure && !onlyReads(found)) return null;
    if ('said' in found) return await answerOwn(found.said, ask, elsewhere);
    const { orders, choices } = found;
    if (own && choices.length > 0) return failed(own.severalThings(choices, ask.turn));
    return await carryOut(orders, ask);
  };
  const answerTo = async (ask: HomeAsk): Promise<HomeResult | null> => {
    const found = await understand(ask);
    return found && (await answer(found, ask));
  };
  /** A later command cannot refer to the last one: another may come before it is due. */
  const answerReferring = async (ask: HomeAsk): Promise<HomeResult | null> => {
    const before = own && (await last.read(ask.turn.conversation));
    if (!own || !before) return null;
    const ids = before.things.map(({ id }) => id);
    const said = own.commands.readReferring(ask.turn, ids);
    if (said) return await answer({ said: [said] }, ask);
    const [first, ...others] = own.commands.read({ ...ask.turn, text: before.elsewhere }) ?? [];
    const there = first && others.length === 0 ? own.commands.readElsewhere(ask.turn, first) : null;
    return there && (await answer({ said: [there] }, ask, before.elsewhere));
  };

  const withText = (text: string, ask: HomeAsk): HomeAsk => ({ ...ask, turn: { ...ask.turn, text } });
  /** Also null if Home Assistant fails. */
  const understoodIn = (text: string, ask: HomeAsk): Promise<Understood | null> =>
    recovering(
      () => understand(withText(text, ask)),
      (error) => {
        onFailure(error);
        return null;
      },
    );
  const run = (text: string, ask: HomeAsk): Promise<HomeResult | null> =>
    recovering(
      () => answerTo(withText(text, ask)),
      (error) => {
        onFailure(error);
        return failed(say.failure(failureOf[error.failure]));
      },
    );
  const planned: PlannedHouse = {
    async kindOf(text, ask) {
      const found = await understoodIn(text, ask);
      return found && (onlyReads(found) ? 'question' : 'command');
    },
    async commandsIn(text, ask) {
      const found = await understoodIn(text, ask);
      if (!found || onlyReads(found)) return null;
      // Only our own sentences define an opposite for each entity.
      const said = own?.commands.read(withText(text, ask).turn) ?? [];
      const known = said.flatMap(({ intent, things }) =>
        things.map(({ name }) => ({ text, intent, target: name })),
      );
      return known.length > 0 ? known : [{ text, intent: '', target: '' }];
    },
    run,
    runSaid: run,
    async opensUp(text, ask) {
      const found = await understoodIn(text, ask);
      return found === null || opens(found, house);
    },
  };

  const responder = withDryRun({
    name: 'home',
    respond: (question) =>
      recovering(
        async () => answerFrom((await answerTo(question)) ?? (await answerReferring(question)), question),
        (error) => {
          onFailure(error);
          // Only a plain command waits for the house. Any other sentence may be for another responder.
          if (!isCommand(question.turn.text) && !own?.commands.read(question.turn)) return null;
          return answerFrom(failed(say.failure(failureOf[error.failure])), question);
        },
      ),
  });
  return { responder, planned };
}

function answerFrom(result: HomeResult | null, { say }: Question): Answer | null {
  if (result === null) return null;
  say(result.text);
  return plainAnswer(result.text, aside(result.text));
}

function opens(found: Understood, { classOf }: Pick<House, 'classOf'>): boolean {
  const shuts = ({ targets, ...reading }: Reading) =>
    targets.length > 0 && targets.every((id) => shutting.has(changeIn(domainOf(id), reading) ?? ''));
  if (!('said' in found))
    return found.orders.some(({ reading }) => !shuts(reading) && mayOpenUp(reading, classOf));
  return found.said.some(({ intent, things }) => {
    const targets = things.map(({ id }) => id);
    return !shutting.has(intent) && mayOpenUp({ intent, isOwn: false, targets }, classOf);
  });
}

const failed = (text: string): HomeResult => ({ ok: false, text });

/** Sentences for Home Assistant: the original, and its rewordings. */
function createSentences(options: HomeInWordsOptions) {
  const { client, house, own, say } = options;
  const outcome = createOutcome(options);

  const send = ({ turn, signal }: HomeAsk, { text, device }: Order): Promise<HomeAnswer> =>
    client.say({ text, conversation: homeConversationOf(turn), device, signal });
  /** The answer in words. Null: Home Assistant found nothing to report. */
  const wordsOf = (answer: HomeAnswer, { onlyReads }: Reading): HomeResult | null => {
    const { kind, speech, succeeded } = answer;
    // Home Assistant says No to a state that no entity has.
    if (onlyReads && kind === 'told' && succeeded.length === 0) return null;
    const ok = (kind === 'done' || kind === 'told') && answer.failed.length === 0;
    return { ok, text: speech || (ok ? say('done') : say.failure('not_possible')) };
  };
  const obey = async (orders: Orders, question: HomeAsk): Promise<HomeResult | null> => {
    const { signal } = question;
    const [{ reading }] = orders;
    const before = await client.states(signal);
    await question.beginActing();
    const answers: Answered[] = [];
    for (const order of orders) answers.push({ order, answer: await send(question, order) });
    const answer = allOf(answers);
    if (answer.kind !== 'done') return wordsOf(answer, reading);
    const { succeeded } = answer;
    const values = valuesSet(succeeded, reading.numbers);
    const changes = Map.groupBy(succeeded, ({ id }) => changeIn(domainOf(id), reading) ?? '');
    const awaited = [...changes].map(([intent, entities]) => ({ intent, entities, before, values, signal }));
    const [setTo = null] = new Set(values.values());
    const deed = { intent: changeOfAll(succeeded, reading), before, setTo, elsewhere: question.turn.text };
    return await outcome(answer, { ...deed, awaited }, question);
  };

  return {
    /** Null: Home Assistant does not know the sentence. */
    asSaid: async ({ turn, signal }: HomeAsk): Promise<Order | null> => {
      for (const device of new Set([null, house.deviceIn(turn.room)])) {
        const [reading = null] = await client.readings([turn.text], signal, device);
        if (reading) return { text: turn.text, thing: null, reading, device };
      }
      return null;
    },

    /** Only wordings whose readings affect nothing but the meant things. */
    inOtherWords: async ({ turn, signal }: HomeAsk): Promise<InOtherWords | null> => {
      const ways = own?.wording(turn) ?? [];
      if (ways.length === 0) return null;
      const device = house.deviceIn(turn.room);
      const texts = ways.flatMap(({ sentences }) => sentences.map(({ text }) => text));
      const readings = await client.readings(texts, signal, device);
      for (const way of ways) {
        const found = readings.splice(0, way.sentences.length);
        const orders = way.sentences.flatMap((each, at) => {
          const reading = found[at] ?? null;
          return reading && isWithin(reading, way) ? [{ ...each, reading, device }] : [];
        });
        if (isSome(orders) && orders.length === way.sentences.length) return { orders, choices: way.choices };
      }
      return null;
    },

    /** The reply. Null: there is nothing to say. */
    carryOut: async (orders: Orders, question: HomeAsk): Promise<HomeResult | null> => {
      const [order, ...more] = orders;
      if (!order.reading.onlyReads) return await obey(orders, question);
      return more.length > 0 ? null : wordsOf(await send(question, order), order.reading);
    },
  };
}

/** Runs and answers the sentences that the language defines itself. */
function createOwnAnswers(options: HomeInWordsOptions) {
  const { client, own, last, say } = options;
  const outcome = createOutcome(options);

  const carryOut = async (
    { obey }: LanguageOfHome,
    { intent, orders, elsewhere }: OwnCommand & Pick<Outcome, 'elsewhere'>,
    question: HomeAsk,
  ): Promise<HomeResult> => {
    const { signal } = question;
    if (orders.length === 0) return failed(say.failure('not_possible'));
    const before = await client.states(signal);
    await question.beginActing();
    const answer = await obey(intent, orders, { signal });
    if (answer.succeeded.length === 0) return failed(say.failure('not_possible'));
    const values = new Map(
      orders.flatMap(({ thing, value }) => (value === null ? [] : [[thing.id, value] as const])),
    );
    const [setTo = null, ...others] = new Set(values.values());
    const awaited = [{ intent, entities: answer.succeeded, before, values, signal }];
    const deed = { intent, before, setTo: others.length > 0 ? null : setTo, awaited, elsewhere };
    return await outcome(answer, deed, question);
  };

  /** Null: the language defines no sentences itself. */
  return async (
    said: readonly OwnSentence[],
    question: HomeAsk,
    elsewhere: string,
  ): Promise<HomeResult | null> => {
    const { turn, signal } = question;
    const [first] = said;
    const answer = first && (await own?.commands.answer(first, signal));
    if (own && answer) {
      await last.note(turn.conversation, {
        ...{ target: '', elsewhere, isQuestion: true },
        things: [...first.things],
      });
      return { ok: true, text: own.describe(answer, turn) };
    }
    if (!own) return null;
    const commands = await Promise.all(said.map((each) => own.commands.resolve(each, signal)));
    const unclear = commands.find(({ choices }) => choices.length > 0);
    if (unclear) return failed(own.severalThings(unclear.choices, turn));
    const results: HomeResult[] = [];
    for (const command of commands) results.push(await carryOut(own, { ...command, elsewhere }, question));
    const texts = results.map(({ text }) => text);
    const text = texts.length === 1 ? (texts[0] ?? '') : texts.map(sentence).join(' ');
    return { ok: results.every(({ ok }) => ok), text };
  };
}

/** Reports the outcome of a command once the states are known, and records it for undo. */
function createOutcome({ client, say, report, notes, last, onFailure }: HomeInWordsOptions) {
  /** Null: the states are unreadable, so the outcome is unknown. */
  const standsAfter = (awaited: Outcome['awaited']) =>
    recovering(
      async () => (await Promise.all(awaited.map((each) => awaitStates(client, each)))).flat(),
      (fault) => {
        onFailure(fault);
        return null;
      },
    );

  return async (
    answer: HomeAnswer,
    { intent, before, setTo, awaited, elsewhere }: Outcome,
    { turn }: HomeAsk,
  ): Promise<HomeResult> => {
    const stands = await standsAfter(awaited);
    const { ok, text } = stands
      ? report(answer, { intent, before, stands, setTo }, turn)
      : { ok: false, text: say.failure('home_timeout') };
    const action = actionOf({ text: turn.text, intent, ok, before, stands });
    const record = action && { turn: actionId(turn.id, turn.text), at: turn.createdAt, ...action };
    if (record) await notes.note(record, turn.conversation);
    const said = { target: '', elsewhere, text: turn.text };
    await last.note(turn.conversation, { ...said, things: [...answer.succeeded] });
    return { ok, text };
  };
}

/** The requested change, the states before it, and the expected states. */
interface Outcome extends Pick<Seen, 'before'> {
  intent: string;
  setTo: number | null;
  /** The sentence that a command for another place repeats. */
  elsewhere: string;
  awaited: readonly Parameters<typeof awaitStates>[1][];
}

/**
 * Home Assistant also switches on the lights of a room that cannot be dimmed. Null: all can, or it is no
 * command to dim.
 */
async function dimmingOf(
  { reading: { intent, numbers, targets } }: Order,
  { client, house }: Pick<HomeInWordsOptions, 'client' | 'house'>,
  { signal }: Pick<HomeAsk, 'signal'>,
): Promise<OwnSentence | null> {
  const { brightness } = numbers;
  if (intent !== 'HassLightSet' || brightness === undefined) return null;
  const able = await lightsWith('brightness', targets, { client, signal });
  if (able === null || able.length === targets.length) return null;
  const level = { number: brightness, unit: 'percent' as const };
  return { intent: 'set', things: house.thingsOf(able), isClear: true, isNamed: true, level };
}

/** With a full stop, if it has none. */
const sentence = (text: string) => text.replace(/[^.!?]$/, '$&.');

/** "There is no blind in the kitchen": Home Assistant has another word for it. */
const isForNothing = ({ reading }: Order) =>
  reading.targets.length === 0 && reading.slots.includes('device_class');

type Orders = readonly [Order, ...Order[]];

const isSome = (orders: readonly Order[]): orders is Orders => orders.length > 0;

/** Whether a reading names things, and only those of the wording. */
function isWithin({ targets }: Reading, { ids }: Wording): boolean {
  return targets.length > 0 && targets.every((id) => ids.has(id));
}

interface Answered {
  order: Order;
  answer: HomeAnswer;
}

/** The answers to the same command for several things, as one. A thing without the command has failed. */
function allOf(answers: readonly Answered[]): HomeAnswer {
  const [first] = answers;
  if (!first) throw new Error('no answer');
  const done = answers.find(({ answer }) => answer.kind === 'done');
  if (answers.length === 1 || !done) return first.answer;
  const left = answers.flatMap(({ order, answer }) =>
    answer.kind !== 'done' && order.thing ? [order.thing] : [],
  );
  return {
    ...done.answer,
    speech: '',
    succeeded: answers.flatMap(({ answer }) => answer.succeeded),
    failed: [...answers.flatMap(({ answer }) => answer.failed), ...left],
  };
}

/** Our name for the change; '' if it differs from entity to entity, or is unknown. */
function changeOfAll(entities: readonly Entity[], reading: Reading): string {
  const [change = '', ...others] = new Set(entities.map(({ id }) => changeIn(domainOf(id), reading) ?? ''));
  return others.length === 0 ? change : '';
}

/** The number that each entity was set to, by id. */
function valuesSet(entities: readonly Entity[], numbers: Reading['numbers']): ReadonlyMap<string, number> {
  return new Map(
    entities.flatMap(({ id }) => {
      const value = valueIn(domainOf(id), numbers);
      return value === undefined ? [] : [[id, value] as const];
    }),
  );
}
