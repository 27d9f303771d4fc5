import type { ActionNotes } from '../../actions/action-notes.ts';
import { actionId } from '../../actions/action-store.ts';
import type { LastCommand } from '../../actions/last-command.ts';
import type { HomeAnswer } from '../../engines/home-answer.ts';
import type { HomeClient, HomeSentence } from '../../engines/home-client.ts';
import type { Reading } from '../../engines/home-dry-run.ts';
import { HomeError } from '../../engines/home-fault.ts';
import type { HouseholdQuestions } from '../household-questions.ts';
import type { Alike } from './alike.ts';
import type { HomeAction } from './home-records.ts';
import type { HomeReports, SayHome } from './home-reports.ts';
import { type HomeAsk, type HomeResult, no } from './home-result.ts';
import type { SentenceFor } from './home-sentence.ts';
import { awaitStates, isTold, type Stand, standingOf } from './home-states.ts';
import { actionOf, type Seen } from './home-undo.ts';
import type { HomeWords } from './home-words.ts';
import type { House } from './house.ts';
import { createInTurn, type Turns, toldAs } from './in-turn.ts';
import { isIntended } from './intended.ts';
import { createPartlyNamed, type WithWholeName } from './partly-named.ts';
import type { Understood } from './understood.ts';
import { refusalOfUnknown } from './unknown-command.ts';

export interface HomeCommandsOptions {
  client: Pick<HomeClient, 'say' | 'states' | 'state' | 'changed' | 'readings' | 'light' | 'setting'>;
  house: Pick<House, 'mayHave' | 'thingsIn' | 'roomOf' | 'nameOf'>;
  words: HomeWords;
  sentenceFor: SentenceFor;
  reply: SayHome;
  reports: HomeReports;
  alike: Alike;
  notes: Pick<ActionNotes<HomeAction>, 'note'>;
  last: Pick<LastCommand, 'note'>;
  asked: Pick<HouseholdQuestions, 'note'>;
  onTrouble: (error: HomeError) => void;
}

export type HomeCommands = ReturnType<typeof createHomeCommands>;

interface Intended {
  text: string;
  reading: Reading;
}

/**
 * Commands to the house. Home Assistant guesses what it does not understand: it leaves out a word, or turns up the volume. So it is first asked what it
 * would make of a command, and gets only a command that does what was said to the things that were named, and nothing else.
 */
