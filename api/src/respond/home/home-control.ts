import type { ActionNotes } from '../../actions/action-notes.ts';
import { actionId } from '../../actions/action-store.ts';
import type { AskedStore } from '../../actions/asked-store.ts';
import type { LastCommand } from '../../actions/last-command.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import { HomeError, type HomeTrouble } from '../../engines/home-fault.ts';
import type { AskedTurn } from '../responder.ts';
import type { HomeGrammar } from './home-grammar.ts';
import type { HomeQuestions } from './home-questions.ts';
import type { HomeReports, SayHome } from './home-reports.ts';
import type { SentenceFor } from './home-sentence.ts';
import { awaitStates } from './home-states.ts';
import { actionOf, type Seen } from './home-undo.ts';
import type { House } from './house.ts';
import type { Understood } from './understood.ts';

/** For whom something is to be done in the house. */
export interface HomeAsk {
  turn: AskedTurn;
  signal: AbortSignal;
  /** Resolves when the turn is certain: nothing is sent that can act before. */
  certain: () => Promise<void>;
}

/** What came of a command. */
export interface HomeResult {
  /** Whether it was done, and the house says so too. */
  ok: boolean;
  /** A sentence that says what came of it, to be spoken as it is. */
  text: string;
}

export interface HomeControl {
  /** Runs one command to the house, or answers one question about it. Whatever is neither is refused; nothing is thrown but the end of the turn. */
  run(command: string, ask: HomeAsk): Promise<HomeResult>;
  /** The same for what has been understood. Null: Home Assistant does not know what is meant, and it may be meant for somebody else. */
  answer(understood: readonly Understood[], ask: HomeAsk): Promise<HomeResult | null>;
  /** Says whatever was said to Home Assistant, which has asked for it. */
  goOn(ask: HomeAsk): Promise<HomeResult | null>;
}

/** What the responder needs beside. */
export interface HomeTalk extends HomeControl {
  /** What of a sentence is plainly the house's business. */
  read(text: string): Promise<readonly Understood[]>;
  /** What is said of a command that is for later; null: it is none. */
  refuseLater(ask: HomeAsk): HomeResult | null;
}

/** The kind of a question that Home Assistant has asked back. */
export const homeAsked = 'home.asked';

/** A command that was passed on. */
interface Done extends Pick<Seen, 'before' | 'stands' | 'ok'> {
  command: Understood;
}

export interface HomeControlOptions {
  client: Pick<HomeClient, 'say' | 'states' | 'state' | 'knowsRooms'>;
  grammar: HomeGrammar;
  house: Pick<House, 'learn'>;
  questions: HomeQuestions;
  sentenceFor: SentenceFor;
  reply: SayHome;
  reports: HomeReports;
  notes: Pick<ActionNotes, 'note'>;
  last: LastCommand;
  asked: Pick<AskedStore, 'note'>;
  onTrouble: (error: HomeError) => void;
}

