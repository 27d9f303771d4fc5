import type { LastCommand, SaidOfHouse } from '../../actions/last-command.ts';
import { type HomeError, type HomeFailure, harmless, recovering } from '../../engines/home-fault.ts';
import { commandedDomains, domainOf } from '../../engines/home-templates.ts';
import type { Question } from '../core/responder.ts';
import type { HomeQuery } from '../home-query/home-query.ts';
import { createConditionalCommands } from './conditional-commands.ts';
import type { HomeCommands } from './home-commands.ts';
import type { HomeQuestions } from './home-questions.ts';
import type { ThingChoice } from './home-records.ts';
import { createHomeReferences, forChoice } from './home-references.ts';
import type { SayHome } from './home-reports.ts';
import { denial, type HomeAsk, type HomeResult, no } from './home-result.ts';
import type { House } from './house.ts';
import type { MissingValue } from './missing-value.ts';
import type { OpensUp } from './opens-up.ts';
import type { PassOn } from './pass-on.ts';
import type { HomeGrammar } from './understand/home-grammar.ts';
import {
  type HouseCommand,
  isHouseCommand,
  type Understood,
  type UnderstoodReference,
} from './understand/understood.ts';
import type { WhichThing } from './which-thing.ts';

export interface HomeControl {
  /**
   * Runs one command to the house, or answers one question about it. Refuses everything else. Throws only
   * when the turn ends.
   */
  run(command: string, ask: HomeAsk): Promise<HomeResult>;
  /** Whether the command may open the house to someone, or this is unknown. Changes nothing. */
  opensUp(command: string, ask: HomeAsk): Promise<boolean>;
  /**
   * Runs an understood sentence. Null: Home Assistant does not know the target, so the sentence may be for
   * another responder.
   */
  answer(understood: readonly Understood[], ask: HomeAsk): Promise<HomeResult | null>;
  /** Passes any words to Home Assistant, which has asked a question. */
  goOn(ask: HomeAsk): Promise<HomeResult | null>;
}

/** The control, with the parts that only the responder needs. */
export interface HomeTalk extends HomeControl {
  /** Whether a sentence is a command with a condition. */
  isConditional(text: string): boolean;
  /** Whether a sentence asks for several states at once: "is the light on and the door locked". */
  asksSeveral(text: string): boolean;
  /** Runs a command if its condition holds now. Null: the sentence is not a command with a condition. */
  doIf(ask: HomeAsk): Promise<HomeResult | null>;
  /** Answers a question about the states of the house. Null: it is not one. */
  ask(ask: HomeAsk): Promise<HomeResult | null>;
  /** Runs a pending command for the entities or the value that the sentence names. Null: it is no answer. */
  choose(question: Pick<Question, 'exchanges'> & HomeAsk): Promise<HomeResult | null>;
  /** Runs a pending command after a yes. */
  agreed(pending: { text: string; choices: readonly ThingChoice[] }, ask: HomeAsk): Promise<string>;
  /** Repeats the last command for another target: "no, the office". Null: it is not a correction. */
  corrected(ask: Pick<HomeAsk, 'turn'>): Promise<string | null>;
  /** Handles a sentence with "it" or "them", for the entities of the last one. Null: it has no pronoun. */
  refer(ask: HomeAsk): Promise<HomeResult | null>;
  /** Reads the commands or the question in a sentence that is clearly for the house. */
  read(text: string): Promise<readonly Understood[]>;
  /**
   * Passes on a sentence that none of our templates match, if Home Assistant clearly matches it. Null: it
   * does not.
   */
  passOn(ask: HomeAsk): Promise<HomeResult | null>;
  /** Reads a whole sentence as commands, with references resolved. Null: some part is not a command. */
  commandsIn(text: string, ask: HomeAsk): Promise<readonly HouseCommand[] | null>;
  /** The reply to a command for later; null: it is not one. */
  refuseLater(ask: HomeAsk): HomeResult | null;
  /** Waits for the names of the house. The reason why they are unknown; null: they are known. */
  namesUnknown(ask: Pick<HomeAsk, 'turn'>): Promise<string | null>;
  /** Tries a sentence again that was denied or not understood before all names of the house were known. */
  withAllNames(work: () => Promise<HomeResult | null>, ask: HomeAsk): Promise<HomeResult | null>;
}