export function createHomeCommands(options: HomeCommandsOptions) {
  const { client, house, sentenceFor, reply, reports, alike, notes, last, asked } = options;

  const anyway = createDoneAnyway(options);
  const noteDone = async (
    command: Understood,
    seen: Pick<Seen, 'before' | 'stands' | 'ok'>,
    ask: HomeAsk,
  ) => {
    const { id, createdAt: at, conversation } = ask.turn;
    const { text, intent } = command;
    const action = actionOf({ text, intent, ...seen });
    await Promise.all([
      action && notes.note({ turn: actionId(id, text), at, ...action }, conversation),
      last.note(conversation, { target: command.target, elsewhere: command.elsewhere ?? '' }),
    ]);
  };

  const refusalOf = (command: Understood, { turn }: Pick<HomeAsk, 'turn'>) =>
    refusalOfUnknown(command, { room: sentenceFor.roomOf(turn), mayHave: house.mayHave });
  /** It would be answered that there is no such thing. */
  const isUnknownThing = (command: Understood, ask: HomeAsk): boolean =>
    refusalOf(command, ask)?.reply.startsWith('not_known') === true;

  const unknown = (command: Understood, { turn }: Pick<HomeAsk, 'turn'>): HomeResult | null => {
    if (command.intent === 'clean' && command.place !== '' && house.mayHave(['machine'], null))
      return no(reply('no_rooms', {}, turn));
    const room = sentenceFor.roomOf(turn);
    const isOfSound = command.target === '' && command.kinds.length === 1 && command.kinds[0] === 'media';
    const where = command.place || room;
    if (isOfSound && where !== null && house.mayHave(['media'], null) && !house.mayHave(['media'], where))
      return no(reply('no_player_here', { room: where }, turn));
    const refusal = refusalOf(command, { turn });
    return refusal && no(reply(refusal.reply, refusal.values, turn));
  };

  const intended = createIntended(options);
  const { words } = options;
  const inTurn = createInTurn({ client, house, sentenceFor, reply, words });
  const partlyNamed = createPartlyNamed({ house, words, inTurn, sentenceFor, reply });
  const allIntended = (command: Understood, ask: HomeAsk) =>
    Promise.all(partsOf(command).map((each) => intended(each, ask)));

  const standsAfter = createStandsAfter(options);
  const sayAll = createSayAll(options);

  const finish = async (
    command: Understood,
    answer: HomeAnswer,
    before: Seen['before'],
    ask: HomeAsk,
  ): Promise<HomeResult | null> => {
    const { turn, signal } = ask;
    if (answer.asksBack) await asked.note(turn, { kind: 'home.asked' });
    if (answer.kind === 'unknown') return unknown(command, ask);
    if (answer.kind === 'told') return { ok: true, text: answer.speech || reply('ok', {}, turn) };
    if (answer.kind === 'failed' && answer.succeeded.length === 0) return no(reply('broke', {}, turn));
    const { intent, setTo } = command;
    const stands = await standsAfter({ intent, entities: answer.succeeded, before, signal });
    const told = stands
      ? reports.done(answer, { intent, before, stands, setTo }, turn)
      : no(reply('unsure', {}, turn));
    const broke = reply('broke', {}, turn);
    // "I cannot tell whether it worked" says it all.
    const result =
      answer.kind === 'done' || !stands ? told : no(`${told.text.replace(/[^.!?]$/, '$&.')} ${broke}`);
    await noteDone(command, { ok: result.ok, before, stands }, ask);
    return result;
  };

  const carryOut = async (
    command: Understood,
    texts: readonly string[],
    before: Seen['before'],
    ask: HomeAsk,
    { told = null, targets = [] }: { told?: string | null; targets?: readonly string[] } = {},
  ): Promise<HomeResult | null> => {
    await ask.certain();
    const answer = await sayAll(texts, command.device, ask);
    return await finish(
      command,
      toldAs(await anyway(command, { answer, before, targets }, ask), told),
      before,
      ask,
    );
  };

  const carryOutTurns = async (
    command: Understood,
    turns: Turns | null,
    before: Seen['before'],
    ask: HomeAsk,
  ): Promise<HomeResult | null> => {
    if (turns?.refusal) return no(turns.refusal);
    return turns && (await carryOut(command, turns.texts, before, ask, { told: turns.told }));
  };

  /** One thing after the other, where no words reach them all. */
  const oneByOne = async (command: Understood, before: Seen['before'], ask: HomeAsk) =>
    await carryOutTurns(command, await inTurn(command, ask), before, ask);

  /** Each part in other sentences where its own reach nothing. Null: some part names a thing that is not there. */
  const inOtherWords = async (
    command: Understood,
    found: readonly (Intended | null)[],
    ask: HomeAsk,
  ): Promise<WithWholeName | null> => {
    const parts = await Promise.all(
      partsOf(command).map(async (part, at): Promise<WithWholeName | null> => {
        const text = found[at]?.text;
        if (text !== undefined) return { command: part, turns: { texts: [text], told: null, refusal: null } };
        return isUnknownThing(part, ask) ? await partlyNamed(part, ask) : null;
      }),
    );
    const known = parts.filter((part) => part !== null);
    const [only, ...more] = known;
    if (!only || known.length < parts.length) return null;
    if (more.length === 0) return only;
    const refusal = known.find(({ turns }) => turns.refusal)?.turns.refusal ?? null;
    return { command, turns: { texts: known.flatMap(({ turns }) => turns.texts), told: null, refusal } };
  };

  /** The answer to a command of which Home Assistant does not find a thing by the words that were said. */
  const notFound = async (
    command: Understood,
    {
      found,
      before,
      missing,
    }: Pick<Seen, 'before'> & {
      found: readonly (Intended | null)[];
      missing: Understood;
    },
    ask: HomeAsk,
  ): Promise<HomeResult | null> => {
    const same = await alike(missing, ask);
    const other = same ? null : await inOtherWords(command, found, ask);
    if (other) return await carryOutTurns(other.command, other.turns, before, ask);
    return same ?? unknown(missing, ask);
  };

  return {
    /** Does what a command says, and nothing else. Null: it may be meant for somebody else. */
    async act(command: Understood, ask: HomeAsk): Promise<HomeResult | null> {
      if (command.unclear) return no(reply(command.unclear, {}, ask.turn));
      const [found, before] = await Promise.all([allIntended(command, ask), client.states(ask.signal)]);
      const missing = partsOf(command).find((_, at) => found[at] === null);
      if (missing)
        return (
          (await oneByOne(command, before, ask)) ?? (await notFound(command, { found, before, missing }, ask))
        );
      const texts = found.flatMap((each) => each?.text ?? []);
      // It finds no players in a room where none plays, but each by its name.
      const targets = found.flatMap((each) => each?.reading.targets ?? []);
      return (
        (await carryOut(command, texts, before, ask, { targets })) ?? (await oneByOne(command, before, ask))
      );
    },
    /** Sends a command as it was read. */
    async pass(command: Understood, ask: HomeAsk): Promise<HomeResult> {
      const done = await carryOut(command, command.ways, await client.states(ask.signal), ask);
      return done ?? no(reply('broke', {}, ask.turn));
    },
    /** Home Assistant's readings of each part that would be sent. Nothing is done. */
    async foreseen(command: Understood, ask: HomeAsk): Promise<Reading[]> {
      const found = await allIntended(command, ask);
      const readings = found.flatMap((each) => each?.reading ?? []);
      if (readings.length === found.length) return readings;
      const turns = (await inTurn(command, ask)) ?? (await inOtherWords(command, found, ask))?.turns;
      const texts = turns?.texts ?? [];
      const more = texts.length === 0 ? [] : await client.readings(texts, ask.signal);
      return [...readings, ...more.flatMap((reading) => reading ?? [])];
    },
  };
}