/** Passes commands on to Home Assistant, and tells of them only what the states confirm. */
export function createHomeControl(options: HomeControlOptions): HomeTalk {
  const { client, grammar, house, questions, sentenceFor } = options;
  const { reply, reports, notes, last, asked, onTrouble } = options;

  const noteDone = async ({ command, ok, ...seen }: Done, ask: HomeAsk) => {
    const { id, createdAt: at, conversation } = ask.turn;
    const { text, intent } = command;
    const action = actionOf({ text, intent, ok, ...seen });
    if (action) await notes.note({ turn: actionId(id, text), at, ...action }, conversation);
    await last.note(conversation, { target: command.target, elsewhere: command.elsewhere ?? '' });
  };

  /** What is said of a command that Home Assistant does not know. Null: it may be meant for somebody else. */
  const unknown = (command: Understood, { turn }: HomeAsk): HomeResult | null => {
    const { target, bare, isNamed, isPlaced, needsRoom } = command;
    if (isNamed) return no(reply('not_possible', { target }, turn));
    const room = sentenceFor.roomOf(turn);
    if (needsRoom && room === null) return no(reply('which_room', {}, turn));
    if (bare === '') return null;
    return no(
      room === null || isPlaced
        ? reply('not_known', { bare }, turn)
        : reply('not_known_here', { bare, room }, turn),
    );
  };

  const act = async (command: Understood, ask: HomeAsk): Promise<HomeResult | null> => {
    const { turn, signal } = ask;
    // Older versions guess, and might take it for any lamp.
    if (command.isUnknown && !client.knowsRooms) return no(reply('not_known', { bare: command.bare }, turn));
    const before = await client.states(signal);
    await ask.certain();
    const answer = await client.say(sentenceFor(command, ask));
    if (answer.asksBack) await asked.note(turn.id, { kind: homeAsked, about: {}, at: turn.createdAt });
    if (answer.kind === 'unknown') return unknown(command, ask);
    if (answer.kind === 'failed') return no(reply('broke', {}, turn));
    if (answer.kind === 'told') return { ok: true, text: answer.speech || reply('ok', {}, turn) };
    const { intent } = command;
    const stands = await standsAfter({ intent, entities: answer.succeeded, before, signal });
    const result = stands ? reports.done(answer, stands, turn) : no(reply('unsure', {}, turn));
    await noteDone({ command, ok: result.ok, before, stands }, ask);
    return result;
  };

  /** Null: the states cannot be read, which says nothing of whether it was done. */
  const standsAfter = async (awaited: Parameters<typeof awaitStates>[1]) => {
    try {
      return await awaitStates(client, awaited);
    } catch (error) {
      if (!(error instanceof HomeError)) throw error;
      onTrouble(error);
      return null;
    }
  };

  /** "Turn it off" and "and the bedroom" as the command that they are; null where nothing was commanded of late. */
  const meant = async (understood: Understood, { turn }: HomeAsk): Promise<Understood | null> => {
    if (!understood.isReference) return understood;
    const before = await last.read(turn.conversation);
    return before && grammar.referring(understood, before);
  };

  const one = async (understood: Understood, ask: HomeAsk): Promise<HomeResult | null> => {
    if (understood.isQuestion) return await questions(understood, ask);
    const command = await meant(understood, ask);
    return command && (await act(command, ask));
  };

  const honest = async (work: () => Promise<HomeResult | null>, { turn }: HomeAsk, isQuestion: boolean) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HomeError)) throw error;
      onTrouble(error);
      return no(reply(troubleReply(error.trouble, isQuestion), {}, turn));
    }
  };

  const answer = async (understood: readonly Understood[], ask: HomeAsk): Promise<HomeResult | null> => {
    const results: HomeResult[] = [];
    for (const each of understood) {
      const result = await honest(() => one(each, ask), ask, each.isQuestion);
      // Of several commands the first has been carried out already.
      if (result === null && results.length === 0) return null;
      results.push(result ?? no(reply('not_possible', { target: each.target }, ask.turn)));
    }
    if (results.length === 0) return null;
    const texts = results.map(({ text }) => (/[.!?]$/.test(text) ? text : `${text}.`));
    return { ok: results.every(({ ok }) => ok), text: texts.join(' ') };
  };

  const read = async (text: string): Promise<readonly Understood[]> => {
    const understood = grammar.read(text);
    // Names that have been told only now may mean something else.
    return understood.length > 0 && (await house.learn()) ? grammar.read(text) : understood;
  };

  const refuseLater = ({ turn }: HomeAsk) =>
    grammar.isForLater(turn.text) ? no(reply('not_later', {}, turn)) : null;

  return {
    read,
    answer,
    refuseLater,
    async run(command, ask) {
      // The model may have left out when.
      const refused = refuseLater(ask);
      if (refused) return refused;
      const found = await answer(await read(command), ask);
      return found ?? no(reply('not_a_command', {}, ask.turn));
    },
    goOn: (ask) => answer([grammar.anything(ask.turn.text)], ask),
  };
}

export function no(text: string): HomeResult {
  return { ok: false, text };
}

/** A question that got no answer has done nothing in any case. */
function troubleReply(trouble: HomeTrouble, isQuestion: boolean) {
  if (!isQuestion) return trouble;
  return trouble === 'slow' ? 'slow_question' : trouble === 'lost' ? 'unreachable' : trouble;
}