interface HomeControlOptions {
  grammar: HomeGrammar;
  house: Pick<House, 'learn' | 'refresh' | 'failure' | 'areaOf' | 'roomOf'>;
  passOn: PassOn;
  opensUp: OpensUp;
  query: Pick<HomeQuery, 'answer' | 'asksSeveral' | 'check' | 'conditions' | 'ifAnswered' | 'reply'>;
  questions: HomeQuestions;
  commands: HomeCommands;
  which: WhichThing;
  missing: Pick<MissingValue, 'completed'>;
  reply: SayHome;
  last: Pick<LastCommand, 'read' | 'note'>;
  onFailure: (error: HomeError) => void;
}

/** "Lock them" means no more entities than one can keep in mind. */
const maxReferents = 4;

/** Routes sentences to the house's questions and commands, and reports Home Assistant's failures. */
export function createHomeControl(options: HomeControlOptions): HomeTalk {
  const { grammar, house, passOn, opensUp, query, questions, commands, which, missing, reply } = options;
  const { last, onFailure } = options;
  const meant = createHomeReferences({ grammar, house, last });

  /**
   * A denied or failed command replaces the previous one, which "and the office too" must not repeat. Only a
   * failed one has a target.
   */
  const noteUndone = async ({ turn }: HomeAsk, isFault: boolean): Promise<void> => {
    const [command] = grammar.read(turn.text);
    // "Dimmer" refers to the previous target, which stays.
    if (!command || !isHouseCommand(command) || command.target === '') return;
    const { elsewhere, text, target } = command;
    const named = { target: isFault ? target : '', elsewhere: elsewhere ?? '' };
    await last.note(turn.conversation, { turn: turn.id, ...named, text });
  };

  const answerQuestion = async (ask: HomeAsk): Promise<HomeResult | null> => {
    const result = await query.answer(grammar.asNamed(ask.turn.text), ask);
    const elsewhere = result ? grammar.elsewhere(ask.turn.text) : '';
    const things = (result?.about ?? []).filter(({ id }) => commandedDomains.includes(domainOf(id)));
    const few = things.length <= maxReferents ? things : [];
    const target = few.map(({ name }) => name).join(grammar.and);
    const question = ask.turn.text;
    if (result)
      await last.note(ask.turn.conversation, { target, elsewhere, things, isQuestion: true, question });
    return result;
  };

  /** "And in the bedroom", "and the back door", after a question. Null: it does not follow one. */
  const askedElsewhere = async (said: UnderstoodReference, ask: HomeAsk): Promise<HomeResult | null> => {
    const before = said.intent === 'follow' ? await last.read(ask.turn.conversation) : null;
    if (!before?.isQuestion) return null;
    const text =
      said.area === '' ? questionFor(said, before) : before.elsewhere.replace('{area}', () => said.area);
    return text === '' ? null : await answerQuestion({ ...ask, turn: { ...ask.turn, text } });
  };
  /** The question about another thing. '': its words do not name the thing. */
  const questionFor = ({ bare }: UnderstoodReference, { question, target }: SaidOfHouse): string => {
    const from = target === '' ? -1 : question.toLowerCase().indexOf(target.toLowerCase());
    return from === -1 ? '' : `${question.slice(0, from)}${bare}${question.slice(from + target.length)}`;
  };

  /** "No, the attic" in a house without one. Null: there is nothing to correct. */
  const unknownCorrection = async (
    { area }: UnderstoodReference,
    { turn }: HomeAsk,
  ): Promise<HomeResult | null> => {
    const before = await last.read(turn.conversation);
    if (!before || area === '' || house.areaOf(area) !== null) return null;
    return denial(reply('not_known', { bare: area }, turn));
  };

  const one = async (understood: Understood, ask: HomeAsk): Promise<HomeResult | null> => {
    if (understood.kind === 'question') return await questions(understood, ask);
    if (understood.kind === 'reference') {
      const elsewhere = await askedElsewhere(understood, ask);
      if (elsewhere) return elsewhere;
      if (understood.intent === 'correct') return await unknownCorrection(understood, ask);
    }
    const whole = await meant(understood, ask);
    if (whole === null || whole.kind === 'reference') return null;
    return whole.kind === 'question' ? await questions(whole, ask) : await commands.act(whole, ask);
  };

  /** The command that a sentence means. Null: it means none. */
  const commandOf = async (understood: Understood, ask: HomeAsk): Promise<HouseCommand | null> => {
    const whole = understood.kind === 'question' ? null : await meant(understood, ask);
    return whole && isHouseCommand(whole) ? whole : null;
  };

  const goOn = async (ask: HomeAsk): Promise<HomeResult | null> => {
    const result = await commands.goOn(ask);
    return result && { ...result, text: withStop(result.text) };
  };

  const honest = (work: () => Promise<HomeResult | null>, { turn }: HomeAsk, isQuestion: boolean) =>
    recovering(work, (fault) => {
      onFailure(fault);
      const refused = no(reply(failureReply(fault.failure, isQuestion), {}, turn));
      return isQuestion ? refused : { ...refused, isFault: true };
    });

  const answer = async (understood: readonly Understood[], ask: HomeAsk): Promise<HomeResult | null> => {
    const results: HomeResult[] = [];
    for (const each of understood) {
      const result = await honest(() => one(each, ask), ask, each.kind === 'question');
      // The first of several commands has already run.
      if (result === null && results.length === 0) return null;
      const { target } = each;
      const undone =
        target === '' ? reply('not_a_command', {}, ask.turn) : reply('not_possible', { target }, ask.turn);
      results.push(result ?? no(undone));
    }
    if (results.length === 0) return null;
    const texts = new Set(results.map(({ text }) => withStop(text)));
    const isDenial = results.every((result) => result.isDenial === true);
    const isFault = results.every((result) => result.isFault === true);
    const about = results.flatMap((result) => result.about ?? []);
    return {
      ok: results.every(({ ok }) => ok),
      text: [...texts].join(' '),
      about,
      ...(isDenial && { isDenial }),
      ...(isFault && { isFault }),
    };
  };

  const read = async (text: string): Promise<readonly Understood[]> => {
    const understood = grammar.read(text);
    // With newly loaded names the sentence may mean something else.
    return understood.length > 0 && (await house.learn()) ? grammar.read(text) : understood;
  };

  const { isConditional, doIf } = createConditionalCommands({ grammar, query, reply, last, read, answer });

  const choose = async (question: Pick<Question, 'exchanges'> & HomeAsk): Promise<HomeResult | null> => {
    const whole = await missing.completed(question);
    if (whole !== null)
      return await answer(await read(whole), { ...question, turn: { ...question.turn, text: whole } });
    const chosen = await which.chosen(question);
    const [command] = chosen ? await read(chosen.text) : [];
    if (!chosen || !command || !isHouseCommand(command)) return null;
    const { text, things, isUnclear } = chosen;
    // Doors are only unlocked one by one.
    const isTooMuch = isUnclear || (command.intent === 'unlock' && things.length > 1);
    if (isTooMuch) return await which.ask(text, things, question);
    const target = things.map(({ name }) => name).join(grammar.and);
    return await commands.act(forChoice(command, { things, target }), question);
  };

  const agreed = async (pending: { text: string; choices: readonly ThingChoice[] }, ask: HomeAsk) => {
    const [command] = await read(pending.text);
    if (!command || !isHouseCommand(command)) return null;
    const target = pending.choices.map(({ name }) => name).join(grammar.and);
    return await commands.act(forChoice(command, { things: pending.choices, target }), ask);
  };

  const refer = async (said: HomeAsk): Promise<HomeResult | null> => {
    const before = await last.read(said.turn.conversation);
    // The answer named too many things for one pronoun.
    if (before?.target === '') return null;
    const referring = before && grammar.withReferent(said.turn.text, before.target);
    if (!before || !referring) return null;
    const { text, isOne } = referring;
    const ask = { ...said, turn: { ...said.turn, text } };
    const result = await answerQuestion(ask);
    if (result) return result;
    const understood = await read(text);
    const acts = understood.some(({ kind }) => kind !== 'question');
    if (acts && isOne && before.things.length > 1) return await which.ask(text, before.things, ask);
    return await answer(understood, ask);
  };

  const refuseLater = ({ turn }: HomeAsk) =>
    grammar.isForLater(turn.text) ? no(reply('not_later', {}, turn)) : null;

  const withAllNames: HomeTalk['withAllNames'] = async (work, ask) => {
    const first = await work();
    const isDoubtful = first === null ? grammar.passing.isCommand(ask.turn.text) : first.isDenial === true;
    const names = isDoubtful ? await house.refresh() : 'same';
    const result = names === 'new' ? await work() : first;
    if (result?.isDenial || result?.isFault) await noteUndone(ask, result.isFault === true);
    if (names === 'new' || names === 'same' || result === null) return result;
    return no(reply(harmless(house.failure() ?? 'late'), {}, ask.turn));
  };

  return {
    isConditional,
    asksSeveral: query.asksSeveral,
    doIf: (ask) => honest(() => doIf(ask), ask, false),
    ask: (ask) => honest(() => answerQuestion(ask), ask, true),
    async corrected({ turn }) {
      const [said] = grammar.read(turn.text);
      if (said?.intent !== 'correct') return null;
      const before = await last.read(turn.conversation);
      if (!before || before.text === '') return null;
      if (said.area !== '')
        return house.areaOf(said.area) === null
          ? null
          : before.elsewhere.replace('{area}', () => said.area) || null;
      return before.target === '' ? null : before.text.replace(before.target, () => said.target);
    },
    refer: (ask) => honest(() => refer(ask), ask, false),
    choose: (question) => honest(() => choose(question), question, false),
    async agreed(pending, ask) {
      const result = await honest(() => agreed(pending, ask), ask, false);
      return withStop(result?.text ?? reply('not_a_command', {}, ask.turn));
    },
    read,
    answer,
    refuseLater,
    withAllNames,
    async namesUnknown({ turn }) {
      if ((await house.refresh()) !== 'unknown') return null;
      return reply(harmless(house.failure() ?? 'late'), {}, turn);
    },
    async commandsIn(text, ask) {
      const understood = await read(text);
      const known = await Promise.all(understood.map((each) => commandOf(each, ask)));
      return known.length > 0 && known.every((each) => each !== null) ? known : null;
    },
    passOn: (ask) =>
      recovering(
        () => passOn(ask),
        (fault) => {
          // Until a command is sent, the sentence may not be for the house.
          onFailure(fault);
          const { failure } = fault;
          return failure === 'lost' || failure === 'slow' ? no(reply(failure, {}, ask.turn)) : null;
        },
      ),
    async run(command, ask) {
      // The model may have left out the time.
      const refused = refuseLater(ask);
      if (refused) return refused;
      const found = await withAllNames(async () => await answer(await read(command), ask), ask);
      return found ?? no(reply('not_a_command', {}, ask.turn));
    },
    async opensUp(command, ask) {
      const known = await Promise.all((await read(command)).map((each) => commandOf(each, ask)));
      return await opensUp(
        known.flatMap((each) => each ?? []),
        ask,
      );
    },
    goOn: (ask) => honest(() => goOn(ask), ask, false),
  };
}

const withStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** A question without an answer has certainly changed nothing. */
function failureReply(failure: HomeFailure, isQuestion: boolean) {
  if (!isQuestion) return failure;
  return harmless(failure);
}