function createStandsAfter({ client, onTrouble }: Pick<HomeCommandsOptions, 'client' | 'onTrouble'>) {
  /** Null: the states cannot be read, so nobody knows whether it was done. */
  return async (awaited: Parameters<typeof awaitStates>[1]): Promise<Stand[] | null> => {
    try {
      return await awaitStates(client, awaited);
    } catch (error) {
      if (!(error instanceof HomeError)) throw error;
      onTrouble(error);
      return null;
    }
  };
}

/** What Home Assistant answered, and which things it would change. */
interface Answered {
  answer: HomeAnswer;
  before: Seen['before'];
  targets: readonly string[];
}

function createDoneAnyway({
  client,
  house,
  onTrouble,
}: Pick<HomeCommandsOptions, 'client' | 'house' | 'onTrouble'>) {
  const isDone = async (
    id: string,
    { intent, setTo }: Understood,
    before: string | undefined,
    signal: AbortSignal,
  ) => {
    if (setTo !== null) return (await client.setting(id, signal))?.value === setTo;
    const state = await client.state(id, signal);
    return isTold(intent, id) && state !== before && standingOf(intent, { id, state, before }) === 'there';
  };
  /** Home Assistant also fails on its own answer, after the deed: then the things show that it was done. */
  return async (
    command: Understood,
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
      onTrouble(error);
      return answer;
    }
  };
}

function createSayAll({
  client,
  sentenceFor,
  onTrouble,
}: Pick<HomeCommandsOptions, 'client' | 'sentenceFor' | 'onTrouble'>) {
  /** Of several commands the first may have been carried out already: then a fault is that of one among them. */
  const sayNext = async (sentence: HomeSentence, isLater: boolean): Promise<HomeAnswer> => {
    try {
      return await client.say(sentence);
    } catch (error) {
      if (!(error instanceof HomeError) || !isLater) throw error;
      onTrouble(error);
      return { ...nothingSaid, kind: 'failed' };
    }
  };
  /** The answers to sentences that are said one after the other. */
  return async (texts: readonly string[], device: string | null, ask: HomeAsk): Promise<HomeAnswer> => {
    const answers: HomeAnswer[] = [];
    for (const text of texts) answers.push(await sayNext(sentenceFor(text, ask, device), answers.length > 0));
    return together(answers);
  };
}

function createIntended({ client, sentenceFor }: Pick<HomeCommandsOptions, 'client' | 'sentenceFor'>) {
  /** The first way to say a command by which Home Assistant would do what was said; null: there is none. */
  return async (command: Understood, { turn, signal }: HomeAsk): Promise<Intended | null> => {
    const ways = sentenceFor.inRoom(command.ways, turn);
    if (ways.length === 0) return null;
    const readings = await client.readings(ways, signal);
    const found = ways.map((text, at) => ({ text, reading: readings[at] ?? null }));
    return found.find((each): each is Intended => isIntended(each.reading, command)) ?? null;
  };
}

/** One sentence may be sent as several: "the lamp and the fan". */
const partsOf = (command: Understood) => (command.parts.length > 0 ? command.parts : [command]);

/** The answers to one command for several things as one: it failed if any part did. */
function together(answers: readonly HomeAnswer[]): HomeAnswer {
  const [first, ...more] = answers;
  if (!first || more.length === 0) return first ?? nothingSaid;
  const fine = answers.filter(({ kind }) => kind === 'done' || kind === 'told');
  const fault = answers.find(({ kind }) => kind === 'failed' || kind === 'unknown');
  return {
    kind: fault ? 'failed' : first.kind,
    // For two lamps Home Assistant says the same twice.
    speech: [...new Set((fine.length > 0 ? fine : answers).map(({ speech }) => speech))].join('. '),
    succeeded: answers.flatMap(({ succeeded }) => succeeded),
    failed: answers.flatMap(({ failed }) => failed),
    asksBack: answers.some(({ asksBack }) => asksBack),
  };
}

const nothingSaid: HomeAnswer = { kind: 'unknown', speech: '', succeeded: [], failed: [], asksBack: false };
